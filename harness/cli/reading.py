"""One capture, read for the eye: frames, events, and what the mapping sees in them, as a stream."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness import wire
from harness.capture.discover import find
from harness.capture.files import Body
from harness.errors import CaptureError, UsageError
from harness.model.event import INTERRUPTED
from harness.model.frame import Manner, Rest, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Capture, Unread
    from harness.model.event import Event
    from harness.model.frame import Frame
    from harness.report.timeline import Seen


def the_capture(path: str, max_line: int = wire.MAX_LINE) -> Capture:
    """The one capture at `path`; raises `CaptureError` or, where there are several, `UsageError`."""
    found = find([path], stdin=sys.stdin.buffer, max_line=max_line)
    if len(found.captures) == 1:
        return found.captures[0]
    if found.captures:
        names = ", ".join(one.source for one in found.captures[:5])
        more = len(found.captures) - 5
        tail = f" and {more} more" if more > 0 else ""
        raise UsageError(f"{path} holds {len(found.captures)} captures", mend=f"name one of {names}{tail}")
    reason = found.unread[0].reason if found.unread else "no capture in it"
    raise CaptureError(reason, file=path, mend="name a capture")


_ESCAPE = "\\u00"


def _may_hold(event: Event, markers: list[str] | None) -> bool:
    """Can the mapping see anything in `event`? What `Mapper.markers` promises."""
    if markers is None or event.state in INTERRUPTED:
        return True
    return any(marker in event.frame.data for marker in markers)


class Reading:
    """Reads one capture once. `rest`, `manner` and `unread` are known when all frames are read."""

    def __init__(self, capture: Capture, max_line: int = wire.MAX_LINE) -> None:
        self.capture = capture
        self._body = Body(capture)
        self._decoder = wire.decoder(capture.framing, capture.start, max_line)
        self.rest = Rest(Span(capture.start, capture.start))
        self.manner = Manner()

    def frames(self) -> Iterator[Frame]:
        """The frames in order."""
        for chunk in self._body.chunks():
            yield from self._decoder.feed(chunk)
        last, self.rest = self._decoder.finish()
        self.manner = self._decoder.manner
        yield from last

    def events(self, mappings: tuple[str, ...] = ()) -> Iterator[Seen]:
        """Each frame as an event, with interactions and marks."""
        from harness.a2a.reader import Reader
        from harness.a2a.request import asked
        from harness.mapping.engine import Mapper
        from harness.mapping.load import load
        from harness.report.timeline import Seen

        reader, mapper = Reader(self.capture, asked(self.capture)), Mapper(load(mappings))
        markers = None if mapper.markers is None else [_ESCAPE, *(m.decode() for m in mapper.markers)]
        for frame in self.frames():
            event = reader.read(frame)
            if event.regions and _may_hold(event, markers):
                sightings, marks = mapper.read(event)
                yield Seen(event, tuple(sightings), tuple(marks))
            else:
                yield Seen(event)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What could not be read so far."""
        return (*self.capture.unread, *self._body.unread)

    def bytes_of(self, span: Span) -> Iterator[bytes]:
        """The exact bytes of a span, from a second reading of the file."""
        at = self.capture.start
        for chunk in Body(self.capture).chunks():
            if at + len(chunk) > span.start and at < span.end:
                yield chunk[max(0, span.start - at) : span.end - at]
            at += len(chunk)
            if at >= span.end:
                return
