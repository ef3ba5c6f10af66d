"""What was not recorded, and what no scenario names: red, unless it is allowed."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.material import GREEN, LEAK, capture, scenario, torn

pytest_plugins = ["pytester"]


@pytest.fixture
def one_of_two(folder):
    """DA-1 was recorded, DA-2 was not."""
    scenario(folder / "scen", "DA-1")
    scenario(folder / "scen", "DA-2")
    capture(folder / "run", "DA-1")
    return folder


def test_a_scenario_without_a_capture_is_red(one_of_two, judge_both):
    result = judge_both()
    result.assert_outcomes(passed=2, failed=2)
    text = result.stdout.str()
    assert "FAILED scen/da-2.scenario.yaml::r1 - DA-2 was not recorded in run" in text
    assert (
        "see scen/da-2.scenario.yaml:2; record it, correct the name, or allow it with --allow-missing-captures"
        in text
    )


def test_it_can_be_allowed_and_is_told(one_of_two, judge_both):
    result = judge_both("--allow-missing-captures", "-rs")
    result.assert_outcomes(passed=2, skipped=2)
    assert result.ret == 0
    assert "DA-2: nothing was recorded in run" in result.stdout.str()


def test_a_run_of_which_nothing_was_judged_is_not_green(folder, judge):
    scenario(folder / "scen")
    (folder / "run").mkdir()
    result = judge("--allow-missing-captures")
    result.assert_outcomes(skipped=2, failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "FAILED harness::nothing was run - No scenario was run" in result.stdout.str()


def test_one_that_was_not_chosen_is_not_missed(one_of_two, judge):
    judge("-k", "DA-1").assert_outcomes(passed=2, deselected=2)


def test_a_round_without_a_capture_is_red_at_its_item_and_at_the_contract(folder, judge):
    scenario(folder / "scen", rounds="  - send: x\n  - answer: y\n")
    capture(folder / "run")
    result = judge("--allow-missing-captures")
    result.assert_outcomes(passed=1, failed=2)
    assert (
        "FAILED scen/da-1.scenario.yaml::r2 - round 2 of DA-1 was not recorded in run" in result.stdout.str()
    )
    assert "FAILED scen/da-1.scenario.yaml::contract[masked] - SCN105 round-absent" in result.stdout.str()


def test_a_capture_that_no_scenario_names_turns_the_session_red(folder, judge_both):
    scenario(folder / "scen", "DA-1")
    capture(folder / "run", "DA-1")
    path = capture(folder / "run", "DA-7", LEAK)
    result = judge_both()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)
    text = result.stdout.str()
    assert "FAILED harness::unnamed captures - Captures that no scenario names: 1" in text
    assert f"  run/{path.name}" in text
    assert "write a scenario for them, or allow them with --allow-unnamed-captures" in text


def test_it_can_be_allowed_too(folder, judge_both):
    scenario(folder / "scen", "DA-1")
    capture(folder / "run", "DA-1")
    capture(folder / "run", "DA-7", LEAK)
    result = judge_both("--allow-unnamed-captures")
    assert result.ret == 0
    result.assert_outcomes(passed=2)
    assert "Captures that no scenario names: 1" in result.stdout.str()


def test_a_round_that_the_scenario_does_not_have_is_named_by_none(folder, judge):
    scenario(folder / "scen")
    capture(folder / "run")
    capture(folder / "run", round=2)
    result = judge()
    result.assert_outcomes(passed=2, failed=1)
    assert "Captures that no scenario names: 1" in result.stdout.str()


def test_scenarios_beside_the_ones_that_run_name_captures_as_well(folder, judge):
    scenario(folder / "scen", "DA-1")
    scenario(folder / "scen", "DA-2")
    capture(folder / "run", "DA-1")
    capture(folder / "run", "DA-2")
    judge(paths=("scen/da-1.scenario.yaml",)).assert_outcomes(passed=2)


def test_a_file_that_can_not_be_read_turns_the_session_red(folder, judge):
    scenario(folder / "scen")
    capture(folder / "run", frames=GREEN)
    (folder / "run" / "DA-2-A2A_STREAM-r1.client.har").write_text("{")
    result = judge("--allow-unnamed-captures")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "FAILED harness::unread - Could not be read: 1" in result.stdout.str()


def test_what_can_not_be_read_in_a_named_round_is_told_there_only(folder, judge):
    scenario(folder / "scen")
    torn(folder / "run")
    result = judge()
    result.assert_outcomes(failed=2)
    assert "harness::unread" not in result.stdout.str()
