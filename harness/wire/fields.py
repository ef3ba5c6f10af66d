"""The SSE event that is being gathered: fields in, a frame or nothing out (WHATWG 9.2.6).

Knows lines only as whole lines without their ends; knows no chunk and no offset. The data
of one event and all that is kept beside it are bounded by `limit` bytes each.
"""

from __future__ import annotations

from harness.model.frame import Frame, Rest, Span
from harness.wire.lines import KEPT, shown, text

FIELDS = (b"data", b"event", b"id", b"retry")
_DIGITS = 4000
"""Of a reconnection time: int() refuses more than 4,300."""
_HELD = 64
"""What one kept comment or unknown line weighs beside its text."""


class Gathered:
    """One event at a time. `last_id` and `retry` are the stream's and stay in force."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.last_id: str | None = None
        self.retry: int | None = None
        self._hidden = False  # a line that no frame tells of was oversize
        self._comments: list[str] = []
        self._unknown: list[str] = []
        self._held = 0
        self._replaced = False
        self._reset()

    def _reset(self) -> None:
        self.open = False
        """A field of the event to come was read."""
        self._data: bytearray | None = None
        self._name = ""
        self._cut = False

    @property
    def bare(self) -> bool:
        """Nothing is kept for the frame to come."""
        return not (self._comments or self._unknown or self._replaced)

    def field(self, line: bytes, size: int) -> None:
        """One line that is not blank; `size` is its true length, `line` may be cut."""
        name, _, value = line.partition(b":")
        if value[:1] == b" ":
            value = value[1:]
        if name == b"data":
            self._add_data(value, cut=size > self._limit)
            return
        if size > self._limit:
            self._hidden = True
        if name not in FIELDS:
            self._keep(line)
            return
        self.open = True
        if name == b"event":
            self._name = self._text(value)
        elif name == b"id":
            if b"\0" not in value:
                self.last_id = self._text(value)
        elif value.isdigit() and len(value) <= _DIGITS:
            self.retry = int(value)

    def _add_data(self, value: bytes, *, cut: bool) -> None:
        self.open = True
        if self._cut:
            return
        if self._data is None:
            self._data = bytearray(value)
        else:
            self._data += b"\n"
            self._data += value
        if cut or len(self._data) > self._limit:
            self._cut = True
            del self._data[KEPT:]

    def _keep(self, line: bytes) -> None:
        """A comment or an unknown line: clients ignore it, reports show it."""
        self._held += len(line) + _HELD
        if self._held > self._limit:
            return
        if line[:1] == b":":
            self._comments.append(self._text(line[1:]))
        else:
            self._unknown.append(self._text(line))

    def _text(self, raw: bytes | bytearray) -> str:
        value, replaced = text(raw)
        self._replaced = self._replaced or replaced
        return value

    def dispatch(self, number: int, begin: int, end: int) -> Frame | None:
        """A blank line came: the frame, or None where there is no data."""
        data = self._data
        frame: Frame | None = None
        if data is not None:
            value = shown(data) if self._cut else self._text(data)
            flaw = "oversize" if self._cut else None
            comments, unknown = tuple(self._comments), tuple(self._unknown)
            span = Span(begin, end)
            frame = Frame(
                number, span, value, self._name, self.last_id, comments, unknown, self._replaced, flaw
            )
            self._comments.clear()
            self._unknown.clear()
            self._held = 0
            self._replaced = False
        self._reset()
        return frame

    def rest(self, line: bytes, size: int, span: Span) -> Rest:
        """The bytes ended, in the middle of `line` if it is not empty.

        An event without its blank line is discarded, and a line without its end is not
        obeyed: what they hold is told, nothing more.
        """
        started = False
        if line:
            name, colon, _ = line.partition(b":")
            started = bool(name) and any(f == name or (not colon and f.startswith(name)) for f in FIELDS)
            retry = self.retry
            self.field(line, size)
            self.retry = retry
        tail: str | None = None
        if self.open or started:
            data = self._data
            tail = "" if data is None else shown(data) if self._cut else self._text(data)
        flaw = "oversize" if self._cut or self._hidden else None
        return Rest(span, tail, not line, tuple(self._comments), self._replaced, flaw, tuple(self._unknown))
