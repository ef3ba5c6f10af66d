"""`harness check --scenario`: an old run folder, judged by scenarios; what it can not show is not checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from harness.report.schema import schema

RUN = "captures/golden/sit-logs/run-20260812-101500"
"""Two scenarios as SIT wire logs, the client's leg only (openjiuwen.md section 5)."""
SCENARIO = """\
version: 1
name: {name}
topology: deep-research
rounds:
  - send: hello
    expect: {{outcome: {outcome}, calls: [search-agent], concurrent: 3}}
"""


def written(folder: Path, name: str = "DA-09", outcome: str = "COMPLETED") -> str:
    path = folder / f"{name}.scenario.yaml"
    path.write_text(SCENARIO.format(name=name, outcome=outcome), encoding="utf-8")
    return str(path)


def judged(harness: Any, *args: str) -> tuple[int, dict[str, Any]]:
    said = harness("check", RUN, "--json", *args)
    report = json.loads(said.out)
    jsonschema.validate(report, schema())
    return said.code, report


def codes(report: dict[str, Any]) -> set[str]:
    return {f["rule"] for one in (report, *report["rounds"]) for f in one["findings"]}


def test_an_outcome_that_is_as_expected(harness, tmp_path) -> None:
    _, report = judged(harness, "--scenario", written(tmp_path))
    assert "LEAK101" in codes(report)
    assert not any(code.startswith("SCN") for code in codes(report))


def test_an_outcome_that_is_not(harness, tmp_path) -> None:
    code, report = judged(harness, "--scenario", written(tmp_path, outcome="FAILED"), "--only", "SCN")
    assert (code, codes(report)) == (1, {"SCN101"})
    [one] = [f for one in report["rounds"] for f in one["findings"]]
    assert one["message"] == "the round ended COMPLETED, and FAILED was expected"


def test_legs_that_were_not_recorded_are_not_checked(harness, tmp_path) -> None:
    _, report = judged(harness, "--scenario", written(tmp_path))
    reasons = {
        n["rule"]: n["reason"]
        for one in report["rounds"]
        for n in one["not_checked"]
        if one["scenario"] == "DA-09"
    }
    assert reasons["DEL102"] == reasons["SCN104"] == "no leg to a remote agent was recorded"
    assert reasons["DEL101"] == "no call of the model was recorded (leg llm)"


def test_a_scenario_that_is_named_must_have_been_recorded(harness, tmp_path) -> None:
    code, report = judged(harness, "--scenario", written(tmp_path, "DA-77"), "--only", "SCN")
    assert (code, codes(report)) == (1, {"SCN105"})
    [one] = report["findings"]
    assert one["message"] == f"no round of DA-77 was recorded ({tmp_path}/DA-77.scenario.yaml:2)"
    assert one["rounds"] == []


def test_of_a_folder_those_are_judged_that_were_recorded(harness, tmp_path) -> None:
    written(tmp_path, "DA-77")
    written(tmp_path, "DA-09", "FAILED")
    _, report = judged(harness, "--scenario", str(tmp_path), "--only", "SCN")
    assert codes(report) == {"SCN101"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version: 1\nrounds: []\n", "$"),
        (
            SCENARIO.format(name="X", outcome="COMPLETED").replace("deep-research", "no-such"),
            "no topology is called",
        ),
    ],
)
def test_a_scenario_that_is_wrong(harness, tmp_path, text: str, told: str) -> None:
    path = tmp_path / "x.scenario.yaml"
    path.write_text(text, encoding="utf-8")
    said = harness("check", RUN, "--scenario", str(path))
    assert (said.code, told in said.err) == (2, True), said.err


def test_without_a_scenario_no_rule_speaks_of_one(harness) -> None:
    _, report = judged(harness)
    told = {n["rule"] for one in report["rounds"] for n in one["not_checked"]}
    assert not any(code.startswith("SCN") for code in told | codes(report))


def test_the_console_shows_a_finding_of_no_round(harness, tmp_path) -> None:
    said = harness("check", RUN, "--scenario", written(tmp_path, "DA-77"), "--lang", "zh")
    assert "SCN105" in said.out
    assert "场景中的一轮没有被录制" in harness("explain", "SCN105", "--lang", "zh").out
