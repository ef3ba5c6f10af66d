"""JUnit XML: what is red, what is an error, and that nothing that is not green looks green."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from junitparser.junitparser import JUnitXml

from harness.model.capture import Unread
from harness.model.finding import NotChecked
from harness.model.verdict import Report
from harness.report.entries import Edition
from harness.report.junit import text
from harness.report.words import EN
from tests.report.values import clean_round, finding, full_report, group, report, round_

EDITION = Edition(EN)
LOST = Unread("x", "no JSON", None)


def cases(one: Report, edition: Edition = EDITION) -> dict[str, ET.Element]:
    root = ET.fromstring(text(one, edition).encode())
    return {f"{case.get('classname')}/{case.get('name')}": case for case in root.iter("testcase")}


def state(case: ET.Element) -> str:
    return "+".join(child.tag for child in case if child.tag in ("failure", "error", "skipped")) or "passed"


def states(one: Report, edition: Edition = EDITION) -> dict[str, str]:
    return {name: state(case) for name, case in cases(one, edition).items()}


def test_a_suite_a_topology_and_a_case_a_round() -> None:
    assert states(report(round_(), clean_round())) == {
        "deep-research/DA-09 r1": "failure",
        "edpa/EDPA-03 r1": "passed",
        "contract/contract[masked]": "passed",
    }


def test_a_reader_of_junit_reads_it() -> None:
    read = JUnitXml.fromstring(text(full_report(), EDITION))
    assert (read.tests, read.failures, read.errors) == (3, 2, 0)
    assert {suite.name for suite in read} == {"deep-research", "edpa", "contract"}


def test_names_are_stable_and_told_apart() -> None:
    twice = report(
        round_(), round_("run-2/DA-09-A2A_STREAM-r1.log"), round_("x", topology=None, leg="search-agent")
    )
    assert list(states(twice)) == [
        "deep-research/DA-09 r1",
        "deep-research/DA-09 r1 (2)",
        "DA-09/DA-09 r1 [search-agent]",
        "contract/contract[masked]",
    ]


def test_a_failure_reads_like_a_finding() -> None:
    failure = cases(report())["deep-research/DA-09 r1"].find("failure")
    assert failure is not None
    assert failure.get("message") == "1: LEAK101 delegation-on-content"
    assert failure.get("type") == "LEAK101"
    for part in (
        "event 4",
        "/result/artifactUpdate/",
        "bytes 1200-2400",
        "why: A client must not",
        "frame 4",
    ):
        assert part in (failure.text or "")


@pytest.mark.parametrize(
    ("one", "wanted"),
    [
        (clean_round(outcome="INCONCLUSIVE"), "error"),
        (clean_round(outcome="TRANSPORT_ERROR", ending="refused"), "error"),
        (clean_round(unread=(LOST,)), "error"),
        (round_(unread=(LOST,)), "failure"),
        (round_(findings=(finding("ART701", "warning"),)), "passed"),
        (round_(findings=(finding(waived="W-1"),)), "passed"),
        (round_(findings=(finding(known=True),)), "passed"),
    ],
    ids=["inconclusive", "refused", "unread", "red and unread", "warning", "waived", "known"],
)
def test_states(one, wanted: str) -> None:
    [first, _] = states(report(one, exit=0)).values()
    assert first == wanted


def test_warnings_are_failures_where_they_break() -> None:
    edition = EDITION._replace(breaking=frozenset({"error", "warning"}))
    [first, _] = states(report(round_(findings=(finding("ART701", "warning"),))), edition).values()
    assert first == "failure"


def test_what_does_not_break_is_told() -> None:
    found = (finding(waived="W-1"), finding("LEAK102", known=True), finding("ART701", "warning"))
    case = cases(report(round_(findings=found), exit=0))["deep-research/DA-09 r1"]
    out = (case.findtext("system-out") or "").split("\n")
    assert [line.partition(": ")[0] for line in out] == ["warning", "known", "waived as W-1"]
    properties = {p.get("name"): p.get("value") for p in case.iter("property")}
    assert properties["waived"] == "1"
    assert properties["contract"] == "masked"


def test_the_contracts_case_has_exit_and_counts() -> None:
    case = cases(full_report())["contract/contract[masked]"]
    properties = {p.get("name"): p.get("value") for p in case.iter("property")}
    assert {
        "exit": "1",
        "errors": "2",
        "warnings": "1",
        "waived": "1",
        "rounds": "2",
    }.items() <= properties.items()


@pytest.mark.parametrize(
    ("one", "wanted"),
    [
        (report(clean_round(), findings=(group(),)), "failure"),
        (report(clean_round(), exit=3, unread=(LOST,)), "error"),
        (report(exit=3)._replace(rounds=()), "error"),
        (report(clean_round(not_checked=(NotChecked("LEAK101", "no"),)), exit=3), "error"),
        (report(clean_round(), exit=1), "failure"),
        (report(round_(), exit=1), "passed"),
        (report(clean_round(), exit=0), "passed"),
    ],
    ids=[
        "across rounds",
        "unread",
        "nothing judged",
        "strict, not checked",
        "red for no round",
        "a red round",
        "green",
    ],
)
def test_the_contracts_case(one: Report, wanted: str) -> None:
    """A report whose exit code is not 0 is never all green."""
    found = states(one)
    assert found["contract/contract[masked]"] == wanted
    assert (one.exit == 0) == (set(found.values()) == {"passed"})


def test_no_time_stands_in_it() -> None:
    said = text(full_report(), EDITION)
    assert "timestamp" not in said
    assert "hostname" not in said
    assert said == text(full_report(), EDITION)
