"""MUL rules on streams of one task: who is compared with whom, what is told, what is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.model.verdict import Report
from harness.rules.concurrent import CHUNKS, FIRST, beside, joining
from harness.rules.example import Example, artifact, status, task
from tests.rules.examples import judge

DONE = status("completed")
MUL = ("MUL801", "MUL802", "MUL803")
TURN_2 = {
    "jsonrpc": "2.0",
    "id": "r-1",
    "method": "SendStreamingMessage",
    "params": {"message": {"taskId": "t-1", "parts": []}},
}
LEFT = Example((task(), artifact("s0 ")), ending="client_left", at_ms=(0, 10, 500))
OFF = joining(CHUNKS[0])._replace(at_ms=(20, 300, 510))


def found(report: Report) -> list[tuple[int, str]]:
    return [(one.round, f.rule) for one in report.rounds for f in one.findings if f.rule in MUL]


def lacking(report: Report, code: str) -> dict[int, str]:
    return {one.round: e.reason for one in report.rounds for e in one.not_checked if e.rule == code}


def test_a_finding_names_both_streams_and_its_place(tmp_path: Path) -> None:
    report = judge(beside(CHUNKS[0], CHUNKS[2], DONE), tmp_path)
    [finding] = [f for one in report.rounds for f in one.findings if f.rule == "MUL801"]
    assert finding.message == "the stream does not go on as S-1-r1.client does, which has event 4 here"
    assert finding.place.event == 3
    [gap] = [
        f
        for one in judge(beside(*CHUNKS[1:], DONE), tmp_path / "gap").rounds
        for f in one.findings
        if f.rule == "MUL803"
    ]
    assert gap.message == (
        "the Task that the stream opens with is followed by events of which 1 are left out, against S-1-r1.client"
    )
    assert gap.place.event == 2


@pytest.mark.parametrize(
    ("late", "rules"),
    [
        (joining(*CHUNKS, DONE)._replace(request=None), []),
        (joining(*CHUNKS[1:], DONE)._replace(request=None), [(2, "MUL803")]),
        (joining(*CHUNKS, DONE)._replace(leg="hotel"), []),
        (joining(*CHUNKS[1:], DONE)._replace(leg="hotel"), []),
        (joining(*CHUNKS[:2])._replace(ending="upstream_cut"), []),
        (joining(*CHUNKS[:2])._replace(ending="client_left"), []),
    ],
    ids=["no request", "no request, a gap", "another leg", "another leg, a gap", "cut", "left"],
)
def test_who_is_compared(late: Example, rules: list[Any], tmp_path: Path) -> None:
    assert found(judge(FIRST._replace(then=(late,)), tmp_path)) == rules


def test_a_second_turn_appears_on_the_first_stream_as_well(tmp_path: Path) -> None:
    """java-sdk.md 1.2: legal, and both show the same."""
    answer = (status("working"), *CHUNKS, DONE)
    first = Example((task(), artifact("s0 "), status("input-required", "City?"), *answer))
    second = Example(answer, request=TURN_2, round=2)
    good = judge(first._replace(then=(second,)), tmp_path)
    assert found(good) == []
    assert lacking(good, "MUL801") == {}
    lost = second._replace(frames=(*answer[:2], *answer[3:]))
    assert found(judge(first._replace(then=(lost,)), tmp_path / "lost")) == [(2, "MUL801")]


def test_turns_whose_streams_ended_with_their_question_are_no_streams_side_by_side(tmp_path: Path) -> None:
    first = Example((task(), status("input-required", "City?")))
    second = Example((status("working"), *CHUNKS, DONE), request=TURN_2, round=2)
    subscription = joining(*CHUNKS[1:], DONE, text="s1 ")._replace(round=3)
    report = judge(first._replace(then=(second, subscription)), tmp_path)
    assert found(report) == []
    assert set(lacking(report, "MUL803")) == {1, 2, 3}


def test_logs_that_were_printed_again_prove_nothing() -> None:
    from harness.rules import multi
    from tests.rules.test_across import compared
    from tests.rules.values import facts

    made = compared(
        multi.Mul801,
        facts(rebuilt=True, streamed=True),
        facts(recognised=False),
        facts(),
        facts(streamed=True),
    )
    assert {index: told[0].reason for index, told in made.lacking.items()} == {
        0: "the frames were printed again from parsed records",
        1: "no A2A event was recognised",
        2: "the answer is one body, no stream",
        3: "a single stream does not show it",
    }


@pytest.mark.parametrize(
    ("late", "is_found", "reason"),
    [
        (OFF, True, None),
        (OFF._replace(at_ms=(20, 300, 9_000)), False, "it broke off, but not at once"),
        (OFF._replace(at_ms=(20, 300, 400)), False, "no client closed another stream"),
        (OFF._replace(at_ms=(600, 700, 800)), False, "no client closed another stream"),
        (OFF._replace(at_ms=()), False, "the times of the chunks are not known"),
        (OFF._replace(ending="client_left"), False, "no client closed another stream"),
        (joining(CHUNKS[0], DONE)._replace(at_ms=(20, 300, 505, 510)), False, None),
        (
            joining(status("input-required", "City?"))._replace(at_ms=(20, 300, 510)),
            False,
            "no client closed",
        ),
    ],
    ids=["at once", "later", "before", "after", "no times", "closed as well", "whole", "asks"],
)
def test_a_stream_that_breaks_off_with_another(
    late: Example, is_found: bool, reason: str | None, tmp_path: Path
) -> None:
    report = judge(LEFT._replace(then=(late,)), tmp_path)
    assert (found(report) == [(2, "MUL802")]) is is_found
    told = lacking(report, "MUL802").get(2)
    assert told is None if reason is None else told is not None and reason in told


def test_a_client_that_left_a_finished_task_closed_nothing(tmp_path: Path) -> None:
    ended = LEFT._replace(frames=(task(), DONE))
    assert (2, "MUL802") not in found(judge(ended._replace(then=(OFF,)), tmp_path))
