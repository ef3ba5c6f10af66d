"""JSON lines: one frame a line, whatever the line holds. Sans-IO; wire bytes never raise.

Lines end with LF; a CR before it belongs to the line end. Blank lines (JSON white space
only) belong to the span of the next frame. The last line needs no line end.
"""

from __future__ import annotations

from harness.model.frame import Frame, Manner, Rest, Span
from harness.wire.lines import Line, shown, text

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r"
_new = tuple.__new__


class Decoder:
    """Decode JSON lines; see `harness.wire.decoder` for what every decoder promises."""

    def __init__(self, start: int = 0, max_line: int = 16 << 20) -> None:
        self._limit = max_line
        self._offset = start
        self._begin = start
        self._number = 0
        self._line = Line(max_line)
        self._bom = False
        self._first = True
        self._ends: set[str] = set()

    @property
    def manner(self) -> Manner:
        """How the lines were written so far."""
        return Manner(self._bom, frozenset(self._ends))

    @property
    def told(self) -> tuple[tuple[str, Span], ...]:
        """What the body itself says is missing from it: JSON lines say nothing."""
        return ()

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take the next bytes; give the frames that they completed."""
        out: list[Frame] = []
        lines = chunk.split(b"\n")
        last = lines.pop()
        for line in lines:
            self._offset += len(line) + 1
            if self._line.size:
                self._line.add(line)
                size = self._line.size
                line = self._line.take()
            else:
                size = len(line)
            self._ends.add("crlf" if line[-1:] == b"\r" else "lf")
            self._take(line, size, out)
        if last:
            self._line.add(last)
            self._offset += len(last)
        return out

    def finish(self) -> tuple[list[Frame], Rest]:
        """End of the bytes: the frame of a last line without a line end, and the rest."""
        out: list[Frame] = []
        size = self._line.size
        if size:
            self._take(self._line.take(), size, out)
        return out, Rest(Span(self._begin, self._offset))

    def _take(self, line: bytes, size: int, out: list[Frame]) -> None:
        if self._first and line.startswith(_BOM):
            self._bom = True
            line = line[len(_BOM) :]
            size -= len(_BOM)
        self._first = False
        cut = size > self._limit
        if line[-1:] == b"\r" and not cut:
            line = line[:-1]
        if not cut and not line.strip(_BLANK):
            return
        data, replaced = (shown(line), False) if cut else text(line)
        self._number += 1
        span = _new(Span, (self._begin, self._offset))
        flaw = "oversize" if cut else None
        out.append(_new(Frame, (self._number, span, data, "", None, (), (), replaced, flaw)))
        self._begin = self._offset
