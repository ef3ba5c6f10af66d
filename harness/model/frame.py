"""A frame: one unit of a capture that the wire itself marks off."""

from typing import NamedTuple


class Span(NamedTuple):
    """Bytes [start, end) of the decompressed file."""

    start: int
    end: int


class Frame(NamedTuple):
    """One dispatched SSE event, JSONL line, `raw:` record or whole body.

    `number` counts frames from 1 in file order. The spans of a body's frames and its
    `Rest` tile the body: comments and blocks without data belong to the frame after them.
    """

    number: int
    span: Span
    data: str
    name: str = ""
    """The SSE `event:` field; empty where absent. Of a wire log's record with a flaw: its event line."""
    last_id: str | None = None
    """The last event id in force, None where none was ever sent."""
    comments: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Lines whose field name SSE does not know (they are ignored by clients)."""
    replaced: bool = False
    """Invalid UTF-8 was replaced by U+FFFD."""
    flaw: str | None = None
    """Why `data` is not what stood on the wire: `oversize`, and of a wire log `truncated`,
    `unparseable`, `missing`. None: it is."""


class Rest(NamedTuple):
    """What a body ends with after its last frame: nothing, comments, or a tail.

    An SSE event without its closing blank line is not dispatched (WHATWG 9.2.6): `tail`
    holds its data, `newline` tells whether its last line was complete.
    """

    span: Span
    tail: str | None = None
    newline: bool = False
    comments: tuple[str, ...] = ()
    replaced: bool = False
    flaw: str | None = None
    """`oversize`: a line or an event's data was too long, and no frame tells of it."""
    unknown: tuple[str, ...] = ()
    """Lines of no SSE field: the body is, or ends with, something else."""


class Manner(NamedTuple):
    """How a stream was written; what some clients trip over."""

    bom: bool = False
    line_ends: frozenset[str] = frozenset()
    """Of `lf`, `crlf`, `cr`."""
