"""Waived findings are expected failures; a waiver that is wrong is red at the contract's item."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.material import GREEN, LEAK, capture, scenario, waivers

pytest_plugins = ["pytester"]


@pytest.fixture
def leaks(folder):
    scenario(folder / "scen")
    capture(folder / "run", frames=LEAK)
    return folder


def test_a_waived_round_is_told_with_its_waiver(leaks, judge_both):
    waivers(leaks)
    result = judge_both("--waivers", "waivers.yaml", "-rx")
    result.assert_outcomes(xfailed=1, passed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "Waived",
            "  W-1: LEAK101 x1, until 2099-12-31, runtime team: mended with the next release https://tracker.example/1",
            "XFAIL scen/da-1.scenario.yaml::r1 - *waived as W-1: mended with the next release (LEAK101 *)",
        ]
    )


def test_the_project_s_own_file_is_read(leaks, judge):
    (leaks / "scenarios").mkdir()
    waivers(leaks / "scenarios")
    judge().assert_outcomes(xfailed=1, passed=1)


def test_a_waiver_of_another_scenario_accepts_nothing(leaks, judge):
    waivers(leaks, scope="{scenario: DA-2}")
    judge("--waivers", "waivers.yaml").assert_outcomes(failed=1, passed=1)


def test_a_waiver_that_nothing_needs_turns_the_run_red(folder, judge_both):
    scenario(folder / "scen")
    capture(folder / "run", frames=GREEN)
    waivers(folder)
    result = judge_both("--waivers", "waivers.yaml")
    result.assert_outcomes(passed=1, failed=1)
    text = result.stdout.str()
    assert "FAILED scen/da-1.scenario.yaml::contract[masked] - WAIV102 waiver-stale" in text
    assert "waivers.yaml:3: the waiver 'W-1' of 'runtime team' accepts nothing" in text
    assert "Remove the waiver" in text


def test_it_is_told_once_where_several_scenarios_are_in_its_scope(folder, judge):
    for name in ("DA-1", "DA-2", "EDPA-1"):
        scenario(folder / "scen", name, topology="edpa" if name == "EDPA-1" else "deep-research")
        capture(folder / "run", name)
    waivers(folder, scope="{topology: edpa}")
    result = judge("--waivers", "waivers.yaml")
    result.assert_outcomes(passed=5, failed=1)
    assert "FAILED scen/edpa-1.scenario.yaml::contract[masked] - WAIV102 waiver-stale" in result.stdout.str()


def test_an_expired_waiver_accepts_nothing_and_says_so(leaks, judge):
    waivers(leaks, expires="2020-01-01")
    result = judge("--waivers", "waivers.yaml")
    result.assert_outcomes(failed=2)
    assert "::contract[masked] - WAIV101 waiver-expired" in result.stdout.str()


def test_a_waiver_of_no_rule_is_red(leaks, judge):
    waivers(leaks, rule="LEAK199")
    result = judge("--waivers", "waivers.yaml")
    result.assert_outcomes(failed=2)
    assert "WAIV103 waiver-of-unknown-rule" in result.stdout.str()


def test_runxfail_shows_what_is_waived(leaks, judge):
    waivers(leaks)
    result = judge("--waivers", "waivers.yaml", "--runxfail")
    result.assert_outcomes(failed=1, passed=1)
    assert "waived as W-1" in result.stdout.str()
    assert "why: The client sees which agent is called" in result.stdout.str()
