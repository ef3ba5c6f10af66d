"""The legs of a run: clients to the entry agents, agents to agents, agents to the model. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from harness.errors import ScenarioError
from harness.live.system import LOOPBACK, MODEL
from harness.record import Leg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.topology import Topology

type Listen = tuple[str, int]


def legs_of(
    topologies: Sequence[Topology],
    url: Callable[[str], str | None],
    listen: Callable[[str], Listen | None] = lambda name: None,
) -> tuple[Leg, ...]:
    """A leg for each edge whose target has a URL; a client's leg for each entry agent.

    `listen` tells where the recorder is to listen for an agent: for those who call it, if any do.
    """
    called = {edge.target for topology in topologies for edge in topology.edges if edge.source != "client"}
    made: dict[str, Leg] = {}
    for topology in topologies:
        for edge in topology.edges:
            address = url(edge.target)
            if address is None:
                continue
            if edge.source == "client":
                place = None if edge.target in called else listen(edge.target)
                leg = Leg("client", address, place or LOOPBACK, edge.target)
            else:
                leg = Leg(edge.leg, address, listen(edge.target) or LOOPBACK)
            _add(made, leg)
    return tuple(made.values())


def _add(made: dict[str, Leg], leg: Leg) -> None:
    before = made.setdefault(leg.key, leg)
    if before != leg:
        what = f"two agents are recorded as leg {leg.key!r}: {before.upstream} and {leg.upstream}"
        raise ScenarioError(what, mend="give the edges different names: `leg: NAME` in the topology file")


def peers_of(
    topologies: Sequence[Topology], legs: Sequence[Leg], addresses: Mapping[str, str]
) -> dict[str, str]:
    """The recorder's address of each agent that others call, and of the model, by name."""
    known = {leg.key: through(addresses[leg.key], leg.upstream) for leg in legs if leg.key in addresses}
    peers = {
        edge.target: known[edge.leg]
        for topology in topologies
        for edge in topology.edges
        if edge.source != "client" and edge.leg in known
    }
    if MODEL in known:
        peers[MODEL] = known[MODEL]
    return peers


def through(listener: str, upstream: str) -> str:
    """The listener's address with the upstream's path."""
    parts = urlsplit(upstream)
    return listener + parts.path + (f"?{parts.query}" if parts.query else "")
