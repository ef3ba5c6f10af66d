"""Scenario files become items: ids, order, marks, and mistakes in one line."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.material import capture, scenario

pytest_plugins = ["pytester"]

TWO = "  - send: Compare\n  - answer: yes\n"


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def test_a_round_is_an_item_and_so_is_the_contract(folder, run):
    scenario(folder / "scen", "DA-1", TWO)
    scenario(folder / "scen", "DA-2", contract="a2a")
    assert ids(run("--collect-only", "-q")) == [
        "scen/da-1.scenario.yaml::r1",
        "scen/da-1.scenario.yaml::r2",
        "scen/da-1.scenario.yaml::contract[masked]",
        "scen/da-2.scenario.yaml::r1",
        "scen/da-2.scenario.yaml::contract[a2a]",
    ]


def test_a_contract_that_is_asked_for_is_that_of_all(folder, run):
    scenario(folder / "scen", "DA-2", contract="a2a")
    assert ids(run("--collect-only", "-q", "--contract", "symmetric")) == [
        "scen/da-2.scenario.yaml::r1",
        "scen/da-2.scenario.yaml::contract[symmetric]",
    ]


def test_one_item_can_be_named(folder, judge):
    scenario(folder / "scen", "DA-1", TWO)
    capture(folder / "run", "DA-1")
    capture(folder / "run", "DA-1", round=2)
    judge(paths=("scen/da-1.scenario.yaml::r2",)).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        (("-m", "topology_deepagent"), {"da-1", "da-2"}),
        (("-m", "topology_plan_agent"), {"edpa-1"}),
        (("-m", "seed-000"), {"da-2"}),
        (("-k", "DA-1"), {"da-1"}),
        (("-k", "deep-research"), {"da-1", "da-2"}),
        (("-k", "edpa-1 and contract"), {"edpa-1"}),
    ],
)
def test_marks_and_keywords_choose(folder, run, arguments, chosen):
    scenario(folder / "scen", "DA-1")
    scenario(folder / "scen", "DA-2", tags=["seed-000"])
    scenario(folder / "scen", "EDPA-1", topology="edpa")
    found = {line.split("/")[1].split(".")[0] for line in ids(run("--collect-only", "-q", *arguments))}
    assert found == chosen


def test_marks_are_known_to_strict_markers(folder, run):
    scenario(folder / "scen", "DA-2", tags=["seed-000"])
    assert len(ids(run("--collect-only", "-q", "--strict-markers"))) == 2


@pytest.mark.parametrize(
    ("rounds", "members", "told"),
    [
        ("  - sent: Compare\n", {}, "scen/da-1.scenario.yaml:5 $.rounds[0].sent: "),
        (
            "  - send: x\n",
            {"topology": "nowhere"},
            "scen/da-1.scenario.yaml:3 $.topology: no topology is called 'nowhere'",
        ),
        ("  - send: x\n", {"contract": "harsh"}, "harsh"),
        (
            "  - send: x\n",
            {"tags": ["skip"]},
            "the tag 'skip' can not be a mark of pytest; choose another word",
        ),
        ("  - send: x\n", {"tags": ["_a"]}, "the tag '_a' can not be a mark of pytest"),
    ],
)
def test_a_mistake_is_one_line_and_stops_the_session(folder, run, rounds, members, told):
    scenario(folder / "scen", "DA-1", rounds, **members)
    scenario(folder / "scen", "DA-2")
    result = run()
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    output = result.stdout.str()
    assert told in output
    assert "Traceback" not in output and "harness/scenario" not in output


def test_a_name_stands_in_one_file(folder, run):
    scenario(folder / "scen", "DA-1")
    scenario(folder / "scen/more", "DA-1")
    result = run("--collect-only")
    result.assert_outcomes(errors=1)
    assert "the scenario 'DA-1' stands in scen/da-1.scenario.yaml already" in result.stdout.str()


def test_other_files_are_left_alone(folder, run):
    scenario(folder / "scen", "DA-1")
    (folder / "scen" / "topologies.yaml").write_text("not: ours")
    (folder / "scen" / "waivers.yaml").write_text("not: ours")
    assert len(ids(run("--collect-only", "-q"))) == 2
