"""The named sets of defects on the repository's own scenarios: what is fixed is green, what was reported is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import pipeline, times
from harness.capture.discover import find
from harness.model.verdict import Report
from tests.live.shared import SCENARIOS, Shared, found, with_set

NAMES = [one.name for one in SCENARIOS]


@pytest.fixture(scope="session")
def fixed(tmp_path_factory) -> Shared:
    return with_set(tmp_path_factory, "fixed")


@pytest.fixture(scope="session")
def reported(tmp_path_factory) -> Shared:
    return with_set(tmp_path_factory, "as-reported")


def judged(run_dir: str, contract: str) -> Report:
    return pipeline.check(
        [run_dir], pipeline.Options(contract=contract, scenarios=SCENARIOS, defects="fixed")
    )


@pytest.mark.parametrize("contract", ["masked", "symmetric", "a2a"])
def test_what_is_fixed_is_green(fixed, contract):
    report = judged(fixed.run_dir, contract)
    assert (report.exit, report.unread) == (0, ())
    assert {name: found(report, name) for name in NAMES if contract != "a2a"} == (
        {name: {} for name in NAMES} if contract != "a2a" else {}
    )


def test_under_unified_the_two_ways_to_ask_are_told(fixed):
    """Seed 000, view C: a proxy here, a native question there."""
    report = judged(fixed.run_dir, "unified")
    assert report.exit == 1
    standing = [one.finding for one in report.findings if one.finding.severity != "info"]
    assert [one.rule for one in standing] == ["SYM402"]
    assert not any(found(report._replace(findings=()), name) for name in NAMES)


def test_what_is_fixed_still_delegates(fixed):
    """DA-09: four remote calls, three of them at the same time, and an answer that quotes all four results."""
    captures = [one for one in find([fixed.run_dir]).captures if one.scenario == "DA-09"]
    remote = [one for one in captures if one.leg in ("search-agent", "verify-agent")]
    assert sorted(one.leg for one in remote) == ["search-agent"] * 3 + ["verify-agent"]
    spans = [times.times_of(one) for one in remote if one.leg == "search-agent"]
    assert max(one.at_ns[0] for one in spans) < min(one.closed_ns for one in spans), "all three overlap"
    (client,) = [one for one in captures if one.leg == "client"]
    answer = Path(client.path).read_text(encoding="utf-8")
    for result in (
        *(f"模型{one} 输入价格 每百万 token】2 元" for one in "甲乙丙"),
        "核对各模型价格的来源】来源一致",
    ):
        assert result in answer
    assert "a2a_delegate" not in answer


@pytest.mark.parametrize("one", SCENARIOS, ids=NAMES)
def test_what_was_reported_is_what_the_scenario_knows(reported, one):
    """No more and no fewer: SCN106 would tell it too."""
    (known,) = [dict(each.findings) for each in one.known if each.defects == "as-reported"] or [{}]
    assert found(reported.report, one.name) == known


def test_what_was_reported_is_red(reported):
    assert reported.report.exit == 1
    assert reported.report.unread == ()


def test_the_leak_of_seed_000_live(reported):
    """Four delegations in two mirror frames (3+1) on the content channel; the control channel is clean."""
    (client,) = [one for one in reported.report.rounds if (one.scenario, one.leg) == ("DA-09", "client")]
    assert client.outcome == "COMPLETED"
    assert {(one.kind, one.exposure, one.channel) for one in client.interactions} == {
        ("delegation", "leaked", "content")
    }
    frames = [one.sightings[0].place.event for one in client.interactions]
    assert [frames.count(frame) for frame in dict.fromkeys(frames)] == [3, 1]


def test_the_other_two_rows_of_seed_000_live(reported):
    rounds = [one for one in reported.report.rounds if one.leg == "client"]
    adapter = [one for one in rounds if one.scenario == "balanceThen"]
    assert len(adapter) >= 7
    assert {(each.kind, each.exposure, each.channel) for one in adapter for each in one.interactions} == {
        ("delegation", "masked", "control")
    }
    review = [one for one in rounds if one.scenario == "EXP-01" and one.interactions]
    asked = [each for one in review for each in one.interactions]
    assert (len(review), len(asked)) == (14, 14)
    assert {(each.kind, each.exposure, each.tool_name) for each in asked} == {
        ("user_input", "native", "request_user_input")
    }
    assert not [each for one in rounds for each in one.findings if each.rule == "BIND301"]
