"""The servers of a testbed as ASGI applications: one an agent, and the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from harness.testbed.plan import Plan

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from harness.testbed.core.chunks import CoreAgent

MODEL = "llm"
"""The model's name among the servers."""

STREAMED = frozenset({"versatile-adapter"})
"""Remote agents whose output their callers pass on (`streaming: true` in the runtime's configuration)."""


class Server(NamedTuple):
    """One server that is to be started."""

    name: str
    kind: str | None = None
    calls: tuple[str, ...] | None = None
    """Agents that it may call; None: all others."""

    @property
    def path(self) -> str:
        """Where clients find the service below its host and port."""
        return "/v1" if self.name == MODEL else "/a2a"


class Orders(NamedTuple):
    """What the servers are told before they start."""

    peers: Mapping[str, str]
    """Addresses that the servers call, by name."""
    plans: Mapping[str, Plan]


def application(server: Server, orders: Orders) -> Starlette:
    """The service of one server."""
    if server.name == MODEL:
        from harness.testbed.model.server import app

        return app()
    return _agent(server, orders)


def _agent(server: Server, orders: Orders) -> Starlette:
    from harness.testbed.core.build import build
    from harness.testbed.runtime.orchestrator import Orchestrator, Profile
    from harness.testbed.runtime.remote import RemoteAgents
    from harness.testbed.runtime.server import Agent

    others = [name for name in orders.peers if name not in (server.name, MODEL)]
    tools = others if server.calls is None else list(server.calls)
    cores: dict[str | None, CoreAgent] = {}

    def core(kind: str | None) -> CoreAgent:
        if kind not in cores:
            cores[kind] = build(kind, server.name, tools, orders.peers[MODEL])
        return cores[kind]

    profile = Profile(server.name, server.kind, STREAMED)
    return Agent(Orchestrator(profile, core, RemoteAgents(orders.peers), orders.plans)).app()
