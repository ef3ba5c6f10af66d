"""`harness init`: what it writes is read by our own loaders and runs, and nothing is written over."""

from __future__ import annotations

import io
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from harness import scenario, topologies, waivers
from harness.cli.initial.files import CI_FILES
from harness.cli.initial.project import CI, KINDS, named, remotes
from harness.errors import UsageError
from harness.scenario import sut
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.sdk_server import SdkServer

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("no_hang")
OURS = ["harness.toml", "scenarios/topologies.yaml", "scenarios/waivers.yaml", "sut.yaml"]
DEAD = "http://127.0.0.1:9/a2a"
"""Nobody serves there: the port of the discard protocol."""


@pytest.fixture(scope="module")
def agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


@pytest.fixture
def here(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "pilot"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def written(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(("protocol", "dialect"), [(None, "v1.0"), ("v1.0", "v1.0"), ("v0.3", "v0.3"), ("auto", "v1.0")])  # fmt: skip
def test_it_runs_at_once_against_the_official_sdk(
    agent, here, harness, process, protocol, dialect: str
) -> None:
    asked = ("--protocol", protocol) if protocol else ()
    said = harness("init", "--entry", agent.url, *asked)
    assert said.code == 0, said.err
    assert f"{agent.url}/.well-known/agent-card.json: the card of 'entry' offers " in said.err
    assert said.out.split("\n")[1:] == [
        "  harness run --sut sut.yaml",
        "  pytest",
        "  harness check --watch captures",
        "",
    ]
    done = process("run", "--sut", "sut.yaml", "--json", cwd=here, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    [one] = report["rounds"]
    assert (one["scenario"], one["topology"], one["dialect"], one["outcome"]) == ("entry-01", "entry", dialect, "COMPLETED")  # fmt: skip
    assert report["contract"] == "masked"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("contract", ["masked", "symmetric", "unified", "a2a"])
def test_everything_that_is_written_is_read_by_our_own_loaders(
    here, harness, kind: str, contract: str
) -> None:
    more = (
        "--remote",
        "search-agent=http://127.0.0.1:8192/a2a",
        "--remote",
        "检索=https://far.example/x",
        "--send",
        'say "hi": #1',
    )
    said = harness("init", "--entry", DEAD, "--name", "yes", "--kind", kind, "--contract", contract, *more)
    assert said.code == 0, said.err
    [topology] = topologies.load("scenarios/topologies.yaml")
    assert (topology.name, topology.entry, topology.scenarios) == ("yes", "yes", ("yes",))
    assert [one.kind for one in topology.agents] == [None if kind == "unknown" else kind, None, None]
    assert [(one.source, one.target) for one in topology.edges] == [("client", "yes"), ("yes", "search-agent"), ("yes", "检索")]  # fmt: skip
    found = scenario.load_all("scenarios")
    scenario.check_against(found, (topology,))
    [one] = found
    assert (one.name, one.contract, one.rounds[0].parts[0].text) == ("yes-01", contract, 'say "hi": #1')
    system = sut.load("sut.yaml", {})
    sut.check_against(system, (topology,))
    assert [(a.name, a.url, a.protocol, a.listen) for a in system.agents] == [
        ("yes", DEAD, "auto", None),
        ("search-agent", "http://127.0.0.1:8192/a2a", "v1.0", ("127.0.0.1", 9192)),
        ("检索", "https://far.example/x", "v1.0", ("127.0.0.1", 19080)),
    ]
    assert waivers.load("scenarios/waivers.yaml") == ()
    assert harness("check", "nothing.sse").code == 3, "the settings are right, and there is no capture"
    assert tomllib.loads((here / "harness.toml").read_text())["contract"] == contract
    assert "have it call http://127.0.0.1:9192/a2a in place of http://127.0.0.1:8192/a2a" in said.err


@pytest.mark.parametrize("ci", CI)
def test_the_file_of_each_ci_system(here, harness, ci: str) -> None:
    assert harness("init", "--entry", DEAD, "--ci", ci).code == 0
    expected = [*OURS, "scenarios/pilot-01.scenario.yaml", ".gitignore", "pytest.ini"]
    expected += [CI_FILES[ci][0]] if ci != "none" else []
    expected += [".gitlab-ci.yml"] if ci == "gitlab" else []
    assert written(here) == sorted(expected)
    for path in here.rglob("*.yml"):
        assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_nothing_is_written_over(here, harness) -> None:
    (here / "sut.yaml").write_text("mine")
    (here / "scenarios").mkdir()
    (here / "scenarios/waivers.yaml").write_text("mine too")
    said = harness("init", "--entry", DEAD)
    assert said.code == 2
    assert "sut.yaml, scenarios/waivers.yaml in . is there already; --force" in said.err
    assert written(here) == ["scenarios/waivers.yaml", "sut.yaml"]
    assert harness("init", "--entry", DEAD, "--force").code == 0
    assert waivers.load("scenarios/waivers.yaml") == ()


def test_settings_in_pyproject_are_not_overruled(here, harness) -> None:
    (here / "pyproject.toml").write_text("[tool.harness]\njobs = 2\n")
    said = harness("init", "--entry", DEAD)
    assert said.code == 2
    assert "pyproject.toml [tool.harness]" in said.err


@pytest.mark.parametrize(
    ("file", "text", "lines"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\n", ['    harness_sut = "sut.yaml"', '    harness_topologies = "scenarios/topologies.yaml"']),
        ("setup.cfg", "[tool:pytest]\n", ["    harness_sut = sut.yaml", "    harness_topologies = scenarios/topologies.yaml"]),
        ("pytest.ini", "[pytest]\n", ["    harness_sut = sut.yaml", "    harness_topologies = scenarios/topologies.yaml"]),
        (".gitignore", "reports/\n", ["    captures/run-*/", "    reports/"]),
        (".gitlab-ci.yml", "test:\n  script: [true]\n", ["    include:", "      - local: ci/harness.gitlab-ci.yml"]),
    ],
)  # fmt: skip
def test_files_that_a_project_has_are_left_alone_and_the_lines_told(here, harness, file, text, lines) -> None:
    (here / file).write_text(text)
    said = harness("init", "--entry", DEAD, "--ci", "gitlab")
    assert said.code == 0, said.err
    assert (here / file).read_text() == text
    _, _, told = said.err.partition(f"{file} is yours; add to it:\n")
    assert told.split("\n")[: len(lines)] == lines
    (here / file).write_text(text + "".join(f"{line[4:]}\n" for line in lines))
    assert "is yours" not in harness("init", "--entry", DEAD, "--ci", "gitlab", "--force").err


def test_a_dry_run_shows_and_writes_nothing(here, harness) -> None:
    said = harness("init", "new", "--entry", DEAD, "--dry-run", "--ci", "jenkins")
    assert said.code == 0
    assert [line[4:] for line in said.out.split("\n") if line.startswith("==> ")] == [
        "scenarios/topologies.yaml", "scenarios/new-01.scenario.yaml", "sut.yaml", "scenarios/waivers.yaml", "harness.toml",
        "ci/harness.Jenkinsfile", ".gitignore", "pytest.ini",
    ]  # fmt: skip
    assert written(here) == []


def test_another_folder_is_made_and_named(here, harness) -> None:
    said = harness("init", "sit/a2a", "--entry", DEAD)
    assert said.code == 0
    assert "  cd sit/a2a\n" in said.out
    assert "sit/a2a/sut.yaml" in written(here)


def test_without_a_terminal_what_is_needed_is_named(here, process) -> None:
    done = process("init", cwd=here, env={"PYTHONPATH": str(ROOT)}, input=b"")
    assert done.returncode == 2
    assert b"--entry is missing" in done.stderr
    assert written(here) == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_it_asks(here, harness, monkeypatch, agent) -> None:
    answers = ["ftp://x", agent.url, "client", "desk", "robot", "deepagent", "search", f"search={DEAD}", "search=http://h/", "", "nowhere", "a2a", "gitlab", "complete please"]  # fmt: skip
    monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{one}\n" for one in answers)))
    said = harness("init")
    assert said.code == 0, said.err
    for told in ("no http or https URL", "no name of an agent", "none of them", "no NAME=URL", "two agents are called 'search'", "nowhere"):  # fmt: skip
        assert told in said.err
    assert "name of the topology and its entry agent [entry]: " in said.err
    [topology] = topologies.load("scenarios/topologies.yaml")
    assert [(one.name, one.kind) for one in topology.agents] == [("desk", "deepagent"), ("search", None)]
    assert scenario.load("scenarios/desk-01.scenario.yaml").rounds[0].parts[0].text == "complete please"
    assert sut.load("sut.yaml", {}).agents[0].protocol == "v1.0"
    assert (here / ".gitlab-ci.yml").exists()


def test_answers_may_be_left_out_and_the_end_of_input_is_no_answer(here, harness, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(f"{DEAD}\n\n\n"))
    said = harness("init", "--lang", "zh")
    assert said.code == 2
    assert "入口智能体的地址: " in said.err
    assert written(here) == []
    monkeypatch.setattr(sys, "stdin", Terminal(DEAD + "\n" * 7))
    assert harness("init").code == 0
    assert scenario.load("scenarios/pilot-01.scenario.yaml").contract == "masked"


def card(told: dict[str, object]):
    def script(peer: Peer) -> None:
        body = json.dumps(told).encode()
        peer.head(
            200, (("content-type", "application/json"), ("content-length", str(len(body)))), chunked=False
        )
        peer.send(body)

    return script


def test_a_card_of_v03_with_a_hostile_name(here, harness) -> None:
    told = {
        "name": "\x1b[2J<b>深度 Research</b>\n" + "x" * 500,
        "protocolVersion": "0.3.0",
        "url": "http://elsewhere.example/rpc",
    }
    with FaultServer(card(told)) as server:
        said = harness("init", "--entry", server.url)
        assert said.code == 0, said.err
        assert "\x1b" not in said.err
        [one] = sut.load("sut.yaml", {}).agents
    assert (one.url, one.protocol) == (f"{server.url}/rpc", "v0.3"), "no card leads elsewhere"
    assert one.name.startswith("2j-b-深度-research-b-xxx")
    assert len(one.name) <= 40


def test_an_address_from_the_environment(here, harness, monkeypatch) -> None:
    arguments = ("init", "--entry", "${ENTRY_URL}", "--name", "desk")
    said = harness(*arguments)
    assert said.code == 2
    assert "the environment variable ENTRY_URL is not set" in said.err
    monkeypatch.setenv("ENTRY_URL", DEAD)
    assert harness(*arguments).code == 0
    assert sut.load("sut.yaml", {"ENTRY_URL": "http://b.example/"}).agents[0].url == "http://b.example/"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--entry", "x"], "'x' is no http or https URL"),
        (["--entry", "http://a b/"], "no http or https URL"),
        (["--entry", "http://u:p@h/"], "credentials in a URL"),
        (["--entry", DEAD, "--name", "a b"], "'a b' is no name of an agent"),
        (["--entry", DEAD, "--name", "llm"], "'llm' is no name"),
        (["--entry", DEAD, "--remote", "x"], "--remote x: no NAME=URL"),
        (["--entry", DEAD, "--remote", "pilot=http://h/"], "two agents are called 'pilot'"),
        (["--entry", DEAD, "--contract", "nowhere"], "nowhere"),
        (["--entry", DEAD, "--ci", "teamcity"], "--ci"),
        (["--entry", DEAD, "--send", ""], "$.rounds[0].send"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_written(here, harness, arguments, told: str) -> None:
    said = harness("init", *arguments)
    assert said.code == 2
    assert told in said.err
    assert written(here) == []


def test_a_folder_that_can_not_be_written(here, harness) -> None:
    (here / "file").write_text("")
    said = harness("init", "file", "--entry", DEAD)
    assert said.code == 2
    assert "can not be written" in said.err


@pytest.mark.parametrize(
    ("texts", "name"),
    [(("Deep Research!",), "deep-research"), (("", None, "Ägent_1"), "ägent-1"), (("llm", "..."), "agent"), (("x" * 99,), "x" * 40)],
)  # fmt: skip
def test_names_are_made_of_what_there_is(texts, name: str) -> None:
    assert named(*texts) == name


def test_listening_ports_are_all_different() -> None:
    found = remotes(["a=http://h:8080/", "b=http://i:8080/", "c=http://h:65000/", "d=http://h/"], "e")
    assert [one.listen for one in found] == [9080, 9081, 64000, 19080]
    with pytest.raises(UsageError):
        remotes(["a=http://h/", "a=http://i/"], "e")
