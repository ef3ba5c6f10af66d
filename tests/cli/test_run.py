"""`harness run`: what is chosen, what is refused, what is shown, and how it is stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import UsageError
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.recording import until
from tests.live.system import answer

pytestmark = pytest.mark.usefixtures("no_hang")

TOPOLOGIES = """\
version: 1
topologies:
  - {name: one, entry: entry, agents: [{name: entry}]}
  - {name: two, entry: other, agents: [{name: other, kind: agent-invoke}]}
"""
SCENARIO = """\
version: 1
topology: one
rounds:
  - {send: hello, expect: {outcome: COMPLETED}}
"""
SUT = "version: 1\nagents: {{entry: {{url: '{url}/a2a'}}}}\n"


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A folder with scenarios of its own, and topologies."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios").mkdir()
    for name, more in {"a": "testbed: {}\n", "b": "contract: a2a\n", "c": ""}.items():
        text = more + (SCENARIO.replace("one", "two") if name == "c" else SCENARIO)
        (tmp_path / "scenarios" / f"{name}.scenario.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "t.yaml").write_text(TOPOLOGIES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def sut(project):
    with FaultServer(answer) as agent:
        (project / "sut.yaml").write_text(SUT.format(url=agent.url), encoding="utf-8")
        yield agent


COMMON = ("--topologies", "t.yaml", "--sut", "sut.yaml")


def test_all_scenarios_of_the_system(harness, sut, project) -> None:
    """`c` is another agent's; the contract is that which `b` names."""
    said = harness("run", *COMMON, "-o", "report.json", "-o", "junit=r.xml")
    assert said.code == 0, said
    assert re.findall(r"^(\w) +1 +one +COMPLETED", said.out, re.MULTILINE) == ["a", "b"]
    assert "contract a2a" in said.out
    assert re.search(r"^running 2 scenarios on sut.yaml; Ctrl-C stops\n", said.err)
    assert sorted(re.findall(r"^(\w) r1: completed, \d+\.\d s$", said.err, re.MULTILINE)) == ["a", "b"]
    folder = re.search(r"recorded in (captures/run-\S+)", said.err)
    assert folder
    assert (project / folder[1] / "run.json").exists()
    report = json.loads((project / "report.json").read_text(encoding="utf-8"))
    assert [one["scenario"] for one in report["rounds"]] == ["a", "b"]


def test_json_is_all_of_standard_output(harness, sut) -> None:
    said = harness("run", "a", *COMMON, "--json", "-q", "--captures", "here")
    assert json.loads(said.out)["exit"] == said.code == 0
    assert re.fullmatch(r"recorded in here/run-\S+\n", said.err)


def test_chinese(harness, sut) -> None:
    said = harness("run", "a", *COMMON, "--lang", "zh")
    assert "正在 sut.yaml 上运行 1 个场景" in said.err
    assert "a 第 1 轮：completed" in said.err or "a r1：completed" in said.err


def test_a_file_is_a_scenario_and_needs_no_folder(harness, sut, project) -> None:
    (project / "scenarios" / "broken.scenario.yaml").write_text("version: 9\n", encoding="utf-8")
    assert harness("run", "scenarios/a.scenario.yaml", *COMMON).code == 0
    said = harness("run", "a", *COMMON)
    assert (said.code, "broken.scenario.yaml:1 $.version" in said.err) == (2, True)


def test_scenarios_from_elsewhere(harness, sut, project) -> None:
    (project / "scenarios").rename(project / "more")
    assert harness("run", "a", *COMMON, "--scenarios", "more/a.scenario.yaml").code == 0
    assert harness("run", "a", *COMMON, "--scenarios", "more").code == 0


