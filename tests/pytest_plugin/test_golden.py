"""Golden runs: what differs is red, and writing them anew shows what changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.rules.example import artifact, status
from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import ASKS, GREEN, LEAK, OPEN, capture, scenario

pytest_plugins = ["pytester"]

OTHER = (*OPEN, artifact("The answer is 43."), status("completed"))


@pytest.fixture
def golden(folder: Path) -> Path:
    """Where the golden run of DA-1 is."""
    scenario(folder / "scen")
    return folder / "captures" / "golden" / "scenarios" / "DA-1"


def test_without_a_golden_run_there_is_no_item(golden, folder, judge):
    capture(folder / "run")
    judge().assert_outcomes(passed=2)


def test_an_equal_run_is_green_whatever_the_model_wrote(golden, folder, judge_both):
    capture(golden, frames=GREEN)
    capture(folder / "run", frames=OTHER)
    judge_both().assert_outcomes(passed=3)


def test_a_change_of_the_contract_is_red(golden, folder, judge_both):
    capture(golden, frames=GREEN)
    capture(folder / "run", frames=ASKS)
    result = judge_both()
    result.assert_outcomes(passed=2, failed=1)
    text = result.stdout.str()
    assert (
        "FAILED scen/da-1.scenario.yaml::golden - the run differs from the golden one in captures/golden/"
        in text
    )
    assert "COMPLETED" in text and "INTERACTION" in text


def test_what_can_not_be_compared_is_undecided(golden, folder, judge):
    capture(golden, frames=GREEN)
    (golden / "DA-1-A2A_STREAM-r2.client.har").write_text("{")
    capture(folder / "run", frames=GREEN)
    result = judge()
    result.assert_outcomes(passed=2, failed=1)
    assert "::golden - can not be compared with the golden run" in result.stdout.str()


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_it_is_written_and_what_changes_is_shown(golden, folder, pytester, workers):
    capture(golden, frames=GREEN)
    (golden / "DA-1-A2A_STREAM-r2.client.sse").write_text("stale")
    path = capture(folder / "run", frames=ASKS)
    result = pytester.runpytest_subprocess(*PLUGIN, "scen", "--run", "run", "--update-golden", *workers)
    result.assert_outcomes(passed=3)
    text = result.stdout.str()
    assert "Golden runs that were written: look at the changes before you commit them" in text
    assert "wrote captures/golden/scenarios/DA-1:" in text
    assert "INTERACTION" in text.split("Golden runs")[1]
    assert {one.name: one.read_text() for one in golden.iterdir()} == {path.name: path.read_text()}


def test_the_first_one_is_written(golden, folder, judge):
    path = capture(folder / "run", frames=GREEN)
    result = judge("--update-golden")
    result.assert_outcomes(passed=3)
    assert "there was no golden run in captures/golden/scenarios/DA-1" in result.stdout.str()
    assert [one.name for one in golden.iterdir()] == [path.name]
    judge().assert_outcomes(passed=3)


def test_an_equal_one_is_left_alone(golden, folder, judge):
    capture(golden, frames=GREEN)
    (golden / "README.md").write_text("how it should be")
    capture(folder / "run", frames=GREEN)
    result = judge("--update-golden")
    result.assert_outcomes(passed=3)
    assert "Golden runs" not in result.stdout.str()
    assert (golden / "README.md").exists()


def test_a_run_that_is_red_becomes_no_golden_one(golden, folder, judge):
    capture(golden, frames=GREEN)
    capture(folder / "run", frames=LEAK)
    result = judge("--update-golden")
    result.assert_outcomes(passed=1, failed=2)
    assert (
        "::golden - not written to captures/golden/scenarios/DA-1: the run breaks the contract"
        in result.stdout.str()
    )
    assert (golden / "DA-1-A2A_STREAM-r1.client.sse").read_text().count("data: ") == len(GREEN)


def test_it_has_a_result_in_allure(golden, folder, judge):
    capture(golden, frames=GREEN)
    capture(folder / "run", frames=ASKS)
    judge("--alluredir", "results")
    told = [path.read_text() for path in (folder / "results").glob("*-attachment.txt")]
    assert any("contract" in text and "INTERACTION" in text and "A " in text for text in told)


def test_a_run_with_defects_becomes_no_golden_one(folder, judge):
    scenario(folder / "scen")
    capture(folder / "run")
    (folder / "run/run.json").write_text('{"run": 1, "defects": "as-reported"}')
    result = judge("--update-golden", "-k", "golden")
    result.assert_outcomes(failed=1, deselected=2)
    assert "--update-golden with run, made with as-reported" in result.stdout.str()
    assert not (folder / "captures").exists()
