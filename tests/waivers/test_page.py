"""The page on waivers and baselines says what the program does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness import waivers
from harness.model.waiver import Baseline, Gone, Scope, Waiver
from harness.report import github, gitlab, junit, markdown, sarif
from harness.report.console import console
from harness.report.entries import Edition
from harness.report.json import text as json_text
from harness.report.view import View
from harness.report.words import EN
from harness.rules import registry
from tests.report.values import finding, report, round_, row

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/waivers.md").read_text(encoding="utf-8")
EDITION = Edition(EN)
[EXAMPLE] = waivers.parse(re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0], "docs/waivers.md")


def rows(head: str) -> list[list[str]]:
    """The cells of the table whose first head is `head`."""
    table = re.findall(rf"^\| {head} \|.*\n\|[-|: ]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]


def test_the_words_are_those_of_the_language() -> None:
    named = set(re.findall(r"`(\w+)`", " ".join(one[0] for one in rows("word"))))
    assert named == set(Waiver._fields) - {"file", "line"}
    scope = next(one[1] for one in rows("word") if one[0] == "`scope`")
    assert set(re.findall(r"`(\w+)`", scope)) == set(Scope._fields)


def test_the_rules_and_their_severities() -> None:
    written = {code: severity for code, severity, _ in rows("rule")}
    assert written == {rule.code: rule.severity for rule in registry.rules(registry.OWN)}


WAIVED = report(
    round_(findings=(finding(waived=EXAMPLE.id),)),
    matrix=(row(errors=0, waived=1),),
    waivers=(EXAMPLE,),
    exit=0,
)


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("console", "\n".join(console(WAIVED, View())), ["waived as mirror-of-delegations\n", "Waived: 1, by mirror-of-delegations."]),
        ("JSON", json_text(WAIVED), ['"waived": "mirror-of-delegations"', '"waived": 1}']),
        ("SARIF", sarif.text(WAIVED, EDITION), ['"suppressions"', "next release", "runtime team", "2027-06-30", "/issues/85"]),
        ("JUnit", junit.text(WAIVED, EDITION), ["<system-out>waived as mirror", 'name="waived" value="1"', 'failures="0"']),
        ("Markdown", markdown.text(WAIVED, EDITION), ["### Waived", "next release", "runtime team", "2027-06-30", "/issues/85"]),
        ("GitLab", gitlab.text(WAIVED, EDITION), ['"severity": "info"', "waived as mirror-of-delegations"]),
        ("GitHub", "\n".join(github.commands(WAIVED, EDITION)), ["::notice "]),
    ],
)  # fmt: skip
def test_a_waived_finding_stands_in_every_report(name: str, text: str, shown: list[str]) -> None:
    assert name in [one[0] for one in rows("report")]
    assert [part for part in shown if part not in text] == []


def test_the_table_of_reports_is_whole() -> None:
    from harness.cli.outputs import FORMATS

    assert {one[0].lower() for one in rows("report")} == {"console", "github", "markdown", *FORMATS} - {"md"}


def test_the_shipped_example_accepts_the_same_rule() -> None:
    [shipped] = waivers.load(str(ROOT / "scenarios/examples/waivers.yaml"))
    assert (shipped.id, shipped.rule, shipped.scope) == (EXAMPLE.id, EXAMPLE.rule, EXAMPLE.scope)
    assert waivers.DEFAULT in PAGE


def test_the_words_of_a_comparison() -> None:
    gone = Gone("END502", "no-end", "error", "no end", "edpa", "EDPA-03", 1, "client")
    found = (finding(), finding("LEAK102", known=True))
    one = report(round_(findings=found), baseline=Baseline("old.json", 1, 1, (gone,), 0))
    states = {
        result["baselineState"] for result in json.loads(sarif.text(one, EDITION))["runs"][0]["results"]
    }
    for state in states:
        assert f"`{state}`" in PAGE
    page = markdown.text(one, EDITION)
    for head in ("New findings", "Known findings", "Fixed since the baseline"):
        assert f"*{head}*" in PAGE
        assert f"### {head}" in page
