"""What the driver must know of an answer: the task, its state, what is asked. Bytes in, no clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import wire
from harness.a2a.reader import Reader
from harness.a2a.request import Asked
from harness.a2a.stream import Stream
from harness.drive.values import Question
from harness.mapping.collect import collect
from harness.mapping.markers import held_by
from harness.model.capture import Capture, Head
from harness.model.event import INTERRUPTED

if TYPE_CHECKING:
    from harness.mapping.engine import Mapper
    from harness.model.event import Dialect, Event
    from harness.model.frame import Frame
    from harness.model.interaction import Sighting

MOST = 10_000
"""Sightings that are looked at: a stream that asks more often asks nobody."""


class Reading:
    """Reads one answer."""

    def __init__(self, mapper: Mapper, dialect: Dialect, status: int, content_type: str) -> None:
        is_document = "json" in content_type.lower()
        self._decoder = wire.decoder("document" if is_document else "sse")
        capture = Capture("", "", "document" if is_document else "sse", head=Head(status))
        self._reader = Reader(capture, Asked(known=True, dialect=dialect, binding="jsonrpc"))
        self._mapper = mapper
        self._markers = None if mapper.markers is None else tuple(one.decode() for one in mapper.markers)
        self._sightings: list[Sighting] = []
        self.stream = Stream()
        self.frames = 0
        self.works = False
        """The answer shows that the agent works: a state behind SUBMITTED, or output."""

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        for frame in self._decoder.feed(chunk):
            self._take(frame)

    def finish(self) -> None:
        """The bytes have ended."""
        for frame in self._decoder.finish()[0]:
            self._take(frame)

    @property
    def is_over(self) -> bool:
        """The agent has asked, has ended its task, has answered with a Message alone, or with an error."""
        stream = self.stream
        if stream.error is not None or stream.terminal is not None:
            return True
        return stream.message_only or stream.last_state in INTERRUPTED

    @property
    def questions(self) -> tuple[Question, ...]:
        """What was asked, each call once. What is told of a delegation asks only if nothing else does."""
        shown = collect(self._sightings)
        asking = [one for one in shown if (one.kind, one.channel) != ("delegation", "content")] or shown
        return tuple(dict.fromkeys(Question(one.tool_call_id, one.tool_name or one.agent) for one in asking))

    def _take(self, frame: Frame) -> None:
        event = self._reader.read(frame)
        self.frames += 1
        self.stream.take(event)
        self.works = self.works or event.kind in ("artifact", "message", "chunk") or self._goes_on(event)
        if event.regions and len(self._sightings) < MOST and self._may_ask(event):
            self._sightings += self._mapper.read(event)[0]

    def _goes_on(self, event: Event) -> bool:
        return event.state is not None and event.state != "submitted"

    def _may_ask(self, event: Event) -> bool:
        return event.state in INTERRUPTED or held_by(event.frame.data, self._markers)
