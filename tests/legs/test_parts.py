"""The parts of the second look: words of a request, roles of rounds, what a run folder says, a remote call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.capture import find
from harness.legs.cast import role
from harness.legs.reading import span
from harness.legs.remote import remote_call
from harness.legs.runs import RunFolder, runs
from harness.legs.words import is_whole, text_of
from harness.model.capture import Capture, Request
from harness.model.scenario import Expect
from harness.model.verdict import Round
from harness.rules.example import artifact, asking, status
from tests.legs.folders import DONE, GREEN, OPEN, Exchange, client, model, plan, remote, write


def request(body: Any) -> Request:
    return Request("POST", "/", (), body if isinstance(body, str) else json.dumps(body))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (asking("hello"), "hello"),
        (
            {"method": "message/send", "params": {"message": {"parts": [{"kind": "text", "text": "hi"}]}}},
            "hi",
        ),
        ({"message": {"parts": [{"text": "a"}, {"url": "x"}, {"data": {"b": 1}}]}}, 'a\n{"b": 1}'),
        ({"request": {"content": [{"text": "a"}]}}, "a"),
        ({"conversation_id": "c", "message": "hello"}, "hello"),
        ({"params": 7, "message": 7}, ""),
        ("[1]", ""),
        ("{oops", ""),
        ("", ""),
    ],
)
def test_the_text_of_a_request(body: Any, text: str) -> None:
    assert text_of(request(body)) == text


def test_a_request_that_was_cut() -> None:
    assert is_whole(request(asking()))
    assert not is_whole(request(json.dumps(asking())[:-5]))


@pytest.mark.parametrize(
    ("more", "number"),
    [
        ({}, 1),
        ({"scenario": "DA-2"}, None),
        ({"leg": "search-agent"}, None),
        (
            {
                "request": Request(
                    "POST", "/", (), '{"jsonrpc":"2.0","method":"CancelTask","params":{"id":"t"}}'
                )
            },
            None,
        ),
    ],
)
def test_roles(more: dict[str, Any], number: int | None) -> None:
    capture = Capture("a", "a", "sse")._replace(scenario=more.pop("scenario", "DA-1"), **more)
    found = role(capture, 1, (plan(Expect()),))
    assert (found.number if found else None) == number


def test_a_round_that_the_scenario_does_not_have() -> None:
    assert role(Capture("a", "a", "sse", scenario="DA-1"), 2, (plan(Expect()),)) is None


def test_what_a_run_folder_says(tmp_path: Path) -> None:
    loose = remote(1, (1, 2))._replace(round=0)
    path = write(tmp_path / "run", GREEN[0], loose, legs=("client", "verify-agent"), defects="as-reported")
    [run] = runs(find([path]).captures).values()
    assert run == RunFolder(
        frozenset({"client", "search-agent", "verify-agent"}), frozenset({"search-agent"}), "as-reported"
    )


@pytest.mark.parametrize(
    "text", ["{oops", '{"run": 1, "legs": 7, "defects": 7}', '{"run": 1, "legs": [7, {}]}', None]
)
def test_a_run_folder_that_says_nothing_good(text: str | None, tmp_path: Path) -> None:
    path = Path(write(tmp_path / "run", model()))
    (path / "run.json").unlink()
    if text is not None:
        (path / "run.json").write_text(text, encoding="utf-8")
    captures = find([str(path)]).captures
    assert runs(captures) == {str(path): RunFolder(frozenset({"llm"}))}


def judged(folder: Path, exchange: Exchange, outcome: Any = "COMPLETED") -> Any:
    [capture] = find([write(folder / "run", exchange)]).captures
    round = Round(
        capture.source, "DA-1", None, None, 1, exchange.leg, None, None, 200, 1, capture.ending, outcome
    )
    return remote_call(capture, round, 1 << 20)


def test_a_remote_call(tmp_path: Path) -> None:
    call = judged(tmp_path, remote(0, (10, 20)))
    assert (call.leg, call.text, call.asked_context) == ("search-agent", "price of A", "c-1_batch_call_00")
    assert (call.opens, call.is_of("call_00"), call.is_of("call_01"), call.is_of("all_00")) == (
        True,
        True,
        False,
        False,
    )
    assert (call.task_id, call.last, call.outcome, call.flaw) == ("rt-0", "A costs 1", "COMPLETED", None)
    assert (call.began_ns, call.ended_ns) == (10_000_000, 20_000_000)


@pytest.mark.parametrize(
    ("frames", "last"),
    [
        ((artifact("A costs"), artifact(" 1", append=True)), "A costs 1"),
        ((artifact("working", id="1"), artifact("A costs 1", id="2")), "A costs 1"),
        ((artifact("x"), status("completed", "A costs 1")), "A costs 1"),
        ((artifact({"data": {"type": "answer", "payload": {"output": "A costs 1"}}}),), "A costs 1"),
        (
            (artifact(json.dumps({"type": "workflow_final", "payload": {"output": "A costs 1"}})),),
            "A costs 1",
        ),
        ((artifact("A costs 1"), artifact({"data": {"type": "llm_usage", "payload": {}}})), "A costs 1"),
        (DONE[1:], ""),
    ],
)
def test_the_last_text_of_an_answer(frames: tuple[Any, ...], last: str, tmp_path: Path) -> None:
    assert judged(tmp_path, remote(0, (1, 2), frames=frames)).last == last


def test_a_call_about_a_task_is_no_remote_call(tmp_path: Path) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "rt-0"}}
    assert judged(tmp_path, remote(0, (1, 2), request=asked)) is None


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"request": '{"jsonrpc":'}, "is not known"),
        ({"frames": (artifact("x" * 300_000),)}, "longer than"),
        ({"frames": OPEN, "ending": "timeout"}, "not known whole"),
    ],
)
def test_a_remote_call_that_is_not_known_whole(more: dict[str, Any], told: str, tmp_path: Path) -> None:
    outcome = "INCONCLUSIVE" if "ending" in more else "COMPLETED"
    assert told in judged(tmp_path, remote(0, (1, 2), **more), outcome).flaw


def test_without_a_journal_no_time_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.sse").write_bytes(b"data: {}\n\n")
    [capture] = find([str(tmp_path / "a.sse")]).captures
    assert span(capture) == (None, None)


def test_times_of_an_exchange_that_was_refused(tmp_path: Path) -> None:
    [capture] = find([write(tmp_path / "run", client(ending="refused", at_ms=(3, 4)))]).captures
    assert span(capture) == (3_000_000, 4_000_000)
