"""The engine: which rules run on a round, what each is shown, and what could not be checked."""

from __future__ import annotations

from typing import Any

import pytest

from harness.a2a.request import Asked
from harness.errors import UsageError
from harness.model.capture import Head
from harness.model.event import Event
from harness.model.finding import NotChecked
from harness.rules import contracts, registry
from harness.rules.engine import Engine, Selection, select
from harness.rules.rule import Rule
from harness.rules.rule import place as place_of
from harness.rules.scope import Scope
from tests.rules.values import event, rule, scope, selection


def _report(self: Rule, one: Event) -> None:
    self.found(f"saw {one.kind}", place_of(one), cause=one.kind)


def _report_end(self: Rule) -> None:
    self.found("ended", place_of(event()))


def run(
    chosen: Selection, *events: Event, over: Scope | None = None, **more: Any
) -> tuple[list[str], list[NotChecked]]:
    """Findings' messages and what was not checked, of a round of `events`."""
    made = over or scope(**more)
    engine = Engine(chosen, made)
    for one in events:
        made.dialect = made.dialect or one.dialect
        made.binding = made.binding or one.binding
        engine.event(one)
        made.stream.take(one)
    findings, lacking = engine.finish()
    return [finding.message for finding in findings], lacking


def test_a_rule_sees_the_kinds_that_it_listens_to() -> None:
    events = [event("status", 1), event("artifact", 2), event("error", 3)]
    assert run(selection(rule(listens=("status", "error"), event=_report)), *events) == (
        ["saw status", "saw error"],
        [],
    )
    assert run(selection(rule(listens=("*",), event=_report)), *events)[0] == [
        "saw status",
        "saw artifact",
        "saw error",
    ]


def test_rules_for_all_kinds_and_for_one_are_called_in_their_order() -> None:
    seen: list[str] = []

    def noting(name: str) -> Any:
        return lambda self, one: seen.append(name)

    chosen = selection(
        rule("ORD501", listens=("*",), event=noting("all")),
        rule("ORD502", listens=("status",), event=noting("status")),
        rule("ORD503", listens=("*", "status"), event=noting("both")),
    )
    run(chosen, event("status", 1))
    assert seen == ["all", "status", "both"]


def test_rules_see_the_stream_as_it_was_before_the_event() -> None:
    counts: list[int] = []
    watching = rule(listens=("*",), event=lambda self, one: counts.append(self.scope.stream.recognised))
    run(selection(watching), event(), event())
    assert counts == [0, 1]


def test_wants_tells_which_kinds_anybody_listens_to() -> None:
    chosen = selection(
        rule(listens=("status",)), rule("SHP402", versions=frozenset({"v0.3"}), listens=("artifact",))
    )
    unknown, known = scope(), scope(event())
    assert Engine(chosen, unknown).wants("artifact")
    assert Engine(chosen, known).wants("status")
    assert not Engine(chosen, known).wants("artifact")


@pytest.mark.parametrize(
    ("dialect", "binding", "seen"),
    [
        ("v1.0", "jsonrpc", True),
        ("v1.0", "rest", False),
        ("v1.0", None, False),
        ("v0.3", "jsonrpc", False),
        ("openjiuwen-core", None, False),
    ],
)
def test_a_rule_of_another_version_or_binding_is_neither_run_nor_told(
    dialect: Any, binding: Any, seen: bool
) -> None:
    made = rule(
        versions=frozenset({"v1.0"}),
        bindings=frozenset({"jsonrpc"}),
        listens=("*",),
        event=_report,
        needs=frozenset({"timing"}),
    )
    untimed = rule(
        versions=frozenset({"v1.0"}), bindings=frozenset({"jsonrpc"}), listens=("*",), event=_report
    )
    shown = event(dialect=dialect, binding=binding)
    assert run(selection(untimed), shown) == (["saw status"] if seen else [], [])
    assert [entry.rule for entry in run(selection(made), shown)[1]] == (["ORD501"] if seen else [])


def test_what_a_rule_said_before_its_version_was_ruled_out_is_dropped() -> None:
    made = rule(versions=frozenset({"v1.0"}), listens=("*",), event=_report)
    foreign = event("foreign", dialect=None, binding=None)
    assert run(selection(made), foreign, event(dialect="v0.3", number=2)) == ([], [])
    assert run(selection(made), foreign, event(number=2))[0] == ["saw foreign", "saw status"]


def test_a_rule_of_some_version_is_not_checked_where_none_is_known() -> None:
    made = rule(versions=frozenset({"v1.0"}), listens=("*",), event=_report)
    both = rule("HTTP101", listens=("*",), event=_report)
    messages, lacking = run(selection(made, both), event("foreign", dialect=None, binding=None))
    assert messages == ["saw foreign"]
    assert lacking == [NotChecked("ORD501", "the version of the protocol is not known")]


