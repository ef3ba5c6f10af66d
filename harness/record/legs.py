"""Legs: which edge is recorded, where it leads, and where the recorder listens for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.model.topology import Topology

LOOPBACK = "127.0.0.1"
_HERE = ("localhost", "127.0.0.1", "::1")
_ANY = ("0.0.0.0", "::")
FORM = "write NAME=URL@PORT, as in client=http://127.0.0.1:8191@9191"
OFFSET = 1000
"""Listening ports of a topology's legs: the agent's own port and this."""
_PORTS = {"http": 80, "https": 443}


class Leg(NamedTuple):
    """One recorded edge."""

    name: str
    upstream: str
    """`http://host:port` or `https://host:port`; a path there is what callers append anyway."""
    listen: tuple[str, int] | None
    """Host and port of the listener, 0 for any free one; None: reached through `--forward` only."""
    agent: str | None = None
    """The agent that it leads to, where several legs share a name: the clients' of several topologies."""

    @property
    def key(self) -> str:
        """What tells it from all other legs of a recorder."""
        return self.name if self.agent is None else f"{self.name}:{self.agent}"


class Origin(NamedTuple):
    """Scheme, host and port of a URL, the port written out."""

    scheme: str
    host: str
    port: int

    @property
    def url(self) -> str:
        """The origin as a URL without a path."""
        return f"{self.scheme}://{hostport(self.host, self.port)}"

    @property
    def authority(self) -> str:
        """What a Host header says: the port only where it is not the scheme's own."""
        if _PORTS[self.scheme] != self.port:
            return hostport(self.host, self.port)
        return f"[{self.host}]" if ":" in self.host else self.host


def hostport(host: str, port: int) -> str:
    """`host:port`, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def origin(url: str) -> Origin | None:
    """The origin of a URL; None if it is none that the recorder can reach."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return Origin(parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port)


def parse(text: str) -> Leg:
    """Read `NAME=URL@[HOST:]PORT`, or `NAME=URL` for a leg that only `--forward` reaches."""
    name, equals, rest = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"--leg {text}: no leg", mend=FORM)
    url, at, listen = rest.rpartition("@")
    if not at or not _is_listen(listen):
        url, listen = rest, ""
    return Leg(name.strip(), _upstream(url, text), address(listen, text) if listen else None)


def _is_listen(text: str) -> bool:
    return text.rpartition(":")[2].isdecimal() and "/" not in text


def _upstream(url: str, text: str) -> str:
    parts = urlsplit(url)
    if parts.username is not None:
        mend = "leave them out of the URL, the caller sends them"
        raise UsageError("--leg: credentials in an upstream's URL", mend=mend)
    if origin(url) is None:
        raise UsageError(f"--leg {text}: {url!r} is no http or https URL", mend=FORM)
    return url


def address(text: str, told: str) -> tuple[str, int]:
    """Read `[HOST:]PORT`; the host is the loopback where absent."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"{told}: {port!r} is no port", mend=FORM)
    return host.strip("[]") or LOOPBACK, int(port)


def of_topology(topology: Topology, *, offset: int | None = None) -> tuple[Leg, ...]:
    """The legs of a topology's edges: one for each agent that is called and has an address.

    `offset` is added to the agents' own ports; None: any free port.
    """
    urls = {agent.name: agent.url for agent in topology.agents}
    made: dict[str, Leg] = {}
    for edge in topology.edges:
        url = urls.get(edge.target)
        found = origin(url) if url else None
        if url is None or found is None:
            mend = "give the agent a url in the topology file"
            raise UsageError(f"topology {topology.name}: {edge.target} has no address", mend=mend)
        port = 0 if offset is None else found.port + offset
        made.setdefault(edge.leg, Leg(edge.leg, url, (LOOPBACK, port if port <= 65535 else 0)))
    return tuple(made.values())


def checked(legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    """`legs`, if no name and no listening address stands twice."""
    names: set[str] = set()
    listens: set[tuple[str, int]] = set()
    for leg in legs:
        if leg.key in names:
            raise UsageError(f"two legs are called {leg.key!r}", mend="give each its own name")
        if leg.listen is not None and leg.listen[1] and leg.listen in listens:
            raise UsageError(f"two legs listen on {hostport(*leg.listen)}", mend="give each its own port")
        names.add(leg.key)
        if leg.listen is not None:
            listens.add(leg.listen)
    return legs


def no_circle(legs: tuple[Leg, ...], listening: dict[str, str]) -> None:
    """Raise for an upstream that is one of our `listening` addresses: a request would go round for ever."""
    own = {origin(url): key for key, url in listening.items()}
    for leg in legs:
        found = origin(leg.upstream)
        for one, key in own.items():
            if one is not None and found is not None and _is_same(found, one):
                what = f"leg {leg.key} leads to {leg.upstream}, where the recorder listens for {key}"
                raise UsageError(what, mend="let it listen on another port")


def _is_same(upstream: Origin, listener: Origin) -> bool:
    here = (listener.host, "localhost") if listener.host in _HERE else (listener.host,)
    return upstream.port == listener.port and upstream.host in (_HERE if listener.host in _ANY else here)
