"""The life cycle as memory, and the promise that `plain` is `take` made cheap."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.a2a import artifacts as artifacts_module
from harness.a2a.stream import INPUTS, TRANSITIONS, Stream
from harness.model.event import Event
from harness.rules import example as ex
from tests.a2a.frames import read, read_all

ERROR = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "x"}}


def stream(*frames: Any) -> Stream:
    found = Stream()
    for event in read_all(*frames):
        found.take(event)
    return found


def said(text: str = "hello") -> Any:
    return ex.rpc({"message": ex.message(text)})


@pytest.mark.parametrize(
    ("states", "went_on"),
    [
        (("submitted", "working", "completed"), False),
        (("working", "input-required"), False),
        (("working", "input-required", "input-required"), False),
        (("working", "input-required", "working"), True),
        (("auth-required", "completed"), True),
    ],
)
def test_whether_a_stream_went_on_after_a_question(states: tuple[str, ...], went_on: bool) -> None:
    """java-sdk.md 1.2: the second turn appears on a first stream that stays open."""
    assert stream(*map(ex.status, states)).went_on is went_on


def test_every_phase_knows_every_input() -> None:
    for row in TRANSITIONS.values():
        assert tuple(row) == INPUTS
        assert set(row.values()) <= set(TRANSITIONS)


@pytest.mark.parametrize(
    ("frames", "phase"),
    [
        ((), "new"),
        ((ex.task(),), "open"),
        ((ex.status("submitted"), ex.artifact("x")), "open"),
        ((ex.artifact("x"),), "open"),
        ((ex.task(), ex.status("input-required", "?")), "asking"),
        ((ex.task(), ex.status("auth-required", "?"), ex.status("working")), "open"),
        ((ex.task(), ex.status("completed"), ex.status("working")), "ended"),
        ((said(),), "said"),
        ((said(), ex.status("working")), "open"),
        ((ex.task(), ERROR), "broken"),
        ((ex.task(), ERROR, ex.status("completed")), "ended"),
        ((ex.task("failed"), ERROR), "ended"),
        (("{", "[DONE]"), "new"),
    ],
)
def test_phases(frames: tuple[Any, ...], phase: str) -> None:
    assert stream(*frames).phase == phase


def test_the_first_of_everything_is_kept() -> None:
    found = stream(
        ex.task(), ex.status("completed", task="other"), ex.status("failed"), ERROR, {**ERROR, "id": 2}
    )
    assert found.first is not None
    assert found.first.kind == "task"
    assert found.task_id == ex.TASK
    assert found.terminal is not None
    assert found.terminal.frame.number == 2
    assert found.error is not None
    assert found.error.frame.number == 4
    assert (found.recognised, found.tasks, found.last_state) == (3, 1, "failed")


def test_only_messages_are_message_only() -> None:
    assert stream(said()).message_only
    assert not stream(said(), ex.status("working")).message_only
    assert not stream(said(), ERROR).message_only
    assert not stream().message_only


def test_chunks_append_and_replace() -> None:
    found = stream(
        ex.artifact("Hel", id="a"),
        ex.artifact("lo", id="a", append=True),
        ex.artifact("x", {"data": 1}, id="b", lastChunk=True),
        ex.artifact("old", id="c"),
        ex.artifact("new", id="c"),
    )
    hello = found.artifact("a")
    assert hello is not None
    assert (hello.length, hello.appended, hello.last) == (5, True, False)
    assert hello.begins("Hello world")
    assert not hello.begins("Help me")
    assert not hello.begins("Hell")
    b, c = found.artifact("b"), found.artifact("c")
    assert b is not None
    assert (b.length, b.others, b.last, b.appended) == (1, 1, True, False)
    assert c is not None
    assert c.begins("newer")
    assert found.artifacts.unfinished() == ["a"]
    assert found.artifact("nope") is None


def test_cumulative_snapshots_are_followed() -> None:
    found = stream(*(ex.artifact(text, append=True) for text in ("Hel", "Hello", "Hello you")))
    facts = found.artifact("a-1")
    assert facts is not None
    assert (facts.repeats, facts.snap_length, facts.length) == (2, 9, 17)


def test_a_task_seeds_artifacts() -> None:
    found = stream(ex.task(artifacts=[{"artifactId": "a", "parts": [{"text": "s0 "}, {"text": "s1 "}]}]))
    facts = found.artifact("a")
    assert facts is not None
    assert facts.length == 6
    assert facts.begins("s0 s1 s2 ")


@given(st.lists(st.text(max_size=5), max_size=6))
def test_the_assembled_text_is_that_of_its_pieces(pieces: list[str]) -> None:
    once, parts = Stream(), Stream()
    once.artifacts.whole("a", "".join(pieces))
    parts.artifacts.whole("a", "")
    for piece in pieces:
        parts.artifacts.chunk("a", piece, 0, False)
    left, right = once.artifact("a"), parts.artifact("a")
    assert left is not None
    assert right is not None
    assert (left.length, left.digest) == (right.length, right.digest)


def snapshot(found: Stream) -> tuple[Any, ...]:
    facts = [found.artifact(name) for name in ("a-1", "a-2", "")]
    return (found.phase, found.recognised, found.last_state, found.terminal, len(found.artifacts), facts)


@pytest.mark.parametrize("parts", [("text",), ({"data": {"k": 1}},), ("",), ("\ud800",)])
def test_plain_is_take(parts: tuple[Any, ...]) -> None:
    name = "a-2"
    event: Event = read(ex.artifact(*parts, id=name))
    text, others = artifacts_module.content(event.body["artifact"])
    slow, fast = stream(ex.task(), ex.artifact("x")), stream(ex.task(), ex.artifact("x"))
    slow.take(event)
    assert fast.plain(name, text, others)
    assert snapshot(slow) == snapshot(fast)


@pytest.mark.parametrize(
    "frames",
    [
        (),
        (ex.task(), ex.artifact("x")),
        (ex.task(), ex.status("completed")),
        (ex.task(), ex.status("input-required")),
        (said(),),
        (ex.task(), ERROR),
    ],
)
def test_plain_declines_what_only_take_can_do(frames: tuple[Any, ...]) -> None:
    found = stream(*frames)
    before = snapshot(found)
    assert not found.plain("a-1", "x")
    assert not found.plain("", "x")
    assert snapshot(found) == before


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts_module, "MAX_ARTIFACTS", 3)
    found = stream(ex.task())
    for number in range(3):
        assert found.plain(f"a-{number}", "x")
    assert not found.artifacts_capped
    assert found.plain("a-4", "x")
    assert found.artifacts_capped
    assert len(found.artifacts) == 3


def test_chunked_artifacts_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts_module, "MAX_CHUNKED", 1)
    found = stream(ex.artifact("x", id="a", append=True), ex.artifact("x", id="b", append=True))
    assert found.artifacts_capped
    assert len(found.artifacts) == 1
