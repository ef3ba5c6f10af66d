"""Scenarios that are driven live on the testbed: recorded once, whoever asks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.pytest_plugin.conftest import PLUGIN

pytest_plugins = ["pytester"]

SCENARIOS = Path(__file__).parents[2] / "scenarios"
FILES = ("da-one", "exp-batch", "react-review-questions")


@pytest.fixture
def live(pytester):
    """A session in a process of its own over copies of some of the repository's scenarios."""
    (pytester.path / "scen").mkdir()
    for name in FILES:
        shutil.copy(SCENARIOS / f"{name}.scenario.yaml", pytester.path / "scen")

    def go(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(*PLUGIN, "scen", *arguments)

    return go


def recorded(folder: Path) -> list[list[str]]:
    """For each run that was made, the scenarios of which something was recorded."""
    runs = sorted((folder / "captures").iterdir()) if (folder / "captures").exists() else []
    return [sorted({path.name.split("-A2A")[0] for path in run.glob("*.client.*")}) for run in runs]


def test_all_are_driven_and_judged(folder, live):
    result = live()
    result.assert_outcomes(passed=7)
    assert recorded(folder) == [["DA-one", "EXP-batch", "react-review-questions"]]
    result.stdout.fnmatch_lines(["harness: scenarios 3, live on testbed", "run captures/run-*"])


def test_with_workers_too_and_once(folder, live):
    result = live("-n", "3")
    result.assert_outcomes(passed=7)
    assert recorded(folder) == [["DA-one", "EXP-batch", "react-review-questions"]]


def test_a_defect_is_red_where_it_is_seen_and_only_what_was_chosen_is_driven(folder, live):
    result = live("-m", "topology_deepagent", "--defect", "mirror-v2", "-n", "2")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED scen/da-one.scenario.yaml::r1 - LEAK101 *"])
    assert recorded(folder) == [["DA-one"]]


def test_a_set_of_defects_and_what_is_known_of_it(folder, live):
    result = live("-k", "DA-one", "--set", "as-reported", "--captures", "captures/kept")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["FAILED scen/da-one.scenario.yaml::r1 - STEER101 *, LEAK101 *"])
    assert [path.name.startswith("run-") for path in (folder / "captures/kept").iterdir()] == [True]


def test_the_run_can_be_judged_again_with_what_it_was_made_with(folder, live):
    live("-k", "DA-one", "--set", "as-reported")
    [run] = (folder / "captures").iterdir()
    scenario = folder / "scen" / "da-one.scenario.yaml"
    scenario.write_text(scenario.read_text().replace("LEAK101: 1, STEER101: 1", "LEAK101: 2, STEER101: 1"))
    result = live("-k", "DA-one", "--run", str(run))
    result.assert_outcomes(failed=2)
    assert "LEAK101: 2 known of as-reported, 1 found" in result.stdout.str()


def test_another_contract(folder, live):
    result = live("--contract", "symmetric", "-k", "EXP-batch")
    result.assert_outcomes(passed=2)
    assert "contract symmetric: rounds" in result.stdout.str()


def test_contracts_of_their_own_are_judged_from_one_run(folder, live):
    scenario = folder / "scen" / "exp-batch.scenario.yaml"
    scenario.write_text(scenario.read_text().replace("topology:", "contract: a2a\ntopology:"))
    result = live("-k", "EXP-batch or DA-one")
    result.assert_outcomes(passed=4)
    assert len(recorded(folder)) == 1
    result.stdout.fnmatch_lines_random(["contract masked: *", "contract a2a: *"])


def test_what_the_system_can_not_be_is_left_out_and_told(folder, live):
    scenario = folder / "scen" / "da-one.scenario.yaml"
    scenario.write_text(scenario.read_text().replace("testbed: {script: single}\n", ""))
    result = live("-k", "DA-one or EXP-batch", "-rs")
    result.assert_outcomes(passed=2, skipped=2)
    assert "DA-one: the testbed can not play it: it has no `testbed:`" in result.stdout.str()


def test_where_nothing_can_be_run_nothing_is_green(folder, live):
    scenario = folder / "scen" / "da-one.scenario.yaml"
    scenario.write_text(scenario.read_text().replace("testbed: {script: single}\n", ""))
    result = live("-k", "DA-one")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "FAILED harness::nothing was run - No scenario was run" in result.stdout.str()


def test_a_system_that_does_not_start_is_one_line(folder, live):
    (folder / "sut.yaml").write_text(
        'version: 1\nagents:\n  deep-research: {url: "http://127.0.0.1:9/a2a"}\nstart: ["false"]\n'
    )
    result = live("-k", "DA-one", "--sut", "sut.yaml")
    result.assert_outcomes(failed=2)
    assert "sut.yaml: the system ended before it was ready, with exit code 1" in result.stdout.str()


def test_a_system_out_of_reach_is_undecided(folder, live):
    """Its card is asked for first, so that not even a round was sent."""
    agent = '{url: "http://127.0.0.1:9/a2a", protocol: auto}'
    (folder / "sut.yaml").write_text(f"version: 1\nagents:\n  deep-research: {agent}\n")
    result = live("-k", "DA-one", "--sut", "sut.yaml")
    result.assert_outcomes(failed=2)
    for item in ("r1", "contract[masked]"):
        assert f"da-one.scenario.yaml::{item} - could not be decided: the sys" in result.stdout.str()
    assert "http://127.0.0.1:9 could not be reached" in result.stdout.str()
