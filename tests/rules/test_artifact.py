"""ART rules: append, replace, last chunk, and the text they add up to."""

from __future__ import annotations

from typing import Any

import pytest

from harness.a2a import artifacts
from harness.rules.example import Example, artifact, status, task
from tests.rules.protocol import judge

DONE = status("completed")
REMOTE = {"agentEvent": {"type": "output"}}
TURN_2 = {
    "jsonrpc": "2.0",
    "id": "r-1",
    "method": "SendStreamingMessage",
    "params": {"message": {"taskId": "t-1"}},
}


def more(text: str, **flags: Any) -> Any:
    return artifact(text, append=True, **flags)


def final(*texts: str) -> Any:
    return task("completed", artifacts=[{"artifactId": "a-1", "parts": [{"text": text} for text in texts]}])


def snapshot(text: str) -> Any:
    return task("working", artifacts=[{"artifactId": "a-1", "parts": [{"text": text}]}])


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ((artifact("a"), more("b", lastChunk=True)), {}),
        ((artifact("a"), artifact("b", id="a-2")), {}),
        ((more("a", lastChunk=True),), {"ART701": "warning"}),
        ((artifact("a", lastChunk=True), more("b")), {"ART702": "warning"}),
        ((artifact("a"), more("b")), {"ART704": "warning"}),
        ((more("a", metadata=REMOTE),), {"ART701": "warning", "ART704": "warning"}),
        ((artifact("Hello "), artifact("world")), {"ART703": "warning"}),
        ((artifact("Hello "), artifact("Hello world")), {}),
        ((artifact("Hello "), more("world"), artifact("Hello world", lastChunk=True)), {}),
        ((artifact(""), artifact("x")), {}),
        ((artifact({"data": 1}), artifact({"data": 2})), {}),
        ((artifact("Hel"), more("Hello", lastChunk=True)), {"ART705": "warning"}),
        ((artifact("1"), more("10", lastChunk=True)), {}),
        ((artifact("1"), more("12"), more("123", lastChunk=True)), {"ART705": "warning"}),
        ((artifact("ha"), more("ha"), more("ha", lastChunk=True)), {}),
        (
            (artifact("a whole long sentence"), more("a whole long sentence", lastChunk=True)),
            {"ART705": "warning"},
        ),
    ],
)
def test_chunks(frames: Any, expected: dict[str, str]) -> None:
    found = judge(Example((task(), *frames, DONE))).findings
    assert {code: f.severity for code, f in found.items() if code.startswith("ART")} == expected


@pytest.mark.parametrize(
    ("frames", "is_found"),
    [
        ((task(), artifact("Hel"), more("lo", lastChunk=True), final("Hello")), False),
        ((task(), artifact("Hel"), more("lo", lastChunk=True), final("Hel", "lo")), False),
        ((task(), artifact("Hel"), more("lo", lastChunk=True), final("Help!")), True),
        ((task(), artifact("Hel"), more("Hello", lastChunk=True), final("Hello")), False),
        ((task(), artifact("x"), task("completed")), True),
        ((task(), final("never streamed")), True),
        ((status("working"), final("of an earlier turn")), False),
        ((snapshot("s0 "), more("s1 ", lastChunk=True), final("s0 s1 ")), False),
        ((snapshot("s0 "), more("s2 ", lastChunk=True), final("s0 s1 s2 ")), True),
        ((task(), artifact("x"), task("working"), final("x")), False),
    ],
)
def test_the_final_task_holds_what_was_streamed(frames: Any, is_found: bool) -> None:
    judged = judge(Example(frames))
    assert ("ART707" in judged.findings) is is_found
    assert "ART707" not in judged.not_checked


def test_without_a_final_task_nothing_is_compared() -> None:
    assert "ART707" in judge(Example((task(), artifact("x"), DONE))).not_checked


def test_a_later_turn_may_append_to_what_an_earlier_one_began() -> None:
    example = Example((status("working"), more("x", lastChunk=True), DONE), request=TURN_2)
    assert judge(example).weight("ART701") == "info"


def test_chunks_of_a_task_that_did_not_complete_need_no_last_one() -> None:
    assert "ART704" not in judge(Example((task(), artifact("a"), more("b"), status("failed")))).findings


@pytest.mark.parametrize(
    ("frames", "is_found"),
    [
        ((task(), DONE), True),
        ((task(), status("completed", "done")), False),
        ((task(), artifact("x"), DONE), False),
        ((final("x"),), False),
        ((task(), status("failed")), False),
    ],
)
def test_an_empty_success(frames: Any, is_found: bool) -> None:
    assert ("ART706" in judge(Example(frames)).findings) is is_found


def test_nothing_is_claimed_beyond_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts, "MAX_ARTIFACTS", 2)
    many = [artifact("x", id=f"a-{number}") for number in range(4)]
    judged = judge(Example((task(), *many, artifact("y", id="a-3", append=True), DONE)))
    assert "ART701" not in judged.findings
    assert {"ART701", "ART704", "ART706"} <= set(judged.not_checked)


def test_many_orphans_are_one_finding() -> None:
    orphans = [artifact("x", id=f"a-{number}", append=True, lastChunk=True) for number in range(300)]
    assert judge(Example((task(), *orphans, DONE))).findings["ART701"].times == 300
