"""Server-sent events: bytes in, frames out, to the letter of WHATWG HTML 9.2.5 and 9.2.6.

What may live here: how lines and blocks are found. What it refuses to know: files, clocks,
HTTP, JSON, A2A. Wire bytes never raise. Text is made of bytes only when a frame is dispatched.

Two roads give the same frames. `_bulk` takes whole blocks between blank lines out of a
chunk whose line ends are all alike; `_walk` takes line by line what is left: chunk borders,
mixed or lone CR line ends, blocks of an unusual form. A CR at the end of a chunk waits for
the next byte, since CRLF is one line end and frames' spans must not hang on chunk borders.
"""

from __future__ import annotations

from harness.model.frame import Frame, Manner, Rest, Span
from harness.wire.fields import Gathered
from harness.wire.lines import KEPT, Line, text

_BOM = b"\xef\xbb\xbf"
_LF = 10
_new = tuple.__new__


class Decoder:
    """Decode one SSE body. `start` is the offset of its first byte in the file.

    A line, or the data of one event, over `max_line` bytes is cut: the frame has the flaw
    `oversize`; where no frame shows such a line, the rest has it. Comments and unknown
    lines are kept as long as they weigh less than `max_line` together.
    """

    def __init__(self, start: int = 0, max_line: int = 16 << 20) -> None:
        self._limit = max_line
        self._offset = start  # behind what was consumed; a CR that waits was not
        self._begin = start  # of the frame to come
        self._number = 0
        self._line = Line(max_line)
        self._event = Gathered(max_line)
        self._cr = False
        self._head: bytes | None = b""  # first bytes, while they may be a BOM
        self._bom = False
        self._ends: set[str] = set()
        self._names = {b"": ""}  # what may stand before `data:` in a block, and the event's name

    @property
    def manner(self) -> Manner:
        """How the stream was written so far."""
        return Manner(self._bom, frozenset(self._ends))

    @property
    def told(self) -> tuple[tuple[str, Span], ...]:
        """What the body itself says is missing from it: an SSE body says nothing."""
        return ()

    @property
    def retry(self) -> int | None:
        """The reconnection time that the stream asked for, in milliseconds."""
        return self._event.retry

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take the next bytes; give the frames that they completed."""
        if self._head is not None:
            chunk = self._skip_bom(chunk)
        out: list[Frame] = []
        pos = 0
        if self._cr or self._event.open or self._line.size:
            pos = self._walk(chunk, 0, out, once=True)
        if pos < len(chunk):
            pos = self._bulk(chunk, pos, out)
            self._walk(chunk, pos, out, once=False)
        return out

    @property
    def is_between(self) -> bool:
        """Nothing that was fed belongs to the frame to come: no byte, no comment, no event id."""
        waits = self._cr or self._head or self._begin != self._offset
        return not waits and self._event.last_id is None

    def skip(self, frames: int, length: int) -> None:
        """Pass by `frames` whole frames, `length` bytes, that were read elsewhere.

        Only while the decoder `is_between`: spans, comments and ids would be others else.
        """
        self._number += frames
        self._offset += length
        self._begin = self._offset

    def finish(self) -> tuple[list[Frame], Rest]:
        """End of the bytes: the frame that a last lone CR completed, if any, and the rest."""
        out: list[Frame] = []
        if self._head:
            held, self._head = self._head, None
            self._walk(held, 0, out, once=False)
        if self._cr:
            self._cr = False
            self._end_line("cr", self._offset + 1, out)
        size = self._line.size
        return out, self._event.rest(self._line.take(), size, Span(self._begin, self._offset))

    def _skip_bom(self, chunk: bytes) -> bytes:
        chunk = (self._head or b"") + chunk
        if len(chunk) < len(_BOM) and _BOM.startswith(chunk):
            self._head = chunk
            return b""
        self._head = None
        if not chunk.startswith(_BOM):
            return chunk
        self._bom = True
        self._offset += len(_BOM)
        return chunk[len(_BOM) :]

    def fits(self, size: int) -> bool:
        """Can a block of so many bytes hold no line that is too long?"""
        return size <= self._limit

    # whole blocks

    def _bulk(self, chunk: bytes, pos: int, out: list[Frame]) -> int:
        """Take the whole blocks from `pos` on; give the position behind them."""
        if chunk.find(b"\r", pos) < 0:
            eol, kind = b"\n", "lf"
        else:
            eol, kind = b"\r\n", "crlf"
        stop = chunk.rfind(eol + eol, pos) + 2 * len(eol)
        if stop < pos + 2 * len(eol):
            return pos
        region = chunk[pos:stop]
        if kind == "crlf":
            pairs = region.count(eol)
            if pairs != region.count(b"\n") or pairs != region.count(b"\r"):
                return pos
        self._ends.add(kind)
        self._blocks(region, eol, out)
        return stop

    def _blocks(self, region: bytes, eol: bytes, out: list[Frame]) -> None:
        """Whole blocks. One `data:` line alone, or behind an `event:` line seen before, is read
        here; every other form goes line by line."""
        event, names, append = self._event, self._names, out.append
        end, width = self._offset, 2 * len(eol)
        begin, number, last_id, bare = self._begin, self._number, event.last_id, event.bare
        short = len(region) <= self._limit
        blocks = region.split(eol + eol)
        blocks.pop()  # nothing, or one blank line more
        for block in blocks:
            end += len(block) + width
            head, found, data = block.partition(b"data:")
            name = names.get(head) if found and bare else None
            if name is not None and eol not in data and (short or len(block) <= self._limit):
                try:
                    value = str(data[1:] if data[:1] == b" " else data, "utf-8")
                except UnicodeDecodeError:
                    pass
                else:
                    number += 1
                    span = _new(Span, (begin, end))
                    append(_new(Frame, (number, span, value, name, last_id, (), (), False, None)))
                    begin = end
                    continue
            if block:
                self._begin, self._number = begin, number
                self._block(block, eol, end, out)
                begin, number, last_id, bare = self._begin, self._number, event.last_id, event.bare
        self._begin, self._number = begin, number
        self._offset += len(region)

    def _block(self, block: bytes, eol: bytes, end: int, out: list[Frame]) -> None:
        """A block of any form, line by line; learns what stands before `data:`."""
        limit, field = self._limit, self._event.field
        for line in block.split(eol):
            if len(line) > limit:
                field(line[:KEPT], len(line))
            elif line:
                field(line, len(line))
        self._learn(block[:KEPT], eol)
        self._dispatch(end, out)

    def _learn(self, block: bytes, eol: bytes) -> None:
        """Keep the name of an `event:` line that stands alone before the data."""
        head, _, after = block.partition(eol)
        if head[:6] == b"event:" and after.startswith(b"data:") and len(self._names) < KEPT:
            name, replaced = text(head[7:] if head[6:7] == b" " else head[6:])
            if not replaced:
                self._names[head + eol] = name

    # line by line

    def _walk(self, chunk: bytes, pos: int, out: list[Frame], *, once: bool) -> int:
        """Take lines from `pos` on, to the end or (`once`) behind the first blank line."""
        size = len(chunk)
        base = self._offset - pos
        if self._cr and pos < size:
            self._cr = False
            pair = chunk[pos] == _LF
            pos += pair
            base += 1  # the CR that waited
            if self._end_line("crlf" if pair else "cr", base + pos, out) and once:
                return pos
        lf = -1
        while pos < size:
            if lf < pos:
                lf = chunk.find(b"\n", pos)
                if lf < 0:
                    lf = size
            cr = chunk.find(b"\r", pos, lf)
            stop = lf if cr < 0 else cr
            self._line.add(chunk[pos:stop])
            if stop == size or (stop + 1 == size and cr >= 0):
                self._cr = stop < size
                self._offset = base + stop
                return size
            width = 2 if cr >= 0 and stop + 1 == lf else 1
            pos = stop + width
            kind = "lf" if cr < 0 else "crlf" if width == 2 else "cr"
            if self._end_line(kind, base + pos, out) and once:
                return pos
        return size

    def _end_line(self, kind: str, end: int, out: list[Frame]) -> bool:
        """A line is complete and ends at `end`; tells whether it was blank."""
        self._ends.add(kind)
        self._offset = end
        size = self._line.size
        if size:
            self._event.field(self._line.take(), size)
            return False
        self._dispatch(end, out)
        return True

    def _dispatch(self, end: int, out: list[Frame]) -> None:
        frame = self._event.dispatch(self._number + 1, self._begin, end)
        if frame is not None:
            out.append(frame)
            self._number += 1
            self._begin = end
