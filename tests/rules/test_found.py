"""One rule, one cause, one round: one finding; and what a finding weighs."""

from __future__ import annotations

from typing import Any

import pytest

from harness.rules import found
from harness.rules.found import Found, own, settle, weigh
from tests.rules.values import contract, place, rule

ORD = rule("ORD501", severity="warning")
BY_VERSION = rule("SHP409", severity={"v1.0": "error", "v0.3": "warning", "v0.2": "info"})


def collected(words: dict[str, Any] | None = None, tags: Any = None) -> Found:
    return Found(contract(tags, **(words or {"ORD": "table", "SHP": "table"})))


def test_one_habit_in_many_frames_is_one_finding_with_three_places() -> None:
    made = collected()
    for number in range(1, 100_001):
        made(ORD, "first" if number == 1 else "later", place(number), names=(f"n{number % 3}",))
    (one,) = made.findings("v1.0")
    assert one.times == 100_000
    assert (one.message, one.place, one.also) == ("first", place(1), (place(2), place(3)))
    assert one.names == ("n1", "n2", "n0")


def test_each_cause_is_a_finding_of_its_own_in_the_order_of_places() -> None:
    made = collected()
    for number, cause in ((9, "b"), (2, "a"), (3, "a")):
        made(ORD, cause, place(number), cause)
    assert [(f.message, f.times, f.place.event) for f in made.findings("v1.0")] == [("a", 2, 2), ("b", 1, 9)]


def test_more_causes_than_are_kept_are_counted_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found, "MAX_CAUSES", 3)
    made = collected()
    for number in range(10):
        made(ORD, f"cause {number}", place(number), number)
    made(ORD, "again", place(50), 0)
    assert [f.times for f in made.findings("v1.0")] == [2, 1, 1, 7]


def test_a_milder_circumstance_is_not_mixed_with_the_rule_itself() -> None:
    made = collected()
    made(ORD, "mild", place(1), None, "info")
    made(ORD, "own", place(2))
    made(ORD, "own", place(3))
    assert [(f.severity, f.times) for f in made.findings("v1.0")] == [("info", 1), ("warning", 2)]


def test_circumstances_of_equal_weight_are_one_finding() -> None:
    made = collected({"ORD": "info"})
    made(ORD, "m", place(1), None, "info")
    made(ORD, "m", place(2), None, None)
    made(ORD, "m", place(3), None, None, (), "agent-event")
    (one,) = made.findings("v1.0")
    assert (one.times, one.also) == (3, (place(2), place(3)))


def test_snippets_are_cut_and_codes_left_out_on_demand() -> None:
    made = collected()
    made(ORD, "m", place(1), snippet="x" * 500)
    assert len(made.findings("v1.0")[0].snippet) == 200
    assert made.findings("v1.0", {"ORD501"}) == []


@pytest.mark.parametrize(
    ("words", "tags", "milder", "tag", "weight"),
    [
        ({"ORD": "table"}, {}, None, None, "warning"),
        ({"ORD": "error"}, {}, None, None, "error"),
        ({"ORD": "error", "ORD501": "info"}, {}, None, None, "info"),
        ({"ORD": "off"}, {}, None, None, None),
        ({}, {}, None, None, None),
        ({"ORD": "table"}, {}, "info", None, "info"),
        ({"ORD": "error"}, {}, "warning", None, "warning"),
        ({"ORD": "info"}, {}, "warning", None, "info"),
        ({"ORD": "table"}, {"ORD501": {"agent-event": "info"}}, None, "agent-event", "info"),
        ({"ORD": "table"}, {"ORD501": {"agent-event": "info"}}, None, None, "warning"),
        ({"ORD": "table"}, {"ORD501": {"agent-event": "off"}}, None, "agent-event", None),
        ({"ORD": "info"}, {"ORD501": {"agent-event": "error"}}, None, "agent-event", "info"),
    ],
)
def test_the_contract_weighs_and_the_milder_word_wins(
    words: Any, tags: Any, milder: str | None, tag: str | None, weight: str | None
) -> None:
    assert weigh(contract(tags, **words), ORD, "v1.0", milder, tag) == weight


@pytest.mark.parametrize(
    ("dialect", "severity"),
    [("v1.0", "error"), ("v0.2", "info"), ("v0.3", "info"), (None, "info"), ("openjiuwen-core", "info")],
)
def test_by_version_what_may_be_two_versions_gets_the_milder_word(dialect: Any, severity: str) -> None:
    assert own(BY_VERSION, dialect) == severity


def test_v03_alone_states_its_own() -> None:
    assert own(rule(severity={"v1.0": "error", "v0.3": "warning"}), "v0.3") == "warning"


@pytest.mark.parametrize(
    ("contract_rule", "protocol_rule"), [("END502", "ORD506"), ("RES601", "IDS603"), ("END505", "HTTP103")]
)
def test_one_breach_under_two_codes_is_reported_as_the_contracts(
    contract_rule: str, protocol_rule: str
) -> None:
    made = collected({contract_rule: "error", protocol_rule: "error", "ORD501": "error"})
    made(rule(protocol_rule), "protocol", place(1))
    made(rule(contract_rule), "contract", place(2), names=("x",))
    made(ORD, "else", place(3))
    assert [(f.rule, f.names) for f in made.findings("v1.0")] == [
        (contract_rule, ("x", protocol_rule)),
        ("ORD501", ()),
    ]


def test_the_protocol_rule_stands_where_the_contract_rule_is_off() -> None:
    made = collected({"END502": "off", "ORD506": "error"})
    made(rule("ORD506"), "protocol", place(1))
    made(rule("END502"), "contract", place(1))
    assert [f.rule for f in made.findings("v1.0")] == ["ORD506"]


def test_settling_twice_changes_nothing() -> None:
    made = collected({"END502": "error", "ORD506": "error"})
    made(rule("ORD506"), "protocol", place(1))
    made(rule("END502"), "contract", place(1))
    once = made.findings("v1.0")
    assert settle(once) == once
