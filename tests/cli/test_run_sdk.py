"""The whole command against unmodified servers of the official SDK: v1.0 and v0.3, as processes over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.sdk_server import SdkServer

pytestmark = pytest.mark.usefixtures("no_hang")

TOPOLOGIES = "version: 1\ntopologies:\n  - {name: sdk, entry: sdk-agent, agents: [{name: sdk-agent}]}\n"
HEAD = "version: 1\ntopology: sdk\ncontract: a2a\ntimeout: 20\nrounds:\n"
SCENARIOS = {
    "good": "  - {send: complete please, expect: {outcome: COMPLETED, text: {has: [all done]}, interactions: []}}\n",
    "asks": "  - send: ask please\n"
    "    expect: {outcome: INTERACTION, interactions: [{kind: user_input, exposure: native}]}\n"
    "  - {answer: complete Beijing, expect: {outcome: COMPLETED}}\n",
    "drops": "  - {send: drop please, expect: {outcome: COMPLETED}}\n",
}


@pytest.fixture(scope="module")
def agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "t.yaml").write_text(TOPOLOGIES, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    for name, rounds in SCENARIOS.items():
        (tmp_path / "scenarios" / f"{name}.scenario.yaml").write_text(HEAD + rounds, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("protocol", ["v1.0", "v0.3", "auto"])
def test_each_scenario_is_judged_right(agent, project, process, protocol: str) -> None:
    sut = f"version: 1\nagents: {{sdk-agent: {{url: '{agent.url}/rpc', protocol: {protocol}}}}}\n"
    (project / "sut.yaml").write_text(sut, encoding="utf-8")
    common = ("--sut", "sut.yaml", "--topologies", "t.yaml", "--json")
    root = str(Path(__file__).resolve().parents[2])
    done = process("run", *common, cwd=project, env={"PYTHONPATH": root})
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    dialect = "v0.3" if protocol == "v0.3" else "v1.0"
    rounds = {(one["scenario"], one["round"]): one for one in report["rounds"]}
    assert {one["dialect"] for one in rounds.values()} == {dialect}
    assert {name: one["outcome"] for name, one in rounds.items()} == {
        ("asks", 1): "INTERACTION",
        ("asks", 2): "COMPLETED",
        ("drops", 1): "NO_TERMINAL",
        ("good", 1): "COMPLETED",
    }
    red = {
        name[0]: {each["rule"] for each in one["findings"] if each["severity"] == "error"}
        for name, one in rounds.items()
    }
    assert (red["good"], red["asks"]) == (set(), set())
    assert "SCN101" in red["drops"]
