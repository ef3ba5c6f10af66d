"""The file of `--sut`: addresses, how the system is started, and that no secret stands in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import topologies
from harness.errors import ScenarioError
from harness.scenario import sut
from harness.scenario.sut import Sut, SutAgent, SutModel

MINIMAL = "version: 1\nagents:\n  deep-research: {url: 'http://127.0.0.1:8191/a2a'}\n"
AGENT = SutAgent("deep-research", "http://127.0.0.1:8191/a2a")
ENVIRON = {"TOKEN": "s3cret-${x}", "HOST": "sit.example"}


def parse(text: str) -> Sut:
    return sut.parse(text, "sut.yaml", ENVIRON)


def test_the_least_that_can_be_written() -> None:
    assert parse(MINIMAL) == Sut("sut.yaml", (AGENT,))


def test_all_that_can_be_written() -> None:
    made = parse(
        """\
version: 1
agents:
  deep-research:
    url: http://${HOST}:8191/a2a
    headers: {Authorization: "Bearer ${TOKEN}", X-Space-ID: default}
    protocol: auto
  search-agent: {url: "https://127.0.0.1:8192/", listen: 9192, protocol: v0.3}
  verify-agent: {url: "http://127.0.0.1:8193", listen: "0.0.0.0:9193"}
model: {url: "https://llm.internal/v1", listen: "9194"}
start: [python, -m, agent, "--peer=${HARNESS_LEG_SEARCH_AGENT}", "--host=${HOST}"]
env: {OPENAI_API_KEY: "${TOKEN}", OPENAI_BASE_URL: "${HARNESS_MODEL_URL}"}
ready: {url: "http://${HOST}:8191/health", timeout: 5}
stop: {timeout: 2.5}
log: agent.log
"""
    )
    assert made == Sut(
        "sut.yaml",
        (
            SutAgent(
                "deep-research",
                "http://sit.example:8191/a2a",
                (("Authorization", "Bearer s3cret-${x}"), ("X-Space-ID", "default")),
                None,
                "auto",
                ("Authorization",),
            ),
            SutAgent("search-agent", "https://127.0.0.1:8192/", (), ("127.0.0.1", 9192), "v0.3"),
            SutAgent("verify-agent", "http://127.0.0.1:8193", (), ("0.0.0.0", 9193)),
        ),
        SutModel("https://llm.internal/v1", ("127.0.0.1", 9194)),
        ("python", "-m", "agent", "--peer=${HARNESS_LEG_SEARCH_AGENT}", "--host=sit.example"),
        (("OPENAI_API_KEY", "s3cret-${x}"), ("OPENAI_BASE_URL", "${HARNESS_MODEL_URL}")),
        "http://sit.example:8191/health",
        5,
        2.5,
        "agent.log",
    )
    assert made.agent("search-agent") == made.agents[1]
    assert made.agent("none") is None


def test_a_model_of_the_testbed() -> None:
    assert parse(MINIMAL + "model: {testbed: true, listen: 9190}\n").model == SutModel(
        None, ("127.0.0.1", 9190)
    )


def agent(more: str) -> str:
    return f"version: 1\nagents:\n  a: {{{more}}}\n"


URL = "url: 'http://h/'"
SECRET = 'a secret stands in the file; write "${'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 1\nagents: {}\n", "sut.yaml:2 $.agents: Dictionary should have at least 1"),
        (agent(""), "sut.yaml:3 $.agents.a: 'url': Field required"),
        (agent("url: here"), "sut.yaml:3 $.agents.a.url: 'here' is no http or https URL"),
        (agent("url: 'http://h:x/'"), "sut.yaml:3 $.agents.a.url: 'http://h:x/' is no http"),
        (agent("url: 'http://u:p@h/'"), "sut.yaml:3 $.agents.a.url: credentials in a URL"),
        (
            agent("url: 'http://${NONE}/'"),
            "sut.yaml:3 $.agents.a.url: the environment variable NONE is not set; exp",
        ),
        (
            agent("url: '${HARNESS_MODEL_URL}'"),
            "sut.yaml:3 $.agents.a.url: HARNESS_MODEL_URL is not known here; use it in `start`",
        ),
        (agent(URL + ", listen: host"), "sut.yaml:3 $.agents.a.listen: 'host' is no port"),
        (agent(URL + ", listen: 70000"), "sut.yaml:3 $.agents.a.listen: 70000 is no port"),
        (agent(URL + ", protocol: v2"), "sut.yaml:3 $.agents.a.protocol: Input should be"),
        (agent(URL + ", headers: {'a b': c}"), "sut.yaml:3 $.agents.a.headers.a b"),
        (agent(URL + ", headers: {X-A: 'ü'}"), "sut.yaml:3 $.agents.a.headers.X-A: no value of a header"),
        (agent(URL + ', headers: {X-A: "a\\nb"}'), "sut.yaml:3 $.agents.a.headers.X-A: no value of a header"),
        (
            agent(URL + ", headers: {Authorization: Bearer abc}"),
            f'sut.yaml:3 $.agents.a.headers.Authorization: {SECRET}AUTHORIZATION}}"',
        ),
        (
            agent(URL + ", headers: {X-API-Key: abc}"),
            f'sut.yaml:3 $.agents.a.headers.X-API-Key: {SECRET}X_API_KEY}}"',
        ),
        (
            agent(URL + ", headers: {cookie: 'a=${TOKEN}'}"),
            f'sut.yaml:3 $.agents.a.headers.cookie: {SECRET}COOKIE}}"',
        ),
        (
            MINIMAL + "start: [x]\nenv: {OPENAI_API_KEY: sk-1}\n",
            f'sut.yaml:5 $.env.OPENAI_API_KEY: {SECRET}OPENAI_API_KEY}}"',
        ),
        (MINIMAL + "env: {A: b}\n", "sut.yaml:4 $.env: there is no command for it"),
        (MINIMAL + "model: {}\n", "sut.yaml:4 $.model: a model is either a url or the testbed's"),
        (MINIMAL + "model: {url: 'http://h', testbed: true}\n", "sut.yaml:4 $.model: a model is either"),
        (MINIMAL + "ready: {timeout: 0}\n", "sut.yaml:4 $.ready.timeout: Input should be greater"),
        (MINIMAL + "start: python\n", "sut.yaml:4 $.start: Input should be a valid list"),
    ],
)
def test_errors_name_file_line_path_and_the_mend(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse(text)
    assert str(caught.value).startswith(said)
    assert ";" in str(caught.value)


def test_agents_are_held_against_the_topologies(tmp_path: Path) -> None:
    known = topologies.load()
    path = tmp_path / "sut.yaml"
    path.write_text(MINIMAL + "  x: {url: 'http://h'}\n", encoding="utf-8")
    with pytest.raises(
        ScenarioError, match=r"sut.yaml:4 \$.agents.x: no topology has this agent; .* deep-research"
    ):
        sut.check_against(sut.load(str(path), {}), known)
    path.write_text(MINIMAL, encoding="utf-8")
    made = sut.load(str(path), {})
    sut.check_against(made, known[:1])
    with pytest.raises(
        ScenarioError, match=r"sut.yaml:2 \$.agents: the entry agent 'edpa-plan-agent' of topology edpa"
    ):
        sut.check_against(made, known[:2])
    with pytest.raises(ScenarioError, match=r"sut.yaml \$.agents: the entry agent 'edpa-plan-agent'"):
        sut.check_against(parse(MINIMAL), known[:2])


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sut.yaml"
    path.write_text(MINIMAL, encoding="utf-8")
    assert sut.load(str(path), {}).agents == (AGENT,)
    with pytest.raises(ScenarioError, match="can not be read"):
        sut.load(str(tmp_path / "none.yaml"), {})


def test_the_schema_knows_the_language() -> None:
    from jsonschema import Draft202012Validator, ValidationError

    validator: Any = Draft202012Validator(json.loads(json.dumps(sut.schema())))
    validator.validate({"version": 1, "agents": {"a": {"url": "http://h", "listen": 9}}})
    with pytest.raises(ValidationError):
        validator.validate({"version": 1, "agents": {"a": {"uri": "http://h"}}})
