"""Outcomes in the order of semantics section 2, and exit codes by section 6."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from harness.a2a.request import Asked
from harness.judge import exit_code, is_snapshot, outcome, undecided
from harness.model.capture import Capture, Head, Unread
from harness.model.event import Event
from harness.model.finding import Finding, NotChecked
from harness.model.interaction import Interaction
from harness.model.verdict import OUTCOMES, Group, Round
from tests.rules.values import capture, event, interaction, place, sighting, stream_of

ERROR = event("error", 9, error_code=-32603, error_message="boom")
MESSAGE = event("message", 1)
CHUNK = event("artifact", 2)


def state(name: str, number: int = 1) -> Event:
    return event("status", number, state=name)


def judged(*events: Event, body_empty: bool = False, asked: Asked | None = None, **more: Any) -> str:
    stream = stream_of(*events)
    return outcome(stream, capture(**more), recognised=stream.recognised, body_empty=body_empty, asked=asked)


WORKING, ASKS, DONE = state("working"), state("input-required", 3), state("completed", 4)


@pytest.mark.parametrize(
    ("events", "more", "said"),
    [
        # 1: the HTTP status, whatever the body says
        ([WORKING, DONE], {"head": Head(500)}, "HTTP_ERROR"),
        ([ERROR], {"head": Head(404)}, "HTTP_ERROR"),
        ([], {"head": Head(302), "body_empty": True}, "HTTP_ERROR"),
        ([WORKING, DONE], {"head": Head(204)}, "COMPLETED"),
        ([WORKING, DONE], {"head": None}, "COMPLETED"),
        ([WORKING, DONE], {"head": Head(None)}, "COMPLETED"),
        # 2: a terminal state, or one Message; what follows is a finding
        ([WORKING, DONE], {}, "COMPLETED"),
        ([WORKING, state("failed")], {}, "FAILED"),
        ([WORKING, state("canceled")], {}, "CANCELED"),
        ([WORKING, state("rejected")], {}, "REJECTED"),
        ([DONE, ERROR], {}, "COMPLETED"),
        ([DONE, state("working"), ASKS], {}, "COMPLETED"),
        ([DONE], {"ending": "upstream_cut"}, "COMPLETED"),
        ([DONE], {"ending": "client_left"}, "COMPLETED"),
        ([DONE], {"ending": "unsealed"}, "COMPLETED"),
        ([MESSAGE], {}, "COMPLETED"),
        ([MESSAGE], {"ending": "client_left"}, "COMPLETED"),
        # 3: an error frame, or a body that is one
        ([WORKING, ERROR], {}, "PROTOCOL_ERROR"),
        ([ERROR], {"framing": "document"}, "PROTOCOL_ERROR"),
        ([ASKS, ERROR], {}, "PROTOCOL_ERROR"),
        ([WORKING, ERROR], {"ending": "upstream_cut"}, "PROTOCOL_ERROR"),
        # 4: the last state is an interrupted one, also while the connection is open
        ([WORKING, ASKS], {}, "INTERACTION"),
        ([WORKING, ASKS, CHUNK], {}, "INTERACTION"),
        ([WORKING, ASKS], {"ending": "client_left"}, "INTERACTION"),
        ([WORKING, ASKS], {"ending": "unsealed"}, "INTERACTION"),
        ([WORKING, ASKS], {"ending": "upstream_cut"}, "INTERACTION"),
        ([WORKING, state("auth-required")], {}, "AUTH_REQUIRED"),
        ([ASKS, state("working", 4)], {}, "NO_TERMINAL"),
        # 5: cut by the upstream
        ([WORKING, CHUNK], {"ending": "upstream_cut"}, "TRANSPORT_ERROR"),
        ([], {"ending": "upstream_cut", "body_empty": True}, "TRANSPORT_ERROR"),
        ([], {"ending": "refused", "body_empty": True, "head": None}, "TRANSPORT_ERROR"),
        # 6: our side stopped, or nothing was recognised in a body that is not empty
        ([WORKING], {"ending": "client_left"}, "INCONCLUSIVE"),
        ([WORKING], {"ending": "proxy_stopped"}, "INCONCLUSIVE"),
        ([WORKING], {"ending": "unsealed"}, "INCONCLUSIVE"),
        ([], {}, "INCONCLUSIVE"),
        ([event("foreign"), event("sentinel"), event("malformed")], {}, "INCONCLUSIVE"),
        ([], {"told": "requests, no stream", "framing": "none", "body_empty": True}, "INCONCLUSIVE"),
        # 7: the rest
        ([WORKING], {}, "NO_TERMINAL"),
        ([WORKING, CHUNK], {"ending": "unknown"}, "NO_TERMINAL"),
        ([WORKING, state("unknown")], {}, "NO_TERMINAL"),
        ([], {"body_empty": True}, "NO_TERMINAL"),
        # core chunks: their reader gives them states
        ([event("chunk", dialect="openjiuwen-core"), event("chunk", state="completed")], {}, "COMPLETED"),
        ([event("chunk", state="input-required"), event("chunk")], {"ending": "unknown"}, "INTERACTION"),
        ([event("chunk", state="failed")], {}, "FAILED"),
        ([event("chunk")], {}, "NO_TERMINAL"),
        # a snapshot is no end
        ([event("task", state="working")], {"framing": "document"}, "INCONCLUSIVE"),
        ([event("task", state="submitted")], {"framing": "document"}, "INCONCLUSIVE"),
        ([event("task", state="completed")], {"framing": "document"}, "COMPLETED"),
        ([event("task", state="input-required")], {"framing": "document"}, "INTERACTION"),
        ([event("task", state="working")], {}, "NO_TERMINAL"),
        (
            [event("task", state="working")],
            {"framing": "jsonl", "asked": Asked(streaming=False)},
            "INCONCLUSIVE",
        ),
        (
            [event("task", state="working")],
            {"framing": "jsonl", "asked": Asked(streaming=True)},
            "NO_TERMINAL",
        ),
    ],
)
def test_the_first_that_holds(events: list[Event], more: dict[str, Any], said: str) -> None:
    assert judged(*events, **more) == said


def test_every_combination_has_exactly_one_outcome() -> None:
    steps: list[tuple[Event, ...]] = [(), (WORKING,), (ASKS,), (DONE,), (MESSAGE,), (ERROR,), (CHUNK,)]
    endings = ("clean", "upstream_cut", "client_left", "proxy_stopped", "refused", "unsealed", "unknown")
    for first, second, ending, status in itertools.product(steps, steps, endings, (None, 200, 503)):
        made = judged(*first, *second, ending=ending, head=Head(status), body_empty=not first + second)
        assert made in OUTCOMES


def test_a_snapshot_is_one_task_alone() -> None:
    task = event("task", state="working")
    assert is_snapshot(stream_of(task), capture(framing="document"))
    assert not is_snapshot(stream_of(task), capture())
    assert not is_snapshot(stream_of(task, WORKING), capture(framing="document"))
    assert not is_snapshot(stream_of(), capture(framing="document"))


@pytest.mark.parametrize(
    ("said", "ending", "undecided_"),
    [
        ("INCONCLUSIVE", "clean", True),
        ("TRANSPORT_ERROR", "refused", True),
        ("TRANSPORT_ERROR", "upstream_cut", False),
        ("NO_TERMINAL", "unknown", False),
        ("COMPLETED", "unsealed", False),
    ],
)
def test_what_leaves_a_round_undecided(said: Any, ending: Any, undecided_: bool) -> None:
    assert undecided(said, Capture("a", "a", "sse", ending=ending)) is undecided_


def finding(
    severity: Any = "error", rule: str = "LEAK101", waived: str | None = None, known: bool = False
) -> Finding:
    return Finding(rule, "slug", severity, "m", "w", place(), waived=waived, known=known)


def round_(*findings: Finding, **more: Any) -> Round:
    more = {"outcome": "COMPLETED", "ending": "clean", "findings": findings, **more}
    return Round("a", "S", None, None, 1, "client", "v1.0", "jsonrpc", 200, 3, **more)


UNKNOWN: Interaction = interaction(sighting("unknown", exposure="native"))


@pytest.mark.parametrize(
    ("round", "more", "code"),
    [
        (round_(), {}, 0),
        (round_(finding("error")), {}, 1),
        (round_(finding("warning")), {}, 0),
        (round_(finding("warning")), {"fail_on": "warning"}, 1),
        (round_(finding("warning")), {"strict": True}, 1),
        (round_(finding("info")), {"strict": True}, 0),
        (round_(finding("error", waived="W-1")), {}, 0),
        (round_(finding("error", known=True)), {}, 0),
        (round_(finding("error", known=True), finding("error")), {}, 1),
        (round_(finding("error", known=True), outcome="INCONCLUSIVE"), {}, 3),
        (round_(finding("warning", "LEAK105", known=True), interactions=(UNKNOWN,)), {}, 3),
        (round_(), {"findings": [Group(finding(known=True), ("a", "b"))]}, 0),
        (round_(outcome="INCONCLUSIVE"), {}, 3),
        (round_(outcome="TRANSPORT_ERROR", ending="refused"), {}, 3),
        (round_(finding(), outcome="INCONCLUSIVE"), {}, 1),
        (round_(finding("warning"), outcome="INCONCLUSIVE"), {}, 3),
        (round_(unread=(Unread("a", "r"),)), {}, 3),
        (round_(), {"unread": [Unread("a", "r")]}, 3),
        (round_(finding()), {"unread": [Unread("a", "r")]}, 1),
        (round_(), {"findings": [Group(finding(), ("a", "b"))]}, 1),
        (round_(), {"findings": [Group(finding(waived="W"), ("a", "b"))]}, 0),
        (round_(finding("warning", "LEAK105"), interactions=(UNKNOWN,)), {}, 3),
        (round_(finding("warning", "LEAK105", "W-1"), interactions=(UNKNOWN,)), {}, 0),
        (round_(interactions=(UNKNOWN,)), {}, 0),
        (round_(interactions=(UNKNOWN,)), {"strict": True}, 3),
        (round_(), {"not_captures": 2}, 0),
        (round_(), {"not_captures": 2, "strict": True}, 3),
        (round_(not_checked=(NotChecked("END505", "r"),)), {}, 0),
        (round_(not_checked=(NotChecked("END505", "r"),)), {"strict": True}, 3),
        (round_(not_checked=(NotChecked("NEG906", "r"),)), {"strict": True}, 0),
        (round_(not_checked=(NotChecked("SCN103", "r"),)), {"strict": True}, 3),
        (round_(not_checked=(NotChecked("DEL101", "r"),)), {"strict": True}, 3),
        (round_(), {"not_checked": [NotChecked("SYM401", "r")], "strict": True}, 3),
        (round_(), {"not_checked": [NotChecked("SYM401", "r")]}, 0),
    ],
)
def test_which_exit_code_wins(round: Round, more: dict[str, Any], code: int) -> None:
    assert exit_code([round], **more) == code


def test_a_breach_in_any_round_beats_an_undecided_one() -> None:
    rounds = [round_(outcome="INCONCLUSIVE"), round_(), round_(finding())]
    assert exit_code(rounds) == 1


def test_nothing_judged_is_no_pass() -> None:
    assert exit_code([]) == 3