def test_settings_of_the_project(harness, sut, project) -> None:
    (project / "harness.toml").write_text(
        'topologies = "t.yaml"\ncontract = "masked"\njobs = 3\nlang = "zh"\n'
    )
    said = harness("run", "b", "--sut", "sut.yaml")
    assert said.code == 0
    assert "masked" in said.out
    assert "正在" in said.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("z", *COMMON), "no scenario is called 'z'; known are a, b, c, d"),
        (("c", *COMMON), "scenarios/c.scenario.yaml:1: the system has no agent 'other', the entry of two"),
        (("none.yaml", *COMMON), "none.yaml: can not be read"),
        (("a", "--topologies", "t.yaml", "--sut", "none.yaml"), "none.yaml: can not be read"),
        (("a", *COMMON, "--defect", "x"), "--defect with --sut sut.yaml; only the testbed"),
        (("a", *COMMON, "--tokens", "5"), "--tokens with --sut sut.yaml; only the testbed"),
        (("a", *COMMON, "--pace", "1"), "--pace with --sut"),
        (("a", *COMMON, "--generation", "G1"), "--generation with --sut"),
        (("a", *COMMON, "--contract", "none"), "no contract"),
        (("a", *COMMON, "--only", "NONE"), "NONE"),
        (("a", *COMMON, "-o", "x.y"), "no report is known by this ending"),
        (("a", *COMMON, "--jobs", "0"), "--jobs 0"),
        (("a", "--tokens", "-1"), "--tokens"),
        (
            ("a", "--topologies", "t.yaml", "--tokens", "1000001"),
            "--tokens: 1000001 is not allowed; give a whole number from 0 to 1000000",
        ),
        (
            ("a", "--topologies", "t.yaml", "--pace", "nan"),
            "--pace: nan is not allowed; give seconds from 0 to 60",
        ),
        (
            ("d", "--topologies", "t.yaml", "--contract", "a2a"),
            "scenarios/d.scenario.yaml:2 $.testbed.script: 'none' is not allowed; use one",
        ),
        (("d", *COMMON), "scenarios/d.scenario.yaml:3 $.contract: no contract is called 'none'; name"),
        (("scenarios", *COMMON), "scenarios is a folder; name scenarios, or `--scenarios scenarios`"),
        (("a",), "scenarios/a.scenario.yaml:3 $.topology: no topology is called 'one'"),
        (
            ("b", "--topologies", "t.yaml"),
            "scenarios/b.scenario.yaml:1: the testbed can not play this scenario",
        ),
        (
            ("a", "--topologies", "t.yaml", "--set", "broken"),
            "--set broken: no such set of defects; sets are fixed, as-rep",
        ),
        (
            ("a", "--topologies", "t.yaml", "--defect", "x"),
            "--defect x: no such defect; defects are mirror-v1, ",
        ),
        (("--scenarios", "t.yaml"), "t.yaml:1 $: 'topology': Field required"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(harness, sut, project, arguments, said: str) -> None:
    text = "version: 1\ntestbed: {script: none}\ncontract: none\n" + SCENARIO.partition("\n")[2]
    (project / "scenarios" / "d.scenario.yaml").write_text(text, encoding="utf-8")
    told = harness("run", *arguments)
    assert (told.code, said in told.err, told.err.count("\n")) == (2, True, 1), told.err
    assert not (project / "captures").exists()
    assert sut.requests == []


def test_a_system_that_is_not_there(harness, project) -> None:
    (project / "sut.yaml").write_text(SUT.format(url="http://127.0.0.1:9"), encoding="utf-8")
    said = harness("run", "a", *COMMON)
    assert said.code == 3
    assert re.search(r"a r1: -, \d+\.\d s  no answer: RemoteProtocolError", said.err)


def test_a_variable_that_is_not_set(harness, project) -> None:
    text = SUT.format(url="http://${NO_SUCH_HOST}")
    (project / "sut.yaml").write_text(text, encoding="utf-8")
    said = harness("run", "a", *COMMON)
    assert (said.code, "the environment variable NO_SUCH_HOST is not set; export" in said.err) == (2, True)


def test_the_testbed_with_one_defect_and_with_none(harness, project) -> None:
    """Each script can show an event behind the end (A2A 1.0, streaming)."""
    (project / "scenarios" / "DA-x.scenario.yaml").write_text(
        SCENARIO.replace("one", "deep-research") + "testbed: {script: plain}\n", encoding="utf-8"
    )
    defect = "events-after-end"
    red = harness("run", "DA-x", "--defect", defect, "--json", "-q")
    found = {
        each["rule"]
        for one in json.loads(red.out)["rounds"]
        for each in one["findings"]
        if each["severity"] == "error"
    }
    assert (red.code, found) == (1, {"ORD507"})
    assert harness("run", "DA-x", "-q").code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_seals_the_run(project, number) -> None:
    def hangs(peer: Peer) -> None:
        peer.head()
        peer.until_left()

    root = Path(__file__).resolve().parents[2]
    with FaultServer(hangs) as agent:
        (project / "sut.yaml").write_text(SUT.format(url=agent.url), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-m", "harness", "run", "a", *COMMON],
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(root), "LC_ALL": "C"},
        )
        try:
            assert agent.asked.wait(60)
            process.send_signal(number)
            said = process.communicate(timeout=60)[1].decode()
        finally:
            process.kill()
            process.wait()
    assert process.returncode == 128 + number
    assert f"stopped by {number.name}: what was recorded is sealed" in said
    assert "Traceback" not in said
    (folder,) = (project / "captures").iterdir()
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert run["ended"]
    assert len(run["exchanges"]) == 1


