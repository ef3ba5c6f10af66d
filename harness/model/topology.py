"""Topologies: who delegates to whom, and which scenarios belong to them."""

from typing import Literal, NamedTuple

type AgentKind = Literal["deepagent", "plan-agent", "workflow", "react", "agent-invoke"]


class Agent(NamedTuple):
    """One agent: its kind and, for recorder and driver, its address."""

    name: str
    kind: AgentKind | None = None
    url: str | None = None


class Edge(NamedTuple):
    """`source` calls `target`; the edge is recorded as leg `leg`."""

    source: str
    target: str
    leg: str


class Topology(NamedTuple):
    """One topology: its entry agent's kind is the topology's kind."""

    name: str
    entry: str
    agents: tuple[Agent, ...]
    edges: tuple[Edge, ...]
    scenarios: tuple[str, ...]
    """Prefixes of the scenarios that run on it."""

    @property
    def kind(self) -> AgentKind | None:
        """The entry agent's kind."""
        return next((a.kind for a in self.agents if a.name == self.entry), None)
