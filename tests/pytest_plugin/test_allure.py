"""What Allure gets: labels, links, steps, attachments, and the four ways to be not green."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.rules.example import artifact, status
from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import GREEN, LEAK, OPEN, UNKNOWN, capture, scenario, waivers

pytest_plugins = ["pytester"]

type Told = Callable[..., dict[str, Any]]


@pytest.fixture
def told(pytester: pytest.Pytester, folder: Path) -> Told:
    """The results by name; with `-n` in processes of their own."""

    def go(*arguments: str) -> dict[str, Any]:
        every = (*PLUGIN, "scen", "--run", "run", "--alluredir", "results", *arguments)
        (pytester.runpytest_subprocess if "-n" in arguments else pytester.runpytest_inprocess)(*every)
        read = (json.loads(path.read_text()) for path in (folder / "results").glob("*-result.json"))
        return {one["name"]: one for one in read}

    return go


def labels(result: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in result["labels"]:
        found.setdefault(one["name"], []).append(one["value"])
    return found


def attached(folder: Path, holder: dict[str, Any]) -> dict[str, str]:
    """Names and texts of what is attached to a result or a step."""
    return {one["name"]: (folder / "results" / one["source"]).read_text() for one in holder["attachments"]}


def test_labels_steps_and_attachments_of_a_leak(folder, told):
    scenario(folder / "scen", tags=["seed-000"])
    path = capture(folder / "run", frames=LEAK)
    result = told()["DA-1 r1"]
    found = labels(result)
    assert {name: found[name] for name in ("parentSuite", "suite", "subSuite", "story", "severity")} == {
        "parentSuite": ["deep-research"],
        "suite": ["DA-1"],
        "subSuite": ["deepagent"],
        "story": ["masked"],
        "severity": ["critical"],
    }
    assert {"topology_deepagent", "seed-000"} <= set(found["tag"])
    assert result["status"] == "failed"
    assert result["statusDetails"]["message"] == "LEAK101 delegation-on-content-channel"
    assert "harness explain LEAK101" in result["statusDetails"]["trace"]
    [step] = result["steps"]
    assert (step["name"], step["status"]) == ("round 1: COMPLETED", "failed")
    files = attached(folder, step)
    assert files["body"] == path.read_text()
    assert "! leaked delegation on content" in files["timeline"]
    [inner] = step["steps"]
    assert inner["name"].startswith("LEAK101 delegation-on-content-channel: ")
    assert path.read_text().split("\n\n")[2] in attached(folder, inner)["finding.txt"]
    verdict = json.loads(attached(folder, result)["verdict.json"])
    assert [one["outcome"] for one in verdict["rounds"]] == ["COMPLETED"]
    assert "pytest_plugin/" not in json.dumps(result)


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_four_ways_to_be_not_green(folder, told, workers):
    for name, frames in {"DA-1": LEAK, "DA-2": UNKNOWN, "DA-3": LEAK, "DA-4": GREEN}.items():
        scenario(folder / "scen", name)
        capture(folder / "run", name, frames)
    waivers(folder, scope="{scenario: DA-3}")
    found = told("--waivers", "waivers.yaml", *workers)
    statuses = {name: one["status"] for name, one in found.items() if name.endswith("r1")}
    assert statuses == {"DA-1 r1": "failed", "DA-2 r1": "unknown", "DA-3 r1": "skipped", "DA-4 r1": "passed"}
    assert found["DA-3 r1"]["links"] == [{"type": "issue", "url": "https://tracker.example/1", "name": "W-1"}]
    assert found["DA-3 r1"]["statusDetails"]["message"].startswith("XFAIL waived as W-1: mended with")


def test_an_error_of_the_harness_is_broken(folder, told):
    scenario(folder / "scen")
    capture(folder / "run")
    (folder / "scenarios").mkdir()
    (folder / "scenarios/waivers.yaml").write_text("version: 2\n")
    found = told()
    assert set(found) == {"DA-1 r1", "DA-1 contract[masked]"}
    assert {one["status"] for one in found.values()} == {"broken"}
    assert {one["statusDetails"]["message"].split(": ")[0] for one in found.values()} == {
        "scenarios/waivers.yaml:1 $.version"
    }


def test_what_was_not_recorded_stands_where_its_scenario_does(folder, told):
    scenario(folder / "scen", rounds="  - send: x\n  - answer: y\n")
    scenario(folder / "scen", "DA-2")
    capture(folder / "run")
    found = told()
    assert set(found) == {
        "DA-1 r1", "DA-1 r2", "DA-1 contract[masked]", "DA-2 r1", "DA-2 contract[masked]",
    }  # fmt: skip
    for name in ("DA-1 r2", "DA-2 r1"):
        one = labels(found[name])
        assert (one["parentSuite"], one["suite"], one["story"]) == (["deep-research"], [name[:4]], ["masked"])


def test_the_contract_lists_the_rounds_and_the_other_legs(folder, told):
    scenario(folder / "scen", rounds="  - send: x\n  - answer: y\n")
    capture(folder / "run")
    capture(folder / "run", round=2)
    capture(folder / "run", frames=(*GREEN, *OPEN), leg="search-agent")
    result = told()["DA-1 contract[masked]"]
    assert [(one["name"], one["status"]) for one in result["steps"]] == [
        ("round 1: COMPLETED", "passed"),
        ("round 2: COMPLETED", "passed"),
        ("round 1 [search-agent]: COMPLETED", "failed"),
    ]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_categories_environment_and_what_belongs_to_no_item(folder, told, workers):
    scenario(folder / "scen")
    capture(folder / "run")
    capture(folder / "run", "DA-7")
    told("--contract", "symmetric", *workers)
    categories = json.loads((folder / "results/categories.json").read_text())
    assert {status for one in categories for status in one["matchedStatuses"]} == {
        "failed", "broken", "unknown", "skipped",
    }  # fmt: skip
    environment = (folder / "results/environment.properties").read_text().splitlines()
    assert {"system=run", "run=run", "contract=symmetric"} <= set(environment)
    [told_once] = (folder / "results").glob("*-globals.json")
    assert "Captures that no scenario names: 1" in told_once.read_text()


def test_hostile_text_is_only_text(folder, told):
    evil = "<script>alert(1)</script> \x1b[31m \u202e ]]>"
    scenario(folder / "scen", rounds="  - send: x\n    expect: {text: {lacks: [script]}}\n")
    capture(folder / "run", frames=(*OPEN, artifact(evil), status("failed", evil)))
    result = told()["DA-1 r1"]
    assert {one["type"] for one in result["steps"][0]["attachments"]} == {"text/plain"}
    shown = json.dumps(
        {key: value for key, value in result.items() if key != "attachments"}, ensure_ascii=False
    )
    assert "\x1b" not in shown and "\u202e" not in shown


def test_without_alluredir_nothing_of_it_is_loaded(folder, pytester):
    scenario(folder / "scen")
    capture(folder / "run")
    pytester.makeconftest(
        "def pytest_sessionfinish():\n"
        "    import sys\n"
        "    assert 'harness.pytest_plugin.allure' not in sys.modules\n"
    )
    assert pytester.runpytest_subprocess(*PLUGIN, "scen", "--run", "run").ret == 0
    assert pytester.runpytest_subprocess("-p", "no:allure_pytest", *PLUGIN, "scen", "--run", "run").ret == 0
