"""Drafts: one entry for each rule and place, refused until somebody has decided, whatever the text."""

from __future__ import annotations

import re

import pytest

from harness import waivers
from harness.errors import ScenarioError
from harness.waivers.draft import drafts, text
from tests.report.hostile import TEXTS, hostile
from tests.report.values import clean_round, finding, group, report, round_

ERRORS = frozenset({"error"})


def decided(drafted: str) -> str:
    """What a person would make of it."""
    drafted = re.sub(r"issue: TODO.*", "issue: https://t.example/1", drafted)
    return re.sub(r"TODO.*", "decided", drafted)


def test_one_for_each_rule_and_scope() -> None:
    red = report(
        round_(findings=(finding(), finding(), finding("LEAK102"), finding("ART701", "warning"))),
        round_("b", scenario="DA-10", leg="search-agent"),
        clean_round(),
        findings=(group(),),
    )
    made = drafts(red, ERRORS)
    assert [(one.rule, dict(one.scope), one.findings) for one in made] == [
        ("LEAK101", {"topology": "deep-research", "scenario": "DA-09"}, 2),
        ("LEAK102", {"topology": "deep-research", "scenario": "DA-09"}, 1),
        ("LEAK101", {"topology": "deep-research", "scenario": "DA-10", "leg": "search-agent"}, 1),
        ("SYM401", {"topology": "deep-research", "scenario": "DA-09"}, 1),
    ]
    assert len(drafts(red, frozenset({"error", "warning"}))) == 5


@pytest.mark.parametrize(
    "one", [finding(waived="W-1"), finding(known=True), finding("WAIV103"), finding("A101", "info")]
)
def test_what_does_not_break_is_not_drafted(one) -> None:
    assert drafts(report(round_(findings=(one,))), ERRORS) == []


def test_a_draft_is_refused_until_it_is_decided() -> None:
    drafted = text(drafts(report(), ERRORS), "2026-11-09")
    with pytest.raises(ScenarioError, match="still a draft"):
        waivers.parse(drafted, "w.yaml")
    [one] = waivers.parse(decided(drafted), "w.yaml")
    assert (one.id, one.rule, one.expires) == ("leak101-deep-research-da-09", "LEAK101", "2026-11-09")


@pytest.mark.parametrize("name", sorted(set(TEXTS) - {"long", "long words"}))
def test_hostile_names_are_read_as_they_are(name: str) -> None:
    drafted = text(drafts(hostile(TEXTS[name]), ERRORS), "2026-11-09")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", drafted)
    if name == "surrogate":
        assert "\\ud800" in drafted
        return
    read = waivers.parse(decided(drafted), "w.yaml")
    assert {one.scope.scenario for one in read} == {TEXTS[name]}


@pytest.mark.parametrize("name", ["yes", "null", "1", "2026-08-11", "a: b", "#x", "- y"])
def test_names_that_yaml_would_read_as_something_else(name: str) -> None:
    drafted = text(drafts(report(round_(scenario=name)), ERRORS), "2026-11-09")
    assert waivers.parse(decided(drafted), "w.yaml")[0].scope.scenario == name
