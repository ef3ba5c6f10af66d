"""Options and ini keys, and what is refused in one line before anything runs."""

from __future__ import annotations

import pytest

from harness.pytest_plugin.asking import CI
from harness.pytest_plugin.options import OPTIONS
from tests.pytest_plugin.material import LEAK, capture, scenario, waivers

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--run", "nowhere"), "--run nowhere: there is no such folder"),
        (("--run", "run", "--sut", "testbed"), "--run and --sut together"),
        (("--defect", "nonsense"), "--defect nonsense: no such defect; defects are "),
        (("--set", "nonsense"), "--set nonsense: no such set of defects; sets are fixed, as-reported"),
        (("--sut", "sut.yaml"), "sut.yaml: can not be read"),
        (("--sut", "sut.yaml", "--defect", "mirror-v2"), "only the testbed does as it is told"),
        (("--contract", "harsh"), "harsh"),
        (("--topologies", "none.yaml"), "none.yaml: can not be read"),
        (("--waivers", "none.yaml"), "none.yaml: can not be read"),
        (("--fail-on", "info"), "--fail-on info: no severity"),
        (("--harness-jobs", "0"), "--harness-jobs 0: no number"),
    ],
)
def test_a_mistake_is_a_usage_error(folder, run, arguments, told):
    scenario(folder / "scen")
    (folder / "run").mkdir()
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


@pytest.mark.parametrize("name", CI)
def test_golden_runs_are_not_written_in_ci(folder, run, monkeypatch, name):
    monkeypatch.setenv(name, "true")
    scenario(folder / "scen")
    result = run("--update-golden")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"--update-golden where {name} is set" in result.stderr.str()


def test_the_ini_file_says_the_same(folder, pytester, run):
    pytester.makeini(
        "[pytest]\nharness_run = run\nharness_contract = symmetric\nharness_waivers = waivers.yaml\n"
        "harness_allow_unnamed_captures = true\nharness_allow_missing_captures = true\n"
    )
    scenario(folder / "scen", "DA-1")
    scenario(folder / "scen", "DA-2")
    capture(folder / "run", "DA-1")
    capture(folder / "run", "DA-7")
    waivers(folder, rule="SYM401")
    result = run()
    result.assert_outcomes(passed=2, skipped=2)
    assert "contract symmetric: rounds 2" in result.stdout.str()


def test_the_command_line_wins(folder, pytester, run):
    pytester.makeini("[pytest]\nharness_run = elsewhere\nharness_contract = symmetric\n")
    scenario(folder / "scen")
    capture(folder / "run", frames=LEAK)
    result = run("--run", "run", "--contract", "masked")
    result.assert_outcomes(failed=1, passed=1)


def test_a_run_on_the_command_line_stands_in_for_the_system_of_the_ini_file(folder, pytester, run):
    pytester.makeini("[pytest]\nharness_sut = sut.yaml\n")
    scenario(folder / "scen")
    capture(folder / "run")
    run("--run", "run").assert_outcomes(passed=2)


def test_a_system_on_the_command_line_stands_in_for_the_run_of_the_ini_file(folder, pytester, run):
    pytester.makeini("[pytest]\nharness_run = run\n")
    (folder / "run").mkdir()
    scenario(folder / "scen")
    result = run("--sut", "none.yaml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "none.yaml: can not be read" in result.stderr.str()


def test_paths_of_the_ini_file_are_those_of_its_folder(folder, pytester, run, monkeypatch):
    pytester.makeini("[pytest]\nharness_run = run\n")
    scenario(folder / "scen")
    capture(folder / "run")
    monkeypatch.chdir(folder / "scen")
    run(paths=(".",)).assert_outcomes(passed=2)


def test_a_file_of_topologies(folder, run):
    (folder / "mine.yaml").write_text(
        "version: 1\ntopologies:\n  - name: mine\n    entry: front\n"
        "    agents: [{name: front, kind: react}]\n    edges: [{from: client, to: front}]\n    scenarios: [ME]\n"
    )
    scenario(folder / "scen", "ME-1", topology="mine")
    capture(folder / "run", "ME-1")
    result = run("--run", "run", "--topologies", "mine.yaml", "-m", "topology_react")
    result.assert_outcomes(passed=2)


def test_each_option_is_in_the_help_with_an_ini_key(run):
    text = run("--help", paths=()).stdout.str()
    for one in OPTIONS:
        assert f"--{one.name}" in text
        assert f"\n  {one.dest} (" in text
