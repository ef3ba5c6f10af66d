"""Interactions: an agent stops and asks, in whatever shape it said so."""

from typing import Literal, NamedTuple

from harness.model.event import Channel
from harness.model.frame import Span

type Kind = Literal["user_input", "confirmation", "client_tool", "delegation", "unknown"]
type Exposure = Literal["native", "masked", "leaked", "declared"]


class Place(NamedTuple):
    """Where something stood: frame number, pointer in the frame, bytes in the file."""

    event: int | None
    pointer: str | None
    span: Span | None


class Sighting(NamedTuple):
    """One statement that an agent stops and asks, as one place of one frame shows it."""

    kind: Kind
    channel: Channel
    exposure: Exposure
    place: Place
    shape: str
    """Id of the mapping clause that read it."""
    tool_call_id: str | None = None
    tool_name: str | None = None
    agent: str | None = None
    prompt: str | None = None
    interrupt_id: str | None = None
    """`id` of the interrupt: its identity where there is no toolCallId."""
    interrupt_kind: str | None = None
    """The `_interrupt_kind` as written."""
    task_id: str | None = None
    extra: tuple[str, ...] = ()
    """Members that a proxy item has and must not have."""
    missing: tuple[str, ...] = ()
    """Members that a proxy item lacks."""
    internal: tuple[str, ...] = ()
    """Internal members that are visible, by name."""
    fallback: bool = False
    """Counts only where the round has no other interaction (a plain A2A question)."""


class Mark(NamedTuple):
    """Evidence that is no interaction: remote output, a failure, an internal key."""

    name: str
    """Of `remote-output`, `remote-call`, `remote-status`, `failure`, `internal-key`, `printed-object`."""
    channel: Channel
    place: Place
    shape: str
    tool_call_id: str | None = None
    target: str | None = None
    text: str = ""
    """What was seen: the key, the value's beginning, the error text."""
    task_id: str | None = None


class Interaction(NamedTuple):
    """Sightings of one identity: task + call (else id, else place) + channel + exposure."""

    kind: Kind
    channel: Channel
    exposure: Exposure
    tool_call_id: str | None
    tool_name: str | None
    agent: str | None
    prompt: str | None
    shape: str
    task_id: str | None
    sightings: tuple[Sighting, ...]
