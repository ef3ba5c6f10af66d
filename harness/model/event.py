"""An event: one frame read as A2A, in a form free of dialects."""

from typing import Any, Literal, NamedTuple

from harness.model.frame import Frame

type Channel = Literal["control", "content"]
type Dialect = Literal["v0.2", "v0.3", "v1.0", "openjiuwen-core"]
type Binding = Literal["jsonrpc", "rest"]

type EventKind = Literal[
    "task", "message", "status", "artifact", "error", "chunk", "resume", "sentinel", "foreign", "malformed"
]
"""`chunk`: bare openJiuwen core chunk; `resume`: marker between its rounds; `sentinel`:
`[DONE]` and the like; `foreign`: JSON that is no A2A event; `malformed`: not one JSON value."""

type State = Literal[
    "submitted",
    "working",
    "input-required",
    "auth-required",
    "completed",
    "failed",
    "canceled",
    "rejected",
    "unknown",
]
TERMINAL: frozenset[str] = frozenset({"completed", "failed", "canceled", "rejected"})
INTERRUPTED: frozenset[str] = frozenset({"input-required", "auth-required"})


class Region(NamedTuple):
    """A part of a frame that one channel carries: where interactions may stand."""

    channel: Channel
    pointer: str
    value: Any


class Event(NamedTuple):
    """One frame as A2A. `json` is the whole frame, `body` the A2A object at `pointer`."""

    frame: Frame
    kind: EventKind
    json: Any = None
    body: Any = None
    pointer: str = ""
    dialect: Dialect | None = None
    binding: Binding | None = None
    enveloped: bool = False
    """The frame is a JSON-RPC envelope."""
    task_id: str | None = None
    context_id: str | None = None
    state: State | None = None
    state_pointer: str = ""
    text: str = ""
    """The text of the status message (or of the one Message): what the client would print."""
    text_pointer: str = ""
    final: bool | None = None
    regions: tuple[Region, ...] = ()
    error_code: int | None = None
    error_message: str = ""
    reason: str = ""
    """For `malformed` and `foreign`: what is wrong, with the place."""