def children(of: int) -> set[int]:
    """All processes below one."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == of:
            found |= {int(path.parent.name)} | children(int(path.parent.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_testbed_ends_with_the_command(project, number) -> None:
    """Whatever ends it; a kill leaves the run unsealed."""
    text = SCENARIO.replace("one", "deep-research") + "testbed: {script: plain, tokens: 100000, pace: 0.05}\n"
    (project / "DA-x.scenario.yaml").write_text(text, encoding="utf-8")
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", "run", "DA-x.scenario.yaml", "-q"],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(root), "LC_ALL": "C"},
    )
    try:
        until(lambda: any(project.glob("captures/run-*/*.client.sse")), "the first recorded event")
        below = children(process.pid)
        assert len(below) >= 5  # the testbed, three agents, the model
        process.send_signal(number)
        process.wait(60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == (130 if number == signal.SIGINT else -9)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), "the end of the testbed")
    (run,) = project.glob("captures/run-*/run.json")
    assert (json.loads(run.read_text(encoding="utf-8"))["ended"] is None) == (number == signal.SIGKILL)


def test_a_terminal_shows_what_runs_and_keeps_what_is_over(harness, sut, monkeypatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    said = harness("run", "a", *COMMON).err
    assert "\r\x1b[Ka r1 is running ...\r\x1b[Ka r1: completed, " in said
    assert "is running" not in harness("run", "a", *COMMON, "-q").err


def test_help_names_the_sets_and_the_testbed(harness) -> None:
    said = harness("run", "--help")
    assert said.code == 0
    assert "as-reported" in said.out
    assert "harness run DA-09 --set as-reported" in said.out


def test_known_findings_of_what_the_testbed_does_not_have_are_told(harness, project, monkeypatch) -> None:
    """A misspelt set would never be looked for."""

    def no(*_: object) -> None:
        raise UsageError("not needed here")

    monkeypatch.setattr("harness.cli.run._ran", no)
    known = "known: {as-reportet: {}, fixed: {}, wrong-ids+mirror-v1: {}, wrong-ids+x: {}}\n"
    path = project / "scenarios" / "a.scenario.yaml"
    path.write_text(SCENARIO + known + "testbed: {}\n", encoding="utf-8")
    lines = harness("run", "a", "--topologies", "t.yaml").err.splitlines()
    assert [line.split("known: ")[1] for line in lines[:-1]] == [
        "'as-reportet' is no set and no defects of the testbed",
        "'wrong-ids+x' is no set and no defects of the testbed",
    ]
