"""Findings in one order with their rounds, and one place where they are counted."""

from __future__ import annotations

from harness.report.entries import Tally, entries, look, tally, title, undecided
from tests.report.values import DA09, clean_round, finding, full_report, group, place, report, round_


def test_the_worst_first_then_what_is_known_then_what_is_waived() -> None:
    found = (
        finding("A101", "info"),
        finding("B101", waived="W-1"),
        finding("C101", known=True),
        finding("D101"),
    )
    one = report(round_(findings=found), round_("b", findings=(finding("E101", "warning"),)))
    assert [entry.finding.rule for entry in entries(one)] == ["D101", "E101", "A101", "C101", "B101"]


def test_a_finding_of_several_rounds_has_a_home() -> None:
    [*_, last] = entries(report(round_(), clean_round(), findings=(group(),)))
    assert (last.round, last.source, last.scenario, len(last.compares)) == (None, DA09, "DA-09", 2)


def test_the_home_is_the_round_that_saw_something_there() -> None:
    seen = clean_round()
    found = group()._replace(finding=finding("SYM401", place=seen.interactions[0].sightings[0].place))
    moved = round_(interactions=())
    entry = next(e for e in entries(report(moved, seen, findings=(found,))) if e.finding.rule == "SYM401")
    assert entry.source == seen.source


def test_a_finding_about_a_waiver_has_none() -> None:
    found = group()._replace(finding=finding("WAIV103", place=place(None, None, None)), rounds=())
    entry = next(e for e in entries(report(findings=(found,))) if e.finding.rule == "WAIV103")
    assert (entry.source, entry.scenario) == ("", None)
    assert look(entry) == ["harness explain WAIV103"]


def test_counts() -> None:
    assert tally(full_report()) == Tally(2, 1, 0, 1, 0, 1, 2)
    known = report(round_(findings=(finding(known=True), finding("A101", "info", known=True))))
    assert tally(known).known == 1


def test_what_is_undecided() -> None:
    assert undecided(round_(outcome="INCONCLUSIVE"))
    assert undecided(round_(outcome="TRANSPORT_ERROR", ending="refused"))
    assert not undecided(round_(outcome="TRANSPORT_ERROR", ending="upstream_cut"))


def test_titles() -> None:
    assert (title(round_()), title(round_(round=3, leg="search-agent"))) == (
        "DA-09 r1",
        "DA-09 r3 [search-agent]",
    )
