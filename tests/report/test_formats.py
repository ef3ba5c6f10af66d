"""All formats of one report: the same counts, whole, and nothing hostile in force."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import jsonschema
import pytest
from markdown_it import MarkdownIt

from harness.report import github, gitlab, junit, markdown, sarif
from harness.report.console import console
from harness.report.json import text as json_text
from harness.report.schema import schema
from harness.report.view import View
from tests.report.hostile import EDITION, TEXTS, hostile
from tests.report.test_sarif import validated
from tests.report.values import finding, full_report, report, round_

ALLOWED = set("\n") | {chr(code) for code in range(0x20, 0x7F)}
COMMAND = re.compile(r"^\s*(::[A-Za-z]|##\w*\[)|##\[", re.MULTILINE)
HOSTILE = pytest.mark.parametrize("name", TEXTS)


def effective(text: str) -> set[str]:
    """Characters that a terminal or a browser would obey rather than show."""
    return {
        c
        for c in text
        if (ord(c) < 0x20 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200b\u2028\ufeff"
    }


@HOSTILE
def test_console(name: str) -> None:
    said = "\n".join(console(hostile(TEXTS[name]), View(everything=True)))
    assert not effective(said)
    assert not COMMAND.search(said)
    said.encode()


@HOSTILE
def test_json(name: str) -> None:
    said = json_text(hostile(TEXTS[name]))
    assert not effective(said)
    jsonschema.validate(json.loads(said.encode()), schema())


@HOSTILE
def test_junit(name: str) -> None:
    said = junit.text(hostile(TEXTS[name]), EDITION)
    root = ET.fromstring(said.encode())
    assert not effective(said)
    assert len(said) < 200_000
    assert root.get("failures") == "1"
    assert root.get("errors") == "2", "an undecided round, and what could not be read"


@HOSTILE
def test_sarif(name: str) -> None:
    said = sarif.text(hostile(TEXTS[name]), EDITION)
    assert set(said) <= ALLOWED
    assert len(said) < 200_000
    validated(said)


@HOSTILE
def test_gitlab(name: str) -> None:
    said = gitlab.text(hostile(TEXTS[name]), EDITION)
    assert set(said) <= ALLOWED
    for entry in json.loads(said):
        assert not effective(entry["description"])
        assert len(entry["description"]) <= 1100


@HOSTILE
def test_github(name: str) -> None:
    lines = list(github.commands(hostile(TEXTS[name]), EDITION))
    said = "\n".join(lines)
    assert not effective(said)
    assert len(said.split("\n")) == len(lines)
    for line in lines:
        properties, message = re.fullmatch(r"::(?:error|warning|notice) ([^:]*)::(.*)", line).groups()
        assert [pair.partition("=")[0] for pair in properties.split(",")] in (["file", "title"], ["title"])
        assert not re.search(r"%(?!25|0A|0D)", message)
    assert all(len(line) < 20_000 for line in lines)


@HOSTILE
def test_markdown(name: str) -> None:
    said = markdown.text(hostile(TEXTS[name]), EDITION)
    assert not effective(said)
    assert len(said) <= markdown.LIMIT
    said.encode()
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(said)
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inline)}
    assert not kinds & {"html_block", "html_inline", "image", "fence", "code_block", "softbreak"} - {
        "softbreak"
    }
    links = {child.attrGet("href") for child in inline if child.type == "link_open"}
    assert links <= {"https://t.example/1"}
    shown = "".join(child.content for child in inline if child.type == "text")
    assert "evil" not in shown
    assert "@everyone" not in shown
    rows = [line for line in said.split("\n") if line.startswith("| ")]
    assert {len(re.split(r"(?<!\\)\|", line)) for line in rows} == {11}


def tallies(one) -> dict[str, dict[str, int]]:
    """Errors, warnings, infos, waived by format, each read back from what was written."""
    value = json.loads(json_text(one))
    found = [f for r in value["rounds"] for f in r["findings"]] + value["findings"]
    names = {"error": "errors", "warning": "warnings", "info": "infos"}

    def counted(severities: list[str | None]) -> dict[str, int]:
        return {name: severities.count(word) for word, name in [*names.items(), (None, "waived")]}

    written = validated(sarif.text(one, EDITION))["runs"][0]["results"]
    results = [result for result in written if result.get("baselineState") != "absent"]
    levels = {"error": "error", "warning": "warning", "note": "info"}
    suite = ET.fromstring(junit.text(one, EDITION))
    cases = {
        p.get("name"): int(p.get("value"))
        for p in suite.findall("./testsuite[@name='contract']//property")
        if p.get("value").isdecimal()
    }
    rounds = [
        p for s in suite.findall("testsuite") if s.get("name") != "contract" for p in s.iter("property")
    ]
    listed = [
        e for e in json.loads(gitlab.text(one, EDITION)) if e["check_name"] not in ("undecided", "unread")
    ]
    severities = {"major": "error", "minor": "warning", "info": "info"}
    head = markdown.text(one, EDITION).split("\n")[2]
    return {
        "json": counted([None if f["waived"] else f["severity"] for f in found]),
        "sarif": counted([None if "suppressions" in r else levels[r["level"]] for r in results]),
        "junit": {name: cases[name] for name in ("errors", "warnings", "infos", "waived")},
        "junit rounds": {
            name: sum(int(p.get("value")) for p in rounds if p.get("name") == name)
            + sum(
                counted([None if f["waived"] else f["severity"] for f in value["findings"]])[n]
                for n in [name]
            )
            for name in ("errors", "warnings", "infos", "waived")
        },
        "gitlab": counted(
            [None if e["description"].startswith("waived as") else severities[e["severity"]] for e in listed]
        ),
        "markdown": {
            name: int(re.search(rf"(\d+) {name}", head)[1])
            for name in ("errors", "warnings", "infos", "waived")
        },
    }


@pytest.mark.parametrize(
    "one", [full_report(), hostile("x"), hostile(TEXTS["html"])], ids=["full", "plain", "html"]
)
def test_all_formats_show_the_same_counts(one) -> None:
    counts = tallies(one)
    assert all(each == counts["json"] for each in counts.values()), counts
    assert counts["json"]["errors"]
    lines = list(github.commands(one, EDITION))
    shown = {
        kind: sum(line.startswith(f"::{kind} ") for line in lines) for kind in ("error", "warning", "notice")
    }
    known = sum(f.known for r in one.rounds for f in r.findings)
    assert shown["error"] == counts["json"]["errors"] - known
    assert shown["warning"] == counts["json"]["warnings"]
    assert shown["notice"] == counts["json"]["waived"] + known
    console_says = "\n".join(console(one, View()))
    assert f"errors {counts['json']['errors']}, warnings {counts['json']['warnings']}" in " ".join(
        console_says.split()
    )


def test_no_cap_is_silent() -> None:
    """Six thousand findings: what a format leaves out, it counts."""
    many = report(round_(findings=tuple(finding(message=f"leak {n}") for n in range(6000))))
    results = validated(sarif.text(many, EDITION))["runs"][0]
    assert len(results["results"]) == 5000
    [note] = results["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("1,000 more are left out")
    listed = json.loads(gitlab.text(many, EDITION))
    assert (len(listed), listed[-1]["description"][:5]) == (5001, "1,000")
    annotations = list(github.commands(many, EDITION))
    assert len(annotations) == 11
    assert annotations[-1].startswith("5,990 more of kind error")
    page = markdown.text(many, EDITION)
    shown = page.count("**error LEAK101**")
    assert len(page) <= markdown.LIMIT
    assert f"{6000 - shown:,} more are left out" in page
    cases = ET.fromstring(junit.text(many, EDITION))
    assert "5,950 more are left out" in cases.find("./testsuite/testcase/failure").text
    assert cases.find("./testsuite/testcase/failure").get("message").startswith("6000: LEAK101")
