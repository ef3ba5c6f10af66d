"""The SIT wire log: its `raw:` records as frames. Sans-IO; wire bytes never raise.

A log prints each event for people (`[i] KIND  state=..`, then `  | ` lines) and once more
as `  raw: ` with the JSON it was read from. Only the raw counts: text behind `  | ` may
look like anything. One frame of several parts is several events with one raw, so equal raws
in a row are one frame. What can not be read is a frame with a flaw, never a gap:
`truncated` (the log's own cap cut it), `unparseable`, `missing` (no raw; `data` holds the
event's text), `oversize`. Such a frame's `name` is the event's line: it may tell the state.
"""

from __future__ import annotations

import re

from harness.jsontext import Flaw, read
from harness.model.frame import Frame, Manner, Rest, Span
from harness.wire.lines import KEPT, Line, shown, text

_EVENT = re.compile(rb"\[\d{1,12}\] [A-Z][A-Z0-9_]*(?:  .*)?\s*\Z", re.DOTALL)
_RESPONSE = re.compile(rb"====== RESPONSE \((\d{1,12}) events?\) ======\s*\Z")
_SAME = (None, "truncated")
"""Equal raws in a row with another flaw prove nothing: each is told."""
_HEAD = b"# protocol:"
_TEXT = b"  | "
_RAW = b"  raw:"
_CAPPED = re.compile(r" (?:\u2026|\.\.\.) ?<truncated(?:, original \d+ chars)?>\s*\Z")


class Decoder:
    """Decode a log from its `====== RESPONSE (K events) ======` line on.

    `declared` is K (None where that line was not seen), `seen` counts the events printed.
    """

    def __init__(self, start: int = 0, max_line: int = 16 << 20) -> None:
        self._limit = max_line
        self._offset = start  # behind the lines that were taken
        self._line = Line(max_line)
        self._ends: set[str] = set()
        self._number = 0
        self._begin = start  # of the frame to come
        self._held: Frame | None = None  # waits for the next raw, which may be the same
        self._told: list[tuple[str, Span]] = []
        self.declared: int | None = None
        self.seen = 0
        self._reset()

    def _reset(self) -> None:
        self._in_event = False
        self._head = b""
        self._raw: bytes | None = None
        self._more: list[bytes] = []  # lines behind the raw: a raw printed on several lines
        self._size = 0
        self._cut = False
        self._texts = bytearray()

    @property
    def manner(self) -> Manner:
        """How the log was written so far."""
        return Manner(False, frozenset(self._ends))

    @property
    def told(self) -> tuple[tuple[str, Span], ...]:
        """What the log itself says is missing; complete after `finish`."""
        return tuple(self._told)

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take the next bytes; give the frames that they completed."""
        out: list[Frame] = []
        lines = chunk.split(b"\n")
        last = lines.pop()
        for line in lines:
            self._line.add(line)
            size = self._line.size
            self._end_line(self._line.take(), size, size + 1, out)
        self._line.add(last)
        return out

    def finish(self) -> tuple[list[Frame], Rest]:
        """End of the bytes: the last frames, and what is left behind them."""
        out: list[Frame] = []
        size = self._line.size
        if size:
            self._end_line(self._line.take(), size, size, out)
        self._end_event(out)
        if self._held is not None:
            out.append(self._held)
            self._begin = self._held.span.end
            self._held = None
        if self.declared is not None and self.declared != self.seen:
            reason = f"the log declares {self.declared} events and holds {self.seen}; give the whole log"
            self._told.append((reason, Span(self._offset, self._offset)))
        return out, Rest(Span(self._begin, self._offset))

    def _end_line(self, line: bytes, size: int, width: int, out: list[Frame]) -> None:
        if width > size:
            self._ends.add("crlf" if line[-1:] == b"\r" else "lf")
        if line[-1:] == b"\r" and size == len(line):
            line = line[:-1]
        self._take(line, size > self._limit, out)
        self._offset += width

    def _take(self, line: bytes, cut: bool, out: list[Frame]) -> None:
        """One line; `self._offset` is where it begins."""
        first = line[:1]
        if first == b"[" and not cut and _EVENT.match(line):
            self._end_event(out)
            self._in_event = True
            self._head = line
            self.seen += 1
        elif line.startswith(_TEXT):
            self._add_text(line[len(_TEXT) :])
        elif line.startswith(_RAW):
            self._add_raw(line, cut, out)
        elif first == b"=" and not cut and (match := _RESPONSE.match(line)):
            self.declared = (self.declared or 0) + int(match[1])
        elif line.startswith(_HEAD):
            self._another(out)
        else:
            self._add_more(line, cut)

    def _another(self, out: list[Frame]) -> None:
        """A second log begins in the same file."""
        self._end_event(out)
        if self._number or self._held:
            reason = "another log begins here: two rounds in one file are read as one; keep one log a file"
            self._told.append((reason, Span(self._offset, self._offset)))

    def _add_raw(self, line: bytes, cut: bool, out: list[Frame]) -> None:
        """A raw, also one whose event line is not known or that follows another raw."""
        if self._raw is not None:
            self._end_event(out)
        self._in_event = True
        self._raw = line[len(_RAW) :]
        self._size = len(line)
        self._cut = cut

    def _add_text(self, line: bytes) -> None:
        if self._raw is None and len(self._texts) < KEPT * KEPT:
            self._texts += line + b"\n"

    def _add_more(self, line: bytes, cut: bool) -> None:
        """A line of no known form: it may go on with a raw that holds line breaks."""
        if self._raw is None:
            return
        self._size += len(line) + 1
        self._cut = self._cut or cut or self._size > self._limit
        if not self._cut:
            self._more.append(line)

    def _end_event(self, out: list[Frame]) -> None:
        """The event that was open ends at `self._offset`."""
        if not self._in_event:
            return
        data, replaced, flaw = self._record()
        name = "" if flaw is None else text(self._head[:KEPT])[0].partition("] ")[2].strip()
        self._reset()
        held = self._held
        if held is not None:
            same = (held.data, held.flaw, held.replaced) == (data, flaw, replaced)
            if same and flaw in _SAME and "state=" not in name:
                self._held = held._replace(span=Span(held.span.start, self._offset))
                return
            out.append(held)
            self._begin = held.span.end
        self._number += 1
        span = Span(self._begin, self._offset)
        self._held = Frame(self._number, span, data, name, replaced=replaced, flaw=flaw)

    def _record(self) -> tuple[str, bool, str | None]:
        """The open event's data, whether UTF-8 was replaced in it, and its flaw."""
        if self._raw is None:
            data, replaced = text(self._texts)
            return data.rstrip("\n"), replaced, "missing"
        if self._cut:
            return shown(self._raw.lstrip()), False, "oversize"
        data, replaced = text(self._raw.strip())
        if not isinstance(read(data), Flaw):
            return data, replaced, None
        if _CAPPED.search(data):
            return data, replaced, "truncated"
        return self._whole(data, replaced)

    def _whole(self, data: str, replaced: bool) -> tuple[str, bool, str | None]:
        """A raw that does not parse by itself, read on over the lines behind it."""
        more, again = text(b"\n".join(self._more).rstrip())
        whole = f"{data}\n{more}" if more else data
        if _CAPPED.search(whole):
            return whole, replaced or again, "truncated"
        flaw = "unparseable" if isinstance(read(whole), Flaw) else None
        return whole, replaced or again, flaw
