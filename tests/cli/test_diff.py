"""`harness diff`: paths, forms, exit codes, mistakes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from harness.report.cells import cells
from harness.report.diffschema import schema
from tests.cli.conftest import STREAM

SIT = Path(__file__).parents[2] / "captures" / "golden" / "sit-logs"
FIRST, SECOND = SIT / "run-20260811-093000", SIT / "run-20260812-101500"
DA_09 = "DA-09-A2A_STREAM-r1.log"


def test_two_captures(harness) -> None:
    said = harness("diff", str(FIRST / DA_09), str(SECOND / DA_09))
    assert said.code == 1
    assert "+ interaction: verify-agent: leaked delegation on content" in said.out
    assert said.out.splitlines()[-1] == "exit 1: changed, in a rank that fails"


def test_nothing_changed(harness, capture) -> None:
    said = harness("diff", capture, capture)
    assert (said.code, said.err) == (0, "")
    assert "1 rounds are equal by meaning" in said.out


@pytest.mark.parametrize(("rank", "code"), [("contract", 0), ("shape", 0), ("text", 1), ("timing", 1)])
def test_fail_on(harness, capture, rank: str, code: int) -> None:
    Path("t.sse").write_bytes(STREAM.replace(b"lo 1.50", b"p"))
    assert harness("diff", capture, "t.sse", "--fail-on", rank).code == code


def test_json_alone_and_reports(harness, capture, tmp_path) -> None:
    Path("t.sse").write_bytes(STREAM.replace(b"COMPLETED", b"FAILED"))
    said = harness("diff", capture, "t.sse", "--json", "-o", "d.json", "-o", "d.md")
    assert (said.code, said.err) == (1, "")
    jsonschema.validate(json.loads(said.out), schema())
    assert (tmp_path / "d.json").read_text() == said.out
    assert "`COMPLETED` → `FAILED`" in (tmp_path / "d.md").read_text()
    assert sorted(os.listdir(tmp_path)) == ["d.json", "d.md", "s.sse", "t.sse"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_page(harness, capture, tmp_path, lang: str) -> None:
    Path("t.sse").write_bytes(STREAM.replace(b"COMPLETED", b"FAILED"))
    assert harness("diff", capture, "t.sse", "-o", "d.html", "--lang", lang).code == 1
    page = (tmp_path / "d.html").read_text("utf-8")
    assert f"<title>{'A2A differences' if lang == 'en' else 'A2A 差异报告'}</title>" in page
    assert '"subject":"outcome"' in page


def test_a_format_by_its_name(harness, capture, tmp_path) -> None:
    assert harness("diff", capture, capture, "-o", "json=d.txt", "-o", "html=e=f").code == 0
    assert sorted(os.listdir(tmp_path)) == ["d.txt", "e=f", "s.sse"]
    assert json.loads((tmp_path / "d.txt").read_text())["exit"] == 0


def test_reports_are_told(harness, capture) -> None:
    assert harness("diff", capture, capture, "-o", "d.md").err == "wrote d.md\n"


def test_scenarios(harness) -> None:
    said = harness("diff", str(FIRST), str(SECOND), "--scenario", "DA-01", "--json")
    assert [pair["scenario"] for pair in json.loads(said.out)["pairs"]] == ["DA-01"]


def test_standard_input(process, tmp_path) -> None:
    (tmp_path / "s.sse").write_bytes(STREAM)
    done = process("diff", "s.sse", "-", cwd=tmp_path, input=STREAM)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["s.sse"], "required: B"),
        (["-", "-"], "can not both be standard input"),
        (["s.sse", "s.sse", "-o", "d.pdf"], "known are .json, .md and .html"),
        (["s.sse", "s.sse", "-o", "none/d.md"], "name a file in a folder that is there"),
        (["s.sse", "s.sse", "--scenario", "X"], "its scenarios are s"),
        (["s.sse", "s.sse", "--volatile", "none.yaml"], "none.yaml: can not be read"),
        (["s.sse", "s.sse", "--contract", "odd"], "odd"),
    ],
)
def test_mistakes(harness, capture, args: list[str], said: str) -> None:
    told = harness("diff", *args)
    assert (told.code, told.out) == (2, "")
    assert said in told.err and told.err.count("\n") == 1


def test_what_is_not_there_or_undecided(harness, capture) -> None:
    assert harness("diff", capture, "none.sse").code == 3
    Path("odd.sse").write_bytes(b'data: {"a":1}\n\n')
    said = harness("diff", "odd.sse", "odd.sse")
    assert said.code == 3 and "never taken for equal" in said.out


@pytest.mark.parametrize("width", ["80", "200"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_widths_and_languages(harness, monkeypatch, width: str, lang: str) -> None:
    monkeypatch.chdir(SIT)
    monkeypatch.setenv("COLUMNS", width)
    said = harness("diff", f"{FIRST.name}/{DA_09}", f"{SECOND.name}/{DA_09}", "--lang", lang)
    assert max(map(cells, said.out.splitlines())) <= int(width)


def test_help_says_what_the_exits_mean(harness) -> None:
    said = harness("diff", "--help").out
    assert "0  no change that fails" in said and "1  changed, in a rank that fails" in said
    assert "没有导致失败的变更" in harness("diff", "--help", "--lang", "zh").out
