"""Scenarios: what is sent in each round, and what must then be seen, as YAML files.

    load("DA-09.scenario.yaml")          # one
    load_all(("scenarios",))             # all below folders, and files

Loads PyYAML and pydantic when a file is read. The other file of a live run, which says where a
system lives, is `harness.scenario.sut`. Rank 1.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from harness import yamltext
from harness.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.model.scenario import Scenario
    from harness.model.topology import Topology

ENDING = ".scenario.yaml"
"""How scenario files in folders are called."""


def load(path: str) -> Scenario:
    """The scenario of one file; raises `ScenarioError` with file, line, `$.path` and the mend."""
    text = yamltext.text_of(path, ScenarioError, "name a YAML text file with one scenario")
    return parse(text, path)


def parse(text: str, file: str) -> Scenario:
    """A scenario from YAML text."""
    from harness.scenario.values import scenario

    return scenario(text, file)


def load_all(paths: str | Iterable[str]) -> tuple[Scenario, ...]:
    """The scenarios of files, and of all `*.scenario.yaml` below folders, in the order of their paths.

    Raises `ScenarioError`, also for a name that stands twice and a folder without a scenario.
    """
    found: dict[str, Scenario] = {}
    for path in _files((paths,) if isinstance(paths, str) else paths):
        one = load(path)
        if one.name in found:
            what = f"the scenario {one.name!r} stands in {found[one.name].file} already"
            raise ScenarioError(what, file=path, line=one.line, path="$.name", mend="give one another name")
        found[one.name] = one
    return tuple(found.values())


def _files(paths: Iterable[str]) -> Iterator[str]:
    for path in dict.fromkeys(paths):
        if not os.path.isdir(path):
            yield path
            continue
        below = sorted(_below(path))
        if not below:
            mend = f"name a folder that holds files *{ENDING}"
            raise ScenarioError("there is no scenario below this folder", file=path, mend=mend)
        yield from below


def _below(folder: str) -> Iterator[str]:
    for where, _, names in os.walk(folder):
        yield from (os.path.join(where, name) for name in names if name.endswith(ENDING))


def check_against(scenarios: Iterable[Scenario], topologies: Sequence[Topology]) -> None:
    """Raise `ScenarioError` for a topology that is not known, and for calls of agents that it has not."""
    known = {topology.name: {agent.name for agent in topology.agents} for topology in topologies}
    for one in scenarios:
        agents = known.get(one.topology)
        if agents is None:
            what = f"no topology is called {one.topology!r}"
            raise wrong(one, ("topology",), what, f"known are {', '.join(known)}")
        for number, each in enumerate(one.rounds):
            for at, call in enumerate(each.expect.calls):
                if call not in agents:
                    path = ("rounds", number, "expect", "calls", at)
                    what = f"{call!r} is no agent of {one.topology}"
                    raise wrong(one, path, what, f"its agents are {', '.join(sorted(agents))}")


def wrong(one: Scenario, path: tuple[str | int, ...], what: str, mend: str | None) -> ScenarioError:
    """What is wrong in a scenario, as an error with its line, which is looked up in the file only now."""
    from harness import yamltext

    line: int | None = one.line
    if os.path.exists(one.file):
        with open(one.file, encoding="utf-8") as opened:
            line = yamltext.read(opened.read(), one.file, ScenarioError).line(path)
    return ScenarioError(what, file=one.file, line=line, path=yamltext.dollar(path), mend=mend)


def schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file."""
    from harness.scenario.language import ScenarioFile

    return ScenarioFile.model_json_schema()
