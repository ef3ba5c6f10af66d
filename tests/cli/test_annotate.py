"""`--github`: annotations on standard output, the report in the step's summary when in Actions."""

from __future__ import annotations

import json

import pytest

SIT = "captures/golden/sit-logs/run-20260811-093000"


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def summary(tmp_path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def test_outside_actions(harness, outside) -> None:
    said = harness("check", SIT, "--github")
    assert said.code == 1
    assert said.out.count("\n::error ") == 3
    assert "not in GitHub Actions: annotations only, no step summary" in said.err


def test_with_json_standard_output_is_the_report_alone(harness, outside) -> None:
    said = harness("check", SIT, "--github", "--json")
    assert json.loads(said.out)["exit"] == 1
    assert said.err.count("::error ") == 3


def test_the_summary_is_appended(harness, summary) -> None:
    summary.write_text("# before\n")
    said = harness("check", SIT, "--github")
    assert said.err == ""
    written = summary.read_text(encoding="utf-8")
    assert written.startswith("# before\n## ❌ harness check: exit 1")
    assert "price of A" in written


def test_a_full_summary_is_left_alone_and_told(harness, summary) -> None:
    summary.write_bytes(b"x" * (1024 * 1024 - 100))
    said = harness("check", SIT, "--github")
    assert "has no room" in said.err
    assert summary.stat().st_size == 1024 * 1024 - 100


def test_a_summary_that_can_not_be_written(harness, summary, monkeypatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary.parent / "no" / "s.md"))
    assert harness("check", SIT, "--github").code == 2


def test_without_the_option_nothing_is_annotated(harness, summary) -> None:
    said = harness("check", SIT)
    assert "::error" not in said.out
    assert not summary.exists()
