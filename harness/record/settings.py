"""What a recorder is told before it starts, and what it tells when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from harness.model.topology import Topology
from harness.record.legs import Leg


class Settings(NamedTuple):
    """Everything that decides what is recorded and how."""

    legs: tuple[Leg, ...]
    run_dir: str
    own: bool = False
    """The run folder must be a new one: where `run_dir` is there when it starts, another is made."""
    scenario: str | None = None
    """Names every round; None: the contextId does."""
    topology: Topology | None = None
    forward: tuple[str, int] | None = None
    """Host and port of a forward-proxy listener."""
    allow: tuple[str, ...] = ()
    """What the forward proxy reaches beside the legs' upstreams: `[NAME=]HOST[:PORT]`."""
    keep_cards: bool = False
    """Agent cards pass untouched."""
    upstream_host: bool = False
    """Requests carry the upstream's Host header and not the listener's."""
    identity: bool = False
    """Ask for bodies without content encoding."""
    redact: bool = True
    secrets: str | None = None
    """A YAML file of further names and shapes of secrets."""
    ca_file: str | None = None
    """PEM file of the authorities that upstreams' certificates are verified with."""
    client_cert: str | None = None
    """PEM file with certificate and key for TLS towards clients."""
    leave_out_other: bool = False
    """Exchanges that are no rounds (cards, health checks) are not recorded."""
    stop_rounds: int | None = None
    stop_seconds: float | None = None
    timeout: float | None = None
    """Seconds of silence after which an exchange is ended by us; None: never."""
    facts: Mapping[str, object] = MappingProxyType({})
    """More that `run.json` is to tell."""
    contract: str | None = None
    """The contract that the run is meant for; noted in run.json."""
    may_idle: bool = False
    """A leg on which nothing is recorded is no news."""


class Summary(NamedTuple):
    """What a recorder did."""

    run_dir: str
    exchanges: int
    sealed: int
    rounds: int
    """Rounds of the client's leg."""
    incomplete: tuple[str, ...] = ()
    """Why the run is not whole; empty: it is."""
    warnings: tuple[str, ...] = ()
    """What a user should know: a leg that was never called, a tunnel, a signed card."""
