"""The topologies file's language, closed and versioned. Imported only for a YAML file. Rank 1."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from harness import yamltext
from harness.errors import ScenarioError
from harness.model.topology import Agent, Edge, Topology

_Kind = Literal["deepagent", "plan-agent", "workflow", "react", "agent-invoke"]
_Name = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class AgentEntry(_Closed):
    """One agent."""

    name: _Name
    kind: _Kind | None = Field(default=None, description="How the agent is built; unknown where absent")
    url: Annotated[str, StringConstraints(pattern=r"^https?://\S+$")] | None = Field(
        default=None, description="Where recorder and driver reach it"
    )


class EdgeEntry(_Closed):
    """Who calls whom; the client's own edge comes from `client`."""

    source: _Name = Field(alias="from", description="`client`, or the agent that calls")
    target: _Name = Field(alias="to", description="The agent that is called")
    leg: _Name | None = Field(default=None, description="Name of the recorded leg; the target's where absent")


class TopologyEntry(_Closed):
    """Agents, edges, and the scenarios that run on them."""

    name: _Name
    entry: _Name = Field(description="The agent that the client talks to; its kind is the topology's")
    agents: list[AgentEntry] = Field(min_length=1)
    edges: list[EdgeEntry] = Field(default=[], description="client to entry is always there")
    scenarios: list[_Name] = Field(default=[], description="Prefixes of scenario names, whole words")


class TopologiesFile(_Closed):
    """All topologies of a project."""

    version: Literal[1] = Field(description="Version of this language")
    topologies: list[TopologyEntry] = Field(min_length=1)


def compile_topologies(text: str, file: str) -> tuple[Topology, ...]:
    """YAML text as topologies; raises `ScenarioError` with file, line and `$.path`."""
    document = yamltext.read(text, file, ScenarioError)
    try:
        read = TopologiesFile.model_validate(document.value)
    except ValidationError as fault:
        raise yamltext.refused(fault, document, ScenarioError, "see `harness schema topologies`") from None
    check = _Check(document)
    check.once([t.name for t in read.topologies], ("topologies",), "name")
    owners: dict[str, str] = {}
    for index, entry in enumerate(read.topologies):
        check.topology(entry, ("topologies", index), owners)
    return tuple(_compiled(entry) for entry in read.topologies)


def _compiled(entry: TopologyEntry) -> Topology:
    edges = [Edge(e.source, e.target, _leg(e)) for e in entry.edges]
    if not any(edge.source == "client" for edge in edges):
        edges.insert(0, Edge("client", entry.entry, "client"))
    return Topology(
        entry.name,
        entry.entry,
        tuple(Agent(a.name, a.kind, a.url) for a in entry.agents),
        tuple(edges),
        tuple(entry.scenarios),
    )


def _leg(edge: EdgeEntry) -> str:
    return "client" if edge.source == "client" else edge.leg or edge.target


class _Check:
    """What a schema can not say: names that must be known, and must stand once."""

    def __init__(self, document: yamltext.Document) -> None:
        self.document = document

    def topology(self, entry: TopologyEntry, path: yamltext.Path, owners: dict[str, str]) -> None:
        agents = [agent.name for agent in entry.agents]
        self.once(agents, (*path, "agents"), "name")
        if entry.entry not in agents:
            raise self._no(f"the entry {entry.entry!r} is none of its agents", (*path, "entry"), "list it")
        for index, edge in enumerate(entry.edges):
            self._edge(edge, entry, agents, (*path, "edges", index))
        for index, prefix in enumerate(entry.scenarios):
            if prefix in owners:
                what = f"the prefix {prefix!r} belongs to {owners[prefix]!r} already"
                raise self._no(what, (*path, "scenarios", index), "keep one of them")
            owners[prefix] = entry.name

    def _edge(self, edge: EdgeEntry, entry: TopologyEntry, agents: list[str], path: yamltext.Path) -> None:
        if edge.source != "client" and edge.source not in agents:
            raise self._no(f"{edge.source!r} is none of its agents", (*path, "from"), "list it")
        if edge.target not in agents:
            raise self._no(f"{edge.target!r} is none of its agents", (*path, "to"), "list it")
        if edge.source == "client" and edge.target != entry.entry:
            raise self._no(f"a client calls the entry {entry.entry!r} only", (*path, "to"), "mend the edge")
        if edge.source == "client" and edge.leg not in (None, "client"):
            raise self._no("the client's leg is called 'client'", (*path, "leg"), "leave it out")

    def once(self, names: list[str], path: yamltext.Path, key: str) -> None:
        """Raise where a name stands twice in a list of entries."""
        for index, name in enumerate(names):
            if name in names[:index]:
                raise self._no(f"{name!r} stands twice", (*path, index, key), "keep one of them")

    def _no(self, what: str, path: yamltext.Path, mend: str) -> Exception:
        file, line = self.document.file, self.document.line(path)
        return ScenarioError(what, file=file, line=line, path=yamltext.dollar(path), mend=mend)
