"""Annotations are workflow commands: escaped, ten of a kind, and then the number of the others."""

from __future__ import annotations

import pytest

from harness.report.entries import Edition
from harness.report.github import commands
from harness.report.words import EN
from tests.report.values import DA09, finding, group, report, round_

EDITION = Edition(EN)


def said(*found, edition: Edition = EDITION) -> list[str]:
    return list(commands(report(round_(findings=found)), edition))


def test_an_error_with_file_and_title() -> None:
    assert said(finding()) == [
        f"::error file={DA09},title=LEAK101 delegation-on-content::DA-09 r1: delegation to search-agent is visible "
        "on the content channel"
    ]


def test_kinds() -> None:
    found = (
        finding(),
        finding("A101", "warning"),
        finding("B101", "info"),
        finding(waived="W-1"),
        finding(known=True),
    )
    assert [line.split()[0] for line in said(*found)] == ["::error", "::warning", "::notice", "::notice"]
    assert "title=waived as W-1%3A LEAK101" in said(finding(waived="W-1"))[0]
    assert "title=known%3A LEAK101" in said(finding(known=True))[0]


def test_a_scenario_is_the_anchor() -> None:
    [line] = said(finding(), edition=EDITION._replace(anchors={"DA-09": ("scenarios/da.yaml", 7)}))
    assert line.startswith("::error file=scenarios/da.yaml,line=7,title=")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("100%", "100%25"),
        ("a%0Ab", "a%250Ab"),
        ("a\nb\rc", "a\\nb\\rc"),
        ("x\n::error::y", "x\\n\\x3a:error::y"),
        (" ::error::y", " \\x3a:error::y"),
        ("a,b:c", "a,b:c"),
    ],
)
def test_messages_are_escaped(text: str, written: str) -> None:
    assert said(finding(message=text))[0].partition("::DA-09 r1: ")[2] == written


def test_properties_are_escaped() -> None:
    [line] = commands(report(round_("a,b:c%/x.log")), EDITION)
    assert line.startswith("::error file=a%2Cb%3Ac%25/x.log,title=")


def test_ten_of_a_kind_then_how_many_more() -> None:
    lines = said(*[finding()] * 13, *[finding("A101", "warning")] * 10)
    assert [sum(line.startswith(f"::{kind} ") for line in lines) for kind in ("error", "warning")] == [10, 10]
    assert lines[-1] == "3 more of kind error are not annotated; the other reports have all"


def test_findings_of_several_rounds() -> None:
    lines = list(commands(report(findings=(group(),)), EDITION))
    assert lines[-1].startswith(f"::error file={DA09},title=SYM401")
