"""A whole body as one frame: a JSON document, on one line or on many. Sans-IO."""

from __future__ import annotations

from harness.model.frame import Frame, Manner, Rest, Span
from harness.wire.lines import Line, shown, text

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n"


class Decoder:
    """One frame that is the body, none for a blank body; see `harness.wire.decoder`."""

    def __init__(self, start: int = 0, max_line: int = 16 << 20) -> None:
        self._start = start
        self._body = Line(max_line)
        self._bom = False

    @property
    def manner(self) -> Manner:
        """How the body was written: a document has no line ends that mean something."""
        return Manner(self._bom)

    @property
    def told(self) -> tuple[tuple[str, Span], ...]:
        """What the body itself says is missing from it: a document says nothing."""
        return ()

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take the next bytes; the frame comes with `finish`."""
        self._body.add(chunk)
        return []

    def finish(self) -> tuple[list[Frame], Rest]:
        """End of the bytes: the one frame, and what is behind it (nothing)."""
        size, cut = self._body.size, self._body.oversize
        body = self._body.take()
        end = self._start + size
        if body.startswith(_BOM):
            self._bom = True
            body = body[len(_BOM) :]
        if not cut and not body.strip(_BLANK):
            return [], Rest(Span(self._start, end))
        data, replaced = (shown(body), False) if cut else text(body)
        flaw = "oversize" if cut else None
        frame = Frame(1, Span(self._start, end), data, replaced=replaced, flaw=flaw)
        return [frame], Rest(Span(end, end))
