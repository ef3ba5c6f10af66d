"""Contract rules of one round on scopes built by hand: LEAK, MASK201, BIND, END, RES602."""

from __future__ import annotations

from typing import Any

import pytest

from harness.a2a.request import Asked
from harness.model.capture import Head
from harness.model.event import Event
from harness.model.finding import Finding
from harness.model.interaction import Interaction, Mark
from harness.rules import registry
from harness.rules.engine import Engine
from harness.rules.facts import NOWHERE
from tests.rules.values import event, interaction, place, scope, selection, sighting

WORKING, ASKS, DONE = (
    event("status", n, state=s) for n, s in ((1, "working"), (8, "input-required"), (9, "completed"))
)


def run(
    code: str,
    *events: Event,
    outcome: str = "COMPLETED",
    interactions: tuple[Interaction, ...] = (),
    marks: tuple[Mark, ...] = (),
    asked: Asked | None = None,
    tools: tuple[str, ...] = ("request_user_input",),
    **more: Any,
) -> tuple[list[Finding], str | None]:
    """Findings of one rule, and why it was not checked."""
    made = scope(asked=asked, **more)
    made.dialect, made.binding = "v1.0", "jsonrpc"
    made.user_input_tools = frozenset(tools)
    engine = Engine(selection(registry.rule(code)), made)
    for one in events or (WORKING, DONE):
        engine.event(one)
        made.stream.take(one)
    made.outcome, made.interactions, made.marks = outcome, interactions, marks
    findings, lacking = engine.finish()
    return findings, lacking[0].reason if lacking else None


def found(code: str, *events: Event, **more: Any) -> list[Finding]:
    findings, reason = run(code, *events, **more)
    assert reason is None
    return findings


# LEAK


def test_each_leaked_delegation_is_a_finding_with_its_sightings_as_places() -> None:
    first = interaction(
        sighting(place=place(3)), sighting(place=place(5)), sighting(place=place(6)), sighting(place=place(7))
    )
    second = interaction(sighting(place=place(4), tool_call_id="call_01"))
    made = found("LEAK101", interactions=(first, second))
    assert [(f.times, f.place, f.also) for f in made] == [
        (4, place(3), (place(5), place(6))),
        (1, place(4), ()),
    ]


def test_a_leak_names_agent_tool_call_prompt_and_what_is_visible() -> None:
    leak = interaction(
        sighting(
            agent="search-agent",
            tool_name="search",
            prompt="price\nof A " + "x" * 200,
            internal=("context", "agentName"),
        )
    )
    (one,) = found("LEAK101", interactions=(leak,))
    for said in ("'search-agent'", "'search'", "'call_00'", "'price of A xxx", "content channel"):
        assert said in one.message
    assert len(one.message) < 250
    assert one.names == ("context", "agentName")


@pytest.mark.parametrize(
    ("one", "content", "control"),
    [
        (sighting(), 1, 0),
        (sighting(channel="control"), 0, 1),
        (sighting(channel="control", tool_call_id=None, task_id=None), 0, 1),
        (sighting(exposure="masked", channel="control"), 0, 0),
        (sighting(exposure="declared"), 0, 0),
        (sighting("user_input", exposure="native"), 0, 0),
        (sighting("user_input", "control", "native"), 0, 0),
        (sighting("unknown", exposure="leaked"), 0, 0),
    ],
)
def test_only_leaked_delegations_leak_each_on_its_channel(one: Any, content: int, control: int) -> None:
    both = (interaction(one),)
    assert (len(found("LEAK101", interactions=both)), len(found("LEAK102", interactions=both))) == (
        content,
        control,
    )


def mark(name: str, text: str, number: int = 2, **more: Any) -> Mark:
    return Mark(name, "content", place(number), "s", text=text, **more)


def test_one_internal_key_in_many_frames_is_one_finding() -> None:
    marks = (
        *(mark("internal-key", "runtime.taskId", n) for n in range(2, 9)),
        mark("internal-key", "_stream_mode"),
    )
    assert [(f.times, f.names) for f in found("LEAK103", marks=marks)] == [
        (1, ("_stream_mode",)),
        (7, ("runtime.taskId",)),
    ]


def test_ids_of_delegations_are_one_family() -> None:
    marks = (mark("internal-key", "versatile-delegate-1f"), mark("internal-key", "versatile-delegate-2e"))
    (one,) = found("LEAK103", marks=marks)
    assert (one.times, one.names) == (2, ("versatile-delegate-*",))


def test_printed_objects_are_one_finding_and_other_marks_none() -> None:
    marks = (
        mark("printed-object", "InteractionOutput{id=1}"),
        mark("printed-object", "InteractionOutput{id=2}"),
    )
    assert [f.times for f in found("LEAK104", marks=marks)] == [2]
    assert not found("LEAK104", marks=(mark("failure", "x"), mark("internal-key", "x")))
    assert not found("LEAK103", marks=marks)


