"""Which part of a report an item answers for."""

from __future__ import annotations

from typing import Any

import pytest

from harness.model.capture import Unread
from harness.model.finding import NotChecked
from harness.model.scenario import Part, Scenario, ScenarioRound
from harness.model.verdict import Group
from harness.model.waiver import Scope, Waiver
from harness.pytest_plugin import shares
from harness.pytest_plugin.shares import Left
from tests.report.values import clean_round, finding, report, round_

ERROR = frozenset({"error"})


def scenario(name: str, topology: str = "deep-research") -> Scenario:
    return Scenario(name, f"{name}.scenario.yaml", 2, topology, (ScenarioRound(1, (Part("x"),), opens=True),))


DA, EDPA = scenario("DA-09"), scenario("EDPA-03", "edpa")


def waiver(**scope: Any) -> Waiver:
    return Waiver("W-1", "LEAK101", Scope(**scope), "r", "https://x/1", "o", "2099-01-01", "w.yaml", 3)


def test_a_round_s_share_is_what_the_client_saw_in_it():
    seen, other = round_(), round_("run-1/x.log", leg="search-agent")
    second = round_("run-1/y.log", round=2)
    assert shares.of_round(report(seen, other, second), DA, 1).rounds == (seen,)


def test_a_contract_s_share_is_the_other_legs_and_what_compares_its_rounds():
    seen, other, stranger = round_(), round_("run-1/x.log", leg="search-agent"), clean_round()
    mine, theirs = Group(finding("SYM401"), (seen.source,)), Group(finding("SYM401"), (stranger.source,))
    share = shares.of_contract(report(seen, other, stranger, findings=(mine, theirs)), DA, (DA, EDPA))
    assert share.rounds == (other,)
    assert share.groups == (mine,)


def test_what_was_not_recorded_is_known_by_its_file():
    lost = Group(finding("SCN105", message="no round of DA-09 was recorded (DA-09.scenario.yaml:2)"), ())
    made = report(clean_round(), findings=(lost,))
    assert shares.of_contract(made, DA, ()).groups == (lost,)
    assert shares.of_contract(made, EDPA, ()).groups == ()


@pytest.mark.parametrize(
    ("scope", "bearer"),
    [
        ({"scenario": "EDPA-03"}, "EDPA-03"),
        ({"topology": "edpa"}, "EDPA-03"),
        ({}, "DA-09"),
        ({"scenario": "EXP-01"}, "DA-09"),
    ],
)
def test_a_waiver_that_is_wrong_is_told_once(scope, bearer):
    stale = Group(finding("WAIV102", "warning", names=("W-1", "LEAK101")), ())
    made = report(findings=(stale,), waivers=(waiver(**scope),))
    told = [one.name for one in (DA, EDPA) if shares.of_contract(made, one, (DA, EDPA)).groups]
    assert told == [bearer]


def test_waived_findings_and_mild_ones_do_not_break():
    found = (finding(waived="W-1"), finding("ART701", "warning"), finding("ORD501", "info"))
    share = shares.Share((round_(findings=found),))
    assert share.broken(ERROR) == []
    assert [one.rule for one in share.broken(ERROR | {"warning"})] == ["ART701"]
    assert [one.rule for one in share.waived(ERROR)] == ["LEAK101"]
    assert [one.rule for one in share.told(ERROR).findings()] == ["LEAK101", "ART701"]


def test_a_wrong_waiver_breaks_whatever_its_severity():
    share = shares.Share((), (Group(finding("WAIV102", "warning"), ()),))
    assert len(share.broken(ERROR)) == 1


def test_what_is_undecided():
    refused = clean_round(outcome="TRANSPORT_ERROR", ending="refused")
    torn = clean_round(unread=(Unread("x", "cut"),))
    unknown = clean_round(findings=(finding("LEAK105", "warning"),))
    open_ones = (clean_round(outcome="INCONCLUSIVE"), refused, torn, unknown)
    assert shares.Share((*open_ones, clean_round())).undecided() == list(open_ones)


def test_a_contract_rests_on_the_rounds_of_its_scenario():
    torn = round_(findings=(), unread=(Unread("x", "cut"),))
    share = shares.of_contract(report(torn, clean_round(outcome="INCONCLUSIVE")), DA, (DA, EDPA))
    assert share.rounds == ()
    assert share.undecided() == [torn]


def test_what_belongs_to_no_scenario():
    seen, extra, stranger = round_(), round_("run-1/r2.log", round=2), clean_round()
    lost, inside = Unread("notes.har", "no JSON"), Unread(seen.source, "cut")
    made = report(seen, extra, stranger, unread=(inside, lost))
    assert shares.left(made, {"DA-09": {1}}) == Left((extra, stranger), (lost,))
    assert shares.left(made, {"DA-09": {1, 2}, "EDPA-03": {1}}) == Left((), (lost,))


def test_never_checked_is_what_no_round_checked():
    both, one = NotChecked("RPC302", "rebuilt"), NotChecked("HTTP101", "no head")
    made = report(round_(not_checked=(both, one)), clean_round(not_checked=(both,)))
    assert shares.never_checked(made) == {"RPC302": [both]}
    assert shares.never_checked(report()._replace(rounds=(), not_checked=(one,))) == {"HTTP101": [one]}
