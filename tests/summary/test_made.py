"""A report as the row of a run; the same from memory and from a file."""

from __future__ import annotations

import json

import pytest

from harness.errors import UsageError
from harness.report import json as report_json
from harness.report.entries import entries
from harness.report.fingerprint import fingerprints
from harness.summary.made import of_json, of_report, read_report
from harness.summary.measure import Measure
from harness.summary.runs import RunFacts
from tests.report.values import DA09, clean_round, finding, full_report, group, report, round_

RUN = RunFacts("run-1", "2026-08-11T09:30:00Z", None, "testbed", "as-reported")


def test_from_memory_and_from_a_file(tmp_path) -> None:
    made = of_report(full_report(), RUN, ["LEAK101", "ART701"])
    (tmp_path / "r.json").write_text(report_json.text(full_report()), encoding="utf-8")
    assert of_json(read_report(str(tmp_path / "r.json")), RUN, ["ART701", "LEAK101"], {}) == made
    assert (made.run, made.started, made.sut, made.defects) == (
        "run-1", "2026-08-11T09:30:00Z", "testbed", "as-reported",
    )  # fmt: skip
    assert (made.contract, made.version, made.exit, made.rules) == (
        "masked",
        "0.1.0",
        1,
        ("ART701", "LEAK101"),
    )


def test_fingerprints_are_those_of_sarif() -> None:
    findings = (
        finding(),
        finding(),
        finding(waived="W"),
        finding("ART701", "warning", message="gap of 7 ms"),
    )
    many = report(round_(findings=findings), clean_round(), findings=(group(),))
    assert [one.fingerprint for one in of_report(many, RUN, []).findings] == list(fingerprints(entries(many)))


def test_a_round() -> None:
    unread = full_report()
    first, second = of_report(unread, RUN, [], {DA09: Measure(4096, 1.5)}).rounds
    assert (first.topology, first.scenario, first.round, first.leg, first.outcome) == (
        "deep-research", "DA-09", 1, "client", "COMPLETED",
    )  # fmt: skip
    assert (first.events, first.bytes, first.seconds, first.unread) == (7, 4096, 1.5, 1)
    assert (first.native, first.masked, first.leaked, first.declared) == (0, 0, 1, 0)
    assert first.not_checked == ("RPC302",)
    assert (second.topology, second.bytes, second.seconds, second.masked) == ("edpa", None, None, 1)


def test_a_capture_of_two_rounds_is_measured_once() -> None:
    both = report(round_(), round_(round=2))
    assert [one.bytes for one in of_report(both, RUN, [], {DA09: Measure(4096)}).rounds] == [4096, None]


def test_findings_of_a_round_and_across_rounds() -> None:
    one, across = of_report(report(round_(), clean_round(), findings=(group(),)), RUN, []).findings
    assert (one.rule, one.topology, one.scenario, one.round, one.leg) == (
        "LEAK101", "deep-research", "DA-09", 1, "client",
    )  # fmt: skip
    assert one.spots == ("DA-09 r1 client",)
    assert (across.rule, across.topology, across.round, across.leg) == ("SYM401", "deep-research", None, None)
    assert across.spots == ("DA-09 r1 client", "EDPA-03 r1 client")


def test_waived_findings_stay_and_say_by_whom() -> None:
    made = of_report(report(round_(findings=(finding(waived="W-1"),))), RUN, [])
    assert [(one.waived, one.severity) for one in made.findings] == [("W-1", "error")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "can not be read as JSON"),
        ("[]", "is no report of `harness check`; write it with `harness check ... -o report.json`"),
        ('{"report": 2}', "$.report: is a report of format 2, and 1 is understood"),
        ("[" * 100_000, "can not be read as JSON"),
    ],
)
def test_what_is_no_report(tmp_path, text: str, said: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(UsageError) as caught:
        read_report(str(tmp_path / "r.json"))
    assert said in str(caught.value)


def test_values_are_kept_as_they_are_written() -> None:
    value = json.loads(report_json.text(report()))
    assert of_json(value, RUN, [], {}).findings[0].times == value["rounds"][0]["findings"][0]["count"]
