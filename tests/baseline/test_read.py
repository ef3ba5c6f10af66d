"""Baselines are JSON reports of the same contract and format; what else they may be is told with the mend."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.baseline.compare import compare
from harness.baseline.identity import of_group, of_round
from harness.baseline.read import load
from harness.errors import UsageError
from harness.report.json import text
from tests.report.hostile import TEXTS, hostile
from tests.report.values import finding, full_report, report, round_


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "old.json"


def test_identities_survive_the_file(file: Path) -> None:
    one = full_report()
    file.write_text(text(one), encoding="utf-8")
    rounds = {each.source: each for each in one.rounds}
    wanted = [it for each in one.rounds for f, it in of_round(each) if not f.waived]
    wanted += [of_group(each, rounds) for each in one.findings]
    assert [each.identity for each in load(str(file), "masked").findings] == wanted


def test_only_standing_errors_and_warnings_count(file: Path) -> None:
    found = (finding(), finding(waived="W-1"), finding("ART701", "info"), finding("WAIV101", "warning"))
    file.write_text(text(report(round_(findings=found))), encoding="utf-8")
    assert [each.gone.rule for each in load(str(file), "masked").findings] == ["LEAK101"]


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_hostile_texts(file: Path, name: str) -> None:
    """A run is all known to the baseline that was written of it."""
    one = hostile(TEXTS[name])
    file.write_text(text(one), encoding="utf-8")
    old = load(str(file), "masked")
    assert old.findings
    rounds, groups, baseline = compare(
        one.rounds, one.findings, old, {each.gone.rule for each in old.findings}
    )
    standing = [each for each in rounds[0].findings if each.waived is None and each.severity != "info"]
    assert all(each.known for each in (*standing, *(group.finding for group in groups)))
    assert (baseline.new, baseline.fixed) == (0, ())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"report": 2}, "$.report: is a report of format 2, and 1 is understood; write it with"),
        (
            {"contract": "a2a"},
            "$.contract: was judged by the contract 'a2a', this run by 'masked'; choose that",
        ),
        ({"rounds": None}, "is no whole report"),
        ({"rounds": [{}]}, "is no whole report"),
        ({"findings": [{"severity": "error", "waived": None, "rule": "X"}]}, "is no whole report"),
    ],
)
def test_what_is_no_baseline(file: Path, change: dict[str, object], told: str) -> None:
    file.write_text(json.dumps({**json.loads(text(report())), **change}))
    with pytest.raises(UsageError) as caught:
        load(str(file), "masked")
    assert told in str(caught.value)
    assert caught.value.mend


@pytest.mark.parametrize("said", ["", "[]", "{}", "no JSON", '"report"', "[" * 100_000])
def test_what_is_no_report(file: Path, said: str) -> None:
    file.write_text(said)
    with pytest.raises(UsageError, match="write it with"):
        load(str(file), "masked")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"nowhere\.json: can not be read"):
        load("nowhere.json", "masked")
