"""The demo finds what it should, says so, and fails when it does not."""

from __future__ import annotations

import pytest

from harness.cli import demo
from tests.report.values import report


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "DA-09 shows 4 leaked delegations"), ("zh", "DA-09 中有 4 次泄漏的委派")]
)
def test_the_demo_finds_the_leak_and_ends_with_zero(harness, lang: str, told: str) -> None:
    said = harness("demo", "--lang", lang)
    assert said.code == 0
    assert told in said.out
    for topology in ("deep-research", "edpa", "expense-review"):
        assert topology in said.out
    assert "LEAK101" in said.out


def test_a_demo_that_finds_nothing_says_what_is_missing(harness, monkeypatch) -> None:
    monkeypatch.setattr("harness.cli.check.judged", lambda paths, chosen, lang: report())
    said = harness("demo")
    assert said.code == 1
    assert "did NOT find" in said.out


def test_package_data_comes_first(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(demo, "__file__", str(tmp_path / "harness" / "cli" / "demo.py"))
    for name in demo.RUNS:
        (tmp_path / "harness" / "data" / "demo" / name).mkdir(parents=True)
    assert demo.captures() == str(tmp_path / "harness" / "data" / "demo")