@pytest.mark.parametrize(
    ("need", "absent", "present", "reason"),
    [
        ("raw", {"rebuilt": True}, {}, "printed again"),
        ("sse", {"framing": "jsonl"}, {}, "no SSE body"),
        ("sse", {"rebuilt": True}, {}, "printed again"),
        ("http", {"head": None}, {}, "status and headers"),
        ("http", {"head": Head(None)}, {}, "status and headers"),
        ("request", {"asked": Asked()}, {}, "request is not known"),
        ("ending", {"ending": "unknown"}, {"ending": "upstream_cut"}, "how the bytes ended"),
        ("timing", {}, {"timed": True}, "times of the chunks"),
    ],
)
def test_needs_that_a_capture_lacks_are_told(need: str, absent: Any, present: Any, reason: str) -> None:
    made = rule(needs=frozenset({need}), listens=("*",), event=_report, end=_report_end)
    messages, lacking = run(selection(made), event(), **absent)
    assert messages == []
    assert [entry.rule for entry in lacking] == ["ORD501"]
    assert reason in lacking[0].reason
    assert run(selection(made), event(), **present) == (["ended", "saw status"], [])


def test_a_single_round_never_has_others() -> None:
    _, lacking = run(selection(rule("MUL801", needs=frozenset({"rounds"}))), event(), timed=True)
    assert lacking == [NotChecked("MUL801", "a single stream does not show it")]


def test_without_any_event_the_findings_of_rules_that_need_one_are_dropped() -> None:
    made = rule(needs=frozenset({"events"}), listens=("*",), event=_report, end=_report_end)
    assert run(selection(made), event("foreign")) == (
        [],
        [NotChecked("ORD501", "no A2A event was recognised")],
    )
    assert run(selection(made), event("foreign"), event()) == (["ended", "saw foreign", "saw status"], [])


def test_a_rule_that_misses_a_fact_is_told_and_its_findings_dropped() -> None:
    made = rule(listens=("*",), event=_report, end=_report_end, missing=lambda self: "no id")
    assert run(selection(made), event()) == ([], [NotChecked("ORD501", "no id")])


def test_contract_families_are_judged_on_the_clients_leg_only() -> None:
    chosen = selection(rule("END501", end=_report_end), rule("ORD501", end=_report_end))
    assert len(run(chosen, event())[0]) == 2
    assert len(run(chosen, event(), leg="search-agent")[0]) == 1
    assert run(chosen, event(), leg="llm") == ([], [])


@pytest.mark.parametrize(
    ("outcome", "expected", "left"),
    [
        ("NO_TERMINAL", "NO_TERMINAL", {"END504", "END505", "HTTP103"}),
        ("PROTOCOL_ERROR", "PROTOCOL_ERROR", {"END502", "END505"}),
        ("HTTP_ERROR", "HTTP_ERROR", {"END502", "END505"}),
        ("TRANSPORT_ERROR", "TRANSPORT_ERROR", {"END502", "END504"}),
        ("NO_TERMINAL", "TRANSPORT_ERROR", {"END502", "END504", "END505"}),
        ("NO_TERMINAL", None, {"END502", "END504", "END505"}),
        ("COMPLETED", "COMPLETED", {"END502", "END504", "END505"}),
    ],
)
def test_an_expected_outcome_is_no_breach(outcome: str, expected: str | None, left: set[str]) -> None:
    """The protocol's code for the same breach goes with it; else ORD506 would stand for END502."""
    codes = ("END502", "END504", "END505", "ORD506", "HTTP103")
    made = scope(event())
    made.outcome = outcome
    engine = Engine(selection(*[rule(code, end=_report_end) for code in codes]), made, expected=expected)
    found = {finding.rule for finding in engine.finish()[0]}
    assert found - {"ORD506", "HTTP103"} == left - {"ORD506", "HTTP103"}


def test_selecting_by_contract_family_and_code() -> None:
    masked = contracts.load("masked")
    chosen = select(masked, ["leak", "MASK", "bind301"])
    assert [one.code for one in chosen.single] == [
        "LEAK101",
        "LEAK102",
        "LEAK103",
        "LEAK104",
        "LEAK105",
        "MASK201",
        "BIND301",
    ]
    assert [one.code for one in chosen.across] == ["MASK202"]
    assert [one.code for one in select(masked, ["END"], ["END502"]).single] == [
        "END501",
        "END503",
        "END504",
        "END505",
    ]
    assert select(contracts.load("a2a"), ["LEAK"]).single == ()
    assert [one.code for one in select(contracts.load("unified"), ["SYM"]).across] == ["SYM401", "SYM402"]
    with pytest.raises(UsageError, match="no rule and no family"):
        select(masked, ["LEEK"])


def test_not_checked_stands_in_the_registrys_order() -> None:
    chosen = selection(
        rule("NEG906", needs=frozenset({"timing"})), rule("END505", needs=frozenset({"ending"}))
    )
    _, lacking = run(chosen, event(), ending="unknown")
    assert [entry.rule for entry in lacking] == ["END505", "NEG906"]
    assert registry.CODES.index("END505") < registry.CODES.index("NEG906")
