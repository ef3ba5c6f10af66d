"""The files of a project: templates filled, and each read by its own loader before it is written."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from harness import scenario, topologies, waivers
from harness.scenario import sut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.cli.initial.project import Project, Remote

TOPOLOGIES = "scenarios/topologies.yaml"
SUT = "sut.yaml"
SETTINGS = "harness.toml"
PYTEST = "pytest.ini"
CI_FILES = {
    "github": (".github/workflows/harness.yml", "github.yml"),
    "gitlab": ("ci/harness.gitlab-ci.yml", "gitlab.yml"),
    "jenkins": ("ci/harness.Jenkinsfile", "Jenkinsfile"),
}
"""File and template of each CI system. None is a file that a project has already for other jobs."""
_GAP = re.compile(r"<<(\w+)>>")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_MEANT = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
"""Words that YAML takes for something else."""
_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")


def template(name: str) -> str:
    """The text of a template."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()


def files(project: Project) -> dict[str, str]:
    """Path and text of each file that is ours, in the order in which they are told."""
    values = _values(project)
    names = {
        TOPOLOGIES: "topologies.yaml",
        f"scenarios/{project.name}-01{scenario.ENDING}": "scenario.yaml",
        SUT: "sut.yaml",
        waivers.DEFAULT: "waivers.yaml",
        SETTINGS: "harness.toml",
    }
    if project.ci in CI_FILES:
        path, name = CI_FILES[project.ci]
        names[path] = name
    return {path: filled(template(name), values) for path, name in names.items()}


def pytest_lines(path: str) -> str:
    """What is to be added to settings of pytest that a project has already."""
    text = "\n".join(line for line in template("pytest.ini").split("\n") if line.startswith("harness_"))
    return (re.sub(r"= (.*)", r'= "\1"', text) if path.endswith(".toml") else text) + "\n"


def listener(one: Remote) -> str:
    """What the entry agent is to call in place of a remote agent, so that it is recorded."""
    path = "" if one.url.startswith("$") else urlsplit(one.url).path
    return f"http://127.0.0.1:{one.listen}{path}"


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with its gaps filled; a line that is empty then is left out."""
    lines = []
    for line in text.split("\n"):
        made = _GAP.sub(lambda gap: values[gap[1]], line)
        if made or not _GAP.search(line):
            lines.append(made)
    return "\n".join(lines)


def _values(project: Project) -> dict[str, str]:
    """What stands in the gaps, written as YAML."""
    agents = [(project.name, project.url), *((one.name, one.url) for one in project.remotes)]
    remotes = [
        f"  {quoted(one.name)}:\n"
        f"    url: {quoted(one.url)}\n"
        f"    listen: {one.listen}    # the entry agent is to call {listener(one)}"
        for one in project.remotes
    ]
    callers = ["client", *(project.name for _ in project.remotes)]
    edges = [
        f"      - {{from: {quoted(caller)}, to: {quoted(called)}}}"
        for caller, (called, _) in zip(callers, agents, strict=True)
    ]
    return {
        "name": quoted(project.name),
        "scenario": quoted(f"{project.name}-01"),
        "url": quoted(project.url),
        "protocol": project.protocol,
        "contract": quoted(project.contract),
        "setting": json.dumps(project.contract, ensure_ascii=False),
        "send": quoted(project.send),
        "agents": "\n".join(_agent(name, url, project) for name, url in agents),
        "edges": "\n".join(edges),
        "remotes": "\n".join(remotes),
    }


def _agent(name: str, url: str, project: Project) -> str:
    kind = project.kind if name == project.name and project.kind != "unknown" else ""
    members = [f"name: {quoted(name)}", *([f"kind: {kind}"] if kind else [])]
    if url.startswith("http"):
        members.append(f"url: {quoted(url)}")
    return f"      - {{{', '.join(members)}}}"


def quoted(text: str) -> str:
    """Text as YAML reads it; a plain word stands for itself."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _MEANT
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def checked(made: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Raise `ScenarioError` where our own loaders would not read what is to be written."""
    known = topologies.parse(made[TOPOLOGIES], TOPOLOGIES)
    for path, text in made.items():
        if path.endswith(scenario.ENDING):
            scenario.parse(text, path)
    sut.check_against(sut.parse(made[SUT], SUT, environ), known)
    waivers.parse(made[waivers.DEFAULT], waivers.DEFAULT)
