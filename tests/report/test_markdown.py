"""The Markdown report reads like a review: verdict, matrix, what is new, fixed, waived."""

from __future__ import annotations

import pytest

from harness.model.verdict import Report
from harness.model.waiver import Baseline, Gone, Scope, Waiver
from harness.report.entries import Edition
from harness.report.markdown import text
from harness.report.words import EN, ZH
from tests.report.values import clean_round, finding, full_report, report, round_, row

EDITION = Edition(EN)
WAIVER = Waiver(
    "W-1", "LEAK101", Scope("x"), "until it is mended", "https://t.example/1", "me", "2030-01-01", "w", 4
)
GONE = Gone("END502", "no-terminal", "error", "no end", "edpa", "EDPA-03", 1, "client")


def heads(said: str) -> list[str]:
    return [line for line in said.split("\n") if line.startswith("#")]


def test_the_verdict_stands_first() -> None:
    assert heads(text(report(), EDITION))[0] == "## ❌ harness check: exit 1: the contract is broken"
    assert heads(text(report(clean_round(), exit=0), EDITION))[0].startswith("## ✅")
    assert heads(text(report(clean_round(), exit=3), EDITION))[0].startswith("## ❔")


def test_the_matrix() -> None:
    said = text(
        report(matrix=(row(), row(topology=None, kind=None, scenario="a|b", leaked=0, errors=0))), EDITION
    )
    assert "| `deep-research` (deepagent) | 1 | 7 | 1 COMPLETED | 0 | 0 | **1** | 0 | 1 E |" in said
    assert "| `a\\|b` | 1 | 7 |" in said


def test_a_finding_says_where_why_and_how_to_look_closer() -> None:
    said = text(report(), EDITION)
    for part in (
        "- **error LEAK101** delegation-on-content: `delegation to search-agent is visible",
        "`DA-09 r1` (`deep-research`) `run-1/DA-09-A2A_STREAM-r1.log` event 4 `/result/artifactUpdate/",
        "bytes 1200-2400",
        "A client must not learn",
        "`harness inspect run-1/DA-09-A2A_STREAM-r1.log frame 4`",
    ):
        assert part in said


def test_sections_without_a_baseline() -> None:
    assert heads(text(full_report(), EDITION)) == [
        "## ❌ harness check: exit 1: the contract is broken",
        "### Findings (3)",
        "### Waived (1)",
        "### Undecided (1)",
        "### Could not be read (2)",
        "### Not checked (a rule that could not be checked is never passed) (2)",
    ]


def test_sections_with_a_baseline() -> None:
    found = (finding(), finding("LEAK102", known=True), finding("ART701", "info"))
    one = report(round_(findings=found, not_checked=()), baseline=Baseline("main.json", 1, 1, (GONE,), 2))
    said = text(one, EDITION)
    assert heads(said)[1:] == [
        "### New findings (1)",
        "### Known findings, in the baseline as well (1)",
        "### Fixed since the baseline (1)",
    ]
    assert "1 new, 1 known, 1 fixed; 2 of it were not judged this time. `main.json`" in said
    assert "- **END502** no-terminal: `EDPA-03 r1` `no end`" in said
    assert said.rstrip().endswith("1 infos: ART701 x1")


def test_waivers_are_told_with_reason_owner_end_and_issue() -> None:
    said = text(
        report(round_(findings=(finding(waived="W-1"), finding(waived="W-1"))), waivers=(WAIVER,)), EDITION
    )
    assert "- `W-1` **LEAK101** x2: `until it is mended`" in said
    assert "- `me`, `2030-01-01`, [issue](https://t.example/1)" in said


@pytest.mark.parametrize("limit", [3000, 10_000, 60_000])
def test_it_is_never_longer_than_its_limit(limit: int) -> None:
    rounds = tuple(round_(f"run/{n}.log", scenario=f"S-{n}") for n in range(500))
    rows = tuple(row(topology=f"t-{n}") for n in range(500))
    said = text(report(*rounds, matrix=rows), EDITION, limit)
    assert len(said) <= limit
    shown = said.count("**error LEAK101**")
    assert f"{500 - shown:,} more are left out here; the JSON report has all" in said.replace("\\", "")


def test_in_chinese() -> None:
    said = text(full_report(), EDITION._replace(words=ZH))
    assert "违反契约" in heads(said)[0]
    assert "### 已豁免 (1)" in said


def test_a_report_of_nothing() -> None:
    nothing: Report = report(exit=3)._replace(rounds=(), matrix=())
    assert heads(text(nothing, EDITION)) == [
        "## ❔ harness check: exit 3: could not decide: nothing recognised, a capture incomplete, a record not readable"
    ]
