"""Where a system under test lives, how it is started, and what it is told: the file of `--sut`.

Secrets stand in no file: `${NAME}` is the value of an environment variable. `${HARNESS_...}` in
`start` and `env` is what the recorder tells when it listens, and is put in then. Rank 1.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from harness import yamltext
from harness.errors import ScenarioError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.model.topology import Topology

OURS = "HARNESS_"
"""How the variables begin that a live run tells to the system that it starts."""
_NAME = re.compile(r"\$\{([A-Za-z_]\w*)\}")


class SutAgent(NamedTuple):
    """One agent of the system."""

    name: str
    url: str
    """Where it takes A2A requests."""
    headers: tuple[tuple[str, str], ...] = ()
    """Sent with each request of the driver."""
    listen: tuple[str, int] | None = None
    """Where the recorder listens for it; None: on any free port."""
    protocol: str = "v1.0"
    """`v1.0`, `v0.3`, or `auto`: as the agent card says."""
    secret: tuple[str, ...] = ()
    """Names of the headers whose values come from the environment: they are not recorded."""


class SutModel(NamedTuple):
    """The model that the agents call."""

    url: str | None = None
    """None: the testbed's model server."""
    listen: tuple[str, int] | None = None


class Sut(NamedTuple):
    """A system under test."""

    file: str
    agents: tuple[SutAgent, ...]
    model: SutModel | None = None
    start: tuple[str, ...] = ()
    """Command that starts it; empty: it runs already."""
    env: tuple[tuple[str, str], ...] = ()
    """More environment for `start`."""
    ready_url: str | None = None
    """Answers as soon as the system can be used; None: each agent's port accepts."""
    ready_timeout_s: float = 60.0
    stop_timeout_s: float = 10.0
    """Between SIGTERM and SIGKILL."""
    log: str | None = None
    """File that gets what the command prints."""

    def agent(self, name: str) -> SutAgent | None:
        """The agent of that name."""
        return next((one for one in self.agents if one.name == name), None)


def load(path: str, environ: Mapping[str, str]) -> Sut:
    """The system of one file; raises `ScenarioError`, also for a variable that is not set."""
    text = yamltext.text_of(path, ScenarioError, "name a YAML text file that says where the agents live")
    return parse(text, path, environ)


def parse(text: str, file: str, environ: Mapping[str, str]) -> Sut:
    """A system under test from YAML text."""
    from harness.scenario.sut_values import system

    return system(text, file, environ)


def check_against(sut: Sut, topologies: Sequence[Topology]) -> None:
    """Raise `ScenarioError` for an agent that no topology knows, and for an entry that has no address."""
    known = {agent.name for topology in topologies for agent in topology.agents}
    for one in sut.agents:
        if one.name not in known:
            mend = f"the topologies' agents are {', '.join(sorted(known))}"
            raise _at(sut, ("agents", one.name), "no topology has this agent", mend)
    for topology in topologies:
        if sut.agent(topology.entry) is None:
            what = f"the entry agent {topology.entry!r} of topology {topology.name} is missing"
            raise _at(sut, ("agents",), what, "add it with its url")


def _at(sut: Sut, path: tuple[str, ...], what: str, mend: str) -> ScenarioError:
    """An error with the line, which is looked up in the file only now."""
    line = None
    if os.path.exists(sut.file):
        with open(sut.file, encoding="utf-8") as opened:
            line = yamltext.read(opened.read(), sut.file, ScenarioError).line(path)
    return ScenarioError(what, file=sut.file, line=line, path=yamltext.dollar(path), mend=mend)


def filled(text: str, values: Mapping[str, str], lacks: Callable[[str], UsageError], *, ours: bool) -> str:
    """`text` with `${NAME}` replaced; raises what `lacks(name)` gives for a name without a value.

    `ours` True: only the names of ours are replaced, False: only the others.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name.startswith(OURS) != ours:
            return match[0]
        if name not in values:
            raise lacks(name)
        return values[name]

    return _NAME.sub(value, text)


def schema() -> dict[str, Any]:
    """The JSON Schema of the file of `--sut`."""
    from harness.scenario.sut_language import SutFile

    return SutFile.model_json_schema()
