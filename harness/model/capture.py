"""A capture: what was recorded of one exchange, and where its bytes lie."""

from typing import Literal, NamedTuple

from harness.model.frame import Span

type Framing = Literal["sse", "jsonl", "wirelog", "document", "none"]
"""How the body marks off its frames; `none`: the file holds no stream (see `told`)."""

type Ending = Literal[
    "clean", "upstream_cut", "client_left", "proxy_stopped", "refused", "timeout", "unsealed", "unknown"
]
"""`timeout`: our own limit; `unsealed`: a journal without an ending; `unknown`: nothing tells
how the bytes ended."""


class Request(NamedTuple):
    """The request as recorded. Header names are lower case; absent parts are None."""

    method: str | None = None
    target: str | None = None
    """Path and query."""
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None


class Head(NamedTuple):
    """The response's head. `status` None: unknown."""

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


class Unread(NamedTuple):
    """A place that could not be read, told and counted."""

    source: str
    reason: str
    span: Span | None = None


class Capture(NamedTuple):
    """One exchange on disk. Picklable; `harness.capture.Body` gives its bytes."""

    source: str
    """The path as the user gave it, plus the path below it."""
    path: str
    """The file to open; `-` was spooled to a temporary file."""
    framing: Framing
    start: int = 0
    """Offset of the body in the decompressed file."""
    end: int | None = None
    """Offset behind the body; None: to the end of the file."""
    scenario: str = ""
    protocol: str | None = None
    topology: str | None = None
    round: int = 1
    leg: str = "client"
    request: Request | None = None
    head: Head | None = None
    ending: Ending = "unknown"
    ending_text: str = ""
    """What the recorder wrote of the ending."""
    timed: bool = False
    """Chunk times are known."""
    rebuilt: bool = False
    """Frames were printed again from parsed records (SIT wire log): ids, `final`,
    number forms, key order and SSE details prove nothing."""
    group: str = ""
    """The run folder: rounds of one scenario are compared within it."""
    told: str | None = None
    """Why this file, a known form, holds no stream that can be judged."""
    task_id: str | None = None
    """The task that the request continued, where the capture's head says so."""
    context_id: str | None = None
    unread: tuple[Unread, ...] = ()
    expected: str | None = None
    """The outcome that a scenario expects of its first round: no breach where it is a bad one."""
