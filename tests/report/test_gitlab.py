"""GitLab's code quality report has the members that GitLab reads, and fingerprints that it can tell apart."""

from __future__ import annotations

import json

from harness.report.entries import Edition
from harness.report.gitlab import text
from harness.report.words import EN
from tests.report.values import DA09, clean_round, finding, full_report, report, round_

EDITION = Edition(EN)


def listed(one) -> list[dict]:
    return json.loads(text(one, EDITION))


def test_members() -> None:
    for one in listed(full_report()):
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert set(one["location"]) == {"path", "lines"}
        assert one["location"]["lines"]["begin"] >= 1
        assert one["severity"] in ("info", "minor", "major", "critical", "blocker")


def test_a_finding() -> None:
    [one] = listed(report())
    assert one["description"].startswith("DA-09 r1: delegation-on-content: delegation to search-agent")
    assert (one["check_name"], one["severity"], one["location"]["path"]) == ("LEAK101", "major", DA09)


def test_severities_and_marks() -> None:
    found = (
        finding(),
        finding("A101", "warning"),
        finding("B101", "info"),
        finding(known=True),
        finding(waived="W-1"),
    )
    marks = [
        (one["severity"], one["description"].split(": ")[0]) for one in listed(report(round_(findings=found)))
    ]
    assert marks == [
        ("major", "DA-09 r1"), ("minor", "DA-09 r1"), ("info", "DA-09 r1"), ("major", "known"), ("info", "waived as W-1"),
    ]  # fmt: skip


def test_fingerprints_are_all_different() -> None:
    found = listed(report(round_(findings=(finding(), finding())), clean_round(outcome="INCONCLUSIVE")))
    assert len({one["fingerprint"] for one in found}) == len(found) == 3


def test_scenarios_are_anchors() -> None:
    edition = EDITION._replace(anchors={"DA-09": ("scenarios/da.yaml", 7)})
    [one] = json.loads(text(report(), edition))
    assert one["location"] == {"path": "scenarios/da.yaml", "lines": {"begin": 7}}


def test_what_is_not_decided_or_read_is_listed() -> None:
    names = [
        one["check_name"]
        for one in listed(report(clean_round(outcome="INCONCLUSIVE"), unread=full_report().unread))
    ]
    assert names == ["undecided", "unread", "unread"]