def test_an_unknown_kind_is_named_as_written() -> None:
    odd = interaction(sighting("unknown", "control", "native", interrupt_kind="quantum", tool_name="t"))
    more = interaction(sighting("unknown", "control", "native", interrupt_kind="quantum", tool_call_id="c2"))
    (one,) = found("LEAK105", interactions=(odd, more))
    assert (one.times, one.names, one.severity) == (2, ("quantum",), "warning")


@pytest.mark.parametrize(
    "code", ["LEAK101", "LEAK102", "LEAK103", "LEAK104", "LEAK105", "MASK201", "BIND301", "BIND302"]
)
@pytest.mark.parametrize(
    ("events", "outcome", "checked"),
    [
        ((event("foreign", 1),), "INCONCLUSIVE", False),
        ((event("malformed", 1),), "HTTP_ERROR", False),
        ((event("error", 1),), "PROTOCOL_ERROR", True),  # an error can leak, and is read
        ((event("error", 1),), "HTTP_ERROR", True),
        ((event("sentinel", 1),), "NO_TERMINAL", True),
    ],
)
def test_what_the_client_was_shown_is_judged_where_it_was_read(
    code: str, events: Any, outcome: str, checked: bool
) -> None:
    reason = run(code, *events, outcome=outcome)[1]
    assert reason == (None if checked else "no A2A event was recognised")


# MASK201


@pytest.mark.parametrize(
    ("extra", "missing", "said"),
    [
        (("priority",), (), "has 'priority' too"),
        ((), ("message",), "lacks 'message'"),
        (("a", "b"), ("toolCallId",), "has 'a', 'b' too and lacks 'toolCallId'"),
    ],
)
def test_a_proxy_with_other_members(extra: Any, missing: Any, said: str) -> None:
    proxy = interaction(
        sighting("delegation", "control", "masked", tool_name="hotel", extra=extra, missing=missing)
    )
    (one,) = found("MASK201", interactions=(proxy,))
    assert said in one.message
    assert one.names == (*extra, *missing)


def test_a_proxy_of_three_members_passes() -> None:
    assert not found("MASK201", interactions=(interaction(sighting("delegation", "control", "masked")),))


# BIND


def question(tool: str | None = "request_user_input", **more: Any) -> Interaction:
    return interaction(sighting("user_input", "control", "native", tool_name=tool, **more))


def test_questions_are_bound_to_the_mappings_list_of_tools() -> None:
    assert not found("BIND301", interactions=(question(), question(None), question("")))
    assert [
        f.names
        for f in found("BIND301", interactions=(question("lookup"), question("search", tool_call_id="c2")))
    ] == [
        ("lookup",),
        ("search",),
    ]
    assert not found("BIND301", interactions=(question("lookup"),), tools=("lookup",))


def test_one_call_on_two_channels_is_one_unbound_question() -> None:
    mirrored = interaction(sighting("user_input", "content", "native", tool_name="lookup", place=place(3)))
    (one,) = found("BIND301", interactions=(question("lookup"), mirrored))
    assert one.times == 2


@pytest.mark.parametrize("kind", ["confirmation", "client_tool", "delegation", "unknown"])
def test_other_kinds_are_bound_by_definition(kind: Any) -> None:
    assert not found(
        "BIND301", interactions=(interaction(sighting(kind, "control", "native", tool_name="rm")),)
    )


def test_without_a_list_of_tools_binding_is_not_checked() -> None:
    assert run("BIND301", interactions=(question("x"),), tools=()) == (
        [],
        "the mapping declares no user-input tools",
    )


@pytest.mark.parametrize(
    ("interactions", "count"),
    [
        ((question(prompt="A?"), question(prompt="A?", place=place(5))), 0),
        ((question(prompt="A?"), question(prompt="B?", place=place(5))), 1),
        ((question(prompt="A?"), question(prompt="", place=place(5))), 0),
        ((question(prompt="A?"), question(prompt=None, place=place(5))), 0),
        ((question(prompt="A?"), question(prompt=" A?\n", place=place(5))), 0),
        ((question("a"), question("b", place=place(5))), 1),
        ((question("a"), question(None, place=place(5))), 0),
        ((question("a", tool_call_id=None), question("b", tool_call_id=None, place=place(5))), 0),
        ((question("a"), question("b", task_id="t-2", place=place(5))), 0),
        ((question("a", prompt="A?"), question("b", prompt="B?", place=place(5))), 2),
        # a proxy's prompt is the remote's, the delegation's is the agent's
        (
            (
                interaction(sighting(prompt="price of A")),
                interaction(sighting("delegation", "control", "masked", prompt="Which city?")),
            ),
            0,
        ),
        ((interaction(sighting(prompt="A"), sighting(prompt="B", place=place(5))),), 1),
    ],
)
def test_one_call_has_one_tool_and_one_prompt(interactions: tuple[Interaction, ...], count: int) -> None:
    made = found("BIND302", interactions=interactions)
    assert len(made) == count
    assert all(f.place == place(5) for f in made)


# END


