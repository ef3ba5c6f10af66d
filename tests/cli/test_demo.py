"""The demo finds what it should, says so, and fails when it does not: live, and on the shipped captures."""

from __future__ import annotations

import pytest

from harness.cli import demo, recorded
from harness.live import Ran
from tests.report.values import report

TOLD = {
    "en": (
        "DA-09 shows 4 leaked delegations in 2 mirror frames (3+1) on the content channel, 0 on the control channel",
        "made 4 remote calls, 3 of them at the same time",
        "6 masked, 0 other",
        "asks in 14 rounds, 14 of 14 questions bound",
    ),
    "zh": (
        "DA-09 在内容通道上有 4 次泄漏的委派，分布在 2 个镜像帧中（3+1）",
        "同时发出了 4 次远程调用，其中 3 次并发",
        "已屏蔽 6 次、其他 0 次",
        "在 14 个轮次中提问，14 个问题中有 14 个",
    ),
}


@pytest.mark.parametrize("lang", TOLD)
def test_the_demo_finds_the_leak_live_and_ends_with_zero(harness, monkeypatch, tmp_path, lang: str) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness("demo", "--lang", lang)
    assert said.code == 0, said.out + said.err
    flat = said.out.replace("\n    ", " ").replace("\n", "") if lang == "zh" else " ".join(said.out.split())
    for told in TOLD[lang]:
        assert told.replace(" ", "") in flat.replace(" ", "")
    for topology in ("deep-research", "edpa", "expense-review", "LEAK101 x4", "harness run --set fixed"):
        assert topology in said.out
    assert [path.name for path in tmp_path.iterdir()] == ["captures"]


def test_a_demo_that_finds_nothing_says_what_is_missing(harness, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "harness.cli.running.Running.run", lambda self, order, options: Ran(report(), "run", ())
    )
    said = harness("demo")
    assert said.code == 1
    assert "did NOT find" in said.out


def test_the_demo_compares_with_what_the_scenarios_know() -> None:
    order = demo.ordered("captures")
    assert [one.name for one in order.scenarios] == list(demo.SCENARIOS)
    compared = {one.scenario: one for one in demo.compared(report(), order)}
    assert compared["DA-09"].known == {"LEAK101": 4, "STEER101": 1}
    assert compared["balanceThen"].known == compared["EXP-01"].known == {}


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "DA-09 shows 4 leaked delegations"), ("zh", "DA-09 中有 4 次泄漏的委派")]
)
def test_the_shipped_captures_show_the_same(harness, lang: str, told: str) -> None:
    said = harness("demo", "--recorded", "--lang", lang)
    assert said.code == 0
    assert told in said.out
    for topology in ("deep-research", "edpa", "expense-review"):
        assert topology in said.out
    assert "LEAK101" in said.out


def test_shipped_captures_in_which_nothing_is_found_say_what_is_missing(harness, monkeypatch) -> None:
    monkeypatch.setattr("harness.cli.check.judged", lambda paths, chosen, lang: report())
    said = harness("demo", "--recorded")
    assert said.code == 1
    assert "did NOT find" in said.out


def test_package_data_comes_first(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(recorded, "__file__", str(tmp_path / "harness" / "cli" / "recorded.py"))
    for name in recorded.RUNS:
        (tmp_path / "harness" / "data" / "demo" / name).mkdir(parents=True)
    assert recorded.captures() == str(tmp_path / "harness" / "data" / "demo")
