"""What a waiver accepts, and when a waiver itself is in trouble."""

from __future__ import annotations

from typing import Any

import pytest

from harness.model.capture import Unread
from harness.model.finding import NotChecked
from harness.model.verdict import Group, Round
from harness.model.waiver import Scope, Waiver
from harness.waivers.match import Applied, Rules, apply
from tests.report.values import DA09, clean_round, finding, place, round_

TODAY = "2026-08-11"
RULES = Rules(("LEAK101", "END502", "SYM401"), ("LEAK101", "END502", "SYM401"))


def waiver(rule: str = "LEAK101", id: str = "W-1", expires: str = "2026-12-31", **scope: Any) -> Waiver:
    where = Scope(**(scope or {"topology": "deep-research"}))
    return Waiver(id, rule, where, "reason", "https://t.example/1", "me", expires, "w.yaml", 3)


def applied(
    *waivers: Waiver, rounds: tuple[Round, ...] = (round_(),), groups: tuple[Group, ...] = ()
) -> Applied:
    return apply(rounds, groups, waivers, RULES, TODAY)


def marks(made: Applied) -> list[str | None]:
    return [each.waived for one in made.rounds for each in one.findings]


@pytest.mark.parametrize(
    "scope",
    [
        {"topology": "deep-research"}, {"scenario": "DA-09"}, {"round": 1, "scenario": "DA-09"}, {"leg": "client"},
        {"kind": "delegation"}, {"shape": "core-interrupt"}, {"agent": "search-agent"},
    ],
)  # fmt: skip
def test_every_member_of_a_scope_can_fit(scope: dict[str, Any]) -> None:
    made = applied(waiver(**scope))
    assert marks(made) == ["W-1"]
    assert made.troubles == []


@pytest.mark.parametrize(
    "scope",
    [
        {"topology": "edpa"}, {"scenario": "DA-10"}, {"round": 2}, {"leg": "search-agent"}, {"kind": "user_input"},
        {"shape": "other"}, {"agent": "verify-agent"}, {"topology": "deep-research", "scenario": "DA-1"},
    ],
)  # fmt: skip
def test_every_member_of_a_scope_must_fit(scope: dict[str, Any]) -> None:
    assert marks(applied(waiver(**scope))) == [None]


def test_a_finding_outside_any_interaction_has_no_kind() -> None:
    lonely = round_(findings=(finding(place=place(99)),))
    assert marks(applied(waiver(kind="delegation"), rounds=(lonely,))) == [None]
    assert marks(applied(waiver(), rounds=(lonely,))) == ["W-1"]


def test_another_rule_stands() -> None:
    both = round_(findings=(finding(), finding("LEAK102")))
    assert marks(applied(waiver(), rounds=(both,))) == ["W-1", None]


@pytest.mark.parametrize(("expires", "mark"), [(TODAY, "W-1"), ("2026-08-10", None), ("2027-01-01", "W-1")])
def test_the_last_day_counts(expires: str, mark: str | None) -> None:
    assert marks(applied(waiver(expires=expires))) == [mark]


def test_an_expired_waiver_is_told_with_what_it_held() -> None:
    [trouble] = applied(waiver(expires="2026-08-10")).troubles
    assert (trouble.code, trouble.findings, trouble.rounds) == ("WAIV101", 1, (DA09,))


def test_a_live_waiver_helps_where_an_expired_one_is_over() -> None:
    made = applied(waiver(expires="2026-08-10"), waiver(id="W-2"))
    assert marks(made) == ["W-2"]
    assert [trouble.waiver.id for trouble in made.troubles] == ["W-1"]


def test_what_accepts_nothing_any_more_is_stale() -> None:
    clean = round_(findings=(), not_checked=())
    [trouble] = applied(waiver(), rounds=(clean,)).troubles
    assert trouble.code == "WAIV102"


@pytest.mark.parametrize(
    "rounds",
    [
        (clean_round(),),
        (),
        (round_(findings=(), not_checked=(NotChecked("LEAK101", "no A2A event"),)),),
        (round_(findings=(), not_checked=(), outcome="INCONCLUSIVE"),),
        (round_(findings=(), not_checked=(), unread=(Unread("x", "y", None),)),),
        (
            round_(findings=(), not_checked=()),
            round_(findings=(), not_checked=(NotChecked("LEAK101", "no"),)),
        ),
    ],
    ids=["another topology", "no round", "not checked", "undecided", "not read", "one of two"],
)
def test_what_was_not_looked_at_is_not_stale(rounds: tuple[Round, ...]) -> None:
    """A run of one scenario must not call the waivers of all others stale."""
    assert applied(waiver(), rounds=rounds).troubles == []


def test_a_rule_that_was_not_chosen_says_nothing() -> None:
    rules = Rules(("LEAK101",), ())
    assert apply([round_(findings=())], [], [waiver()], rules, TODAY).troubles == []


def test_an_unknown_rule() -> None:
    [trouble] = applied(waiver("LEAK999")).troubles
    assert trouble.code == "WAIV103"


def test_a_finding_of_several_rounds_is_in_the_scope_of_each() -> None:
    both = (round_(), clean_round())
    group = Group(finding("SYM401", place=place(None, None, None)), tuple(one.source for one in both))
    for topology in ("deep-research", "edpa"):
        made = applied(waiver("SYM401", topology=topology), rounds=both, groups=(group,))
        assert [one.finding.waived for one in made.groups] == ["W-1"]
    made = applied(waiver("SYM401", topology="expense-review"), rounds=both, groups=(group,))
    assert [one.finding.waived for one in made.groups] == [None]