@pytest.mark.parametrize(
    ("events", "interactions", "count"),
    [
        ([WORKING, ASKS], (), 1),
        ([WORKING, ASKS._replace(text="Which city?")], (), 0),
        ([WORKING._replace(text="Which city?"), ASKS], (), 0),
        ([WORKING._replace(text=" \n"), ASKS], (), 1),
        ([WORKING, event("artifact", 2, text="tokens"), ASKS], (), 1),
        ([WORKING, ASKS], (question(),), 0),
        ([event("task", 1, state="input-required", text="Which?")], (), 0),
    ],
)
def test_input_required_must_ask_something(events: list[Event], interactions: Any, count: int) -> None:
    assert len(found("END501", *events, outcome="INTERACTION", interactions=interactions)) == count


def test_end501_points_at_the_state() -> None:
    asks = ASKS._replace(state_pointer="/result/statusUpdate/status/state")
    (one,) = found("END501", WORKING, asks, outcome="INTERACTION")
    assert one.place == place(8, "/result/statusUpdate/status/state")


OUTCOMES = ("INTERACTION", "COMPLETED", "FAILED", "CANCELED", "REJECTED", "AUTH_REQUIRED", "PROTOCOL_ERROR", "TRANSPORT_ERROR", "HTTP_ERROR", "NO_TERMINAL")  # fmt: skip


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_which_outcome_is_a_breach_of_its_own(outcome: str) -> None:
    breach = {
        "NO_TERMINAL": "END502",
        "PROTOCOL_ERROR": "END504",
        "HTTP_ERROR": "END504",
        "TRANSPORT_ERROR": "END505",
    }
    codes = [
        code
        for code in ("END502", "END503", "END504", "END505")
        if found(code, outcome=outcome, ending="upstream_cut")
    ]
    assert codes == ([breach[outcome]] if outcome in breach else [])


@pytest.mark.parametrize("code", registry.FAMILIES["END"].codes)
def test_an_end_that_was_not_recorded_is_not_checked(code: str) -> None:
    assert run(code, outcome="INCONCLUSIVE", ending="client_left") == (
        [],
        "the capture does not tell how the round ended",
    )


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ("COMPLETED", None),
        ("INTERACTION", None),
        ("FAILED", None),
        ("NO_TERMINAL", "how the bytes ended is not known"),
    ],
)
def test_a_reached_end_shows_that_the_body_was_not_cut_before_it(outcome: str, reason: str | None) -> None:
    assert run("END505", outcome=outcome, ending="unknown") == ([], reason)


def test_a_refused_connection_is_no_cut() -> None:
    assert not found("END505", outcome="TRANSPORT_ERROR", ending="refused")


def test_an_empty_body_has_no_terminal_state() -> None:
    made = scope()
    made.outcome = "NO_TERMINAL"
    findings, lacking = Engine(selection(registry.rule("END502")), made).finish()
    assert [f.place for f in findings] == [NOWHERE]
    assert lacking == []


@pytest.mark.parametrize(
    ("outcome", "marks", "count"),
    [
        ("COMPLETED", (mark("failure", "boom"),), 1),
        ("COMPLETED", (mark("failure", "boom"), mark("failure", "again", 3)), 1),
        ("COMPLETED", (mark("failure", "boom", 9),), 1),
        ("COMPLETED", (mark("failure", "late", 10),), 0),
        ("COMPLETED", (mark("internal-key", "x"),), 0),
        ("FAILED", (mark("failure", "boom"),), 0),
        ("INTERACTION", (mark("failure", "boom"),), 0),
    ],
)
def test_a_failure_before_completed_is_a_false_success(outcome: str, marks: Any, count: int) -> None:
    made = found("END503", outcome=outcome, marks=marks)
    assert len(made) == count
    assert all(f.snippet == "boom" for f in made)


def test_an_error_is_told_with_code_and_text() -> None:
    error = event("error", 4, error_code=-32001, error_message="Task not found", pointer="/error")
    (one,) = found("END504", WORKING, error, outcome="PROTOCOL_ERROR")
    assert "-32001" in one.message
    assert "Task not found" in one.message
    assert (one.place, one.names) == (place(4, "/error"), ("-32001",))
    (one,) = found("END504", WORKING, outcome="HTTP_ERROR", head=Head(503))
    assert "HTTP status 503" in one.message


# RES602


@pytest.mark.parametrize(
    ("targeted", "untargeted", "count"),
    [((), 1, 0), (("c1",), 0, 0), (("c1", "c2"), 0, 0), (("c1",), 1, 1), (("c1", "c2"), 2, 1)],
)
def test_answers_name_their_call_or_none_does(targeted: tuple[str, ...], untargeted: int, count: int) -> None:
    asked = Asked(known=True, targeted=targeted, untargeted=untargeted)
    assert [f.names for f in found("RES602", asked=asked)] == [targeted] * count


def test_without_a_request_mixed_answers_are_not_checked() -> None:
    assert run("RES602", asked=Asked())[1] == "the request is not known"
