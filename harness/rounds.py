"""One round in the making: a frame becomes an event, the event meets rules and mapping, the end a verdict.

Everything here lives for one round of one capture; what outlasts it is a `Round` and the
`RoundFacts` that rules across rounds compare. Rank 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.a2a.stream import Stream
from harness.judge import outcome
from harness.mapping.collect import collect
from harness.model.capture import Unread
from harness.model.event import INTERRUPTED
from harness.model.verdict import Round
from harness.rules.engine import Engine
from harness.rules.facts import RoundFacts, facts
from harness.rules.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.mapping.engine import Mapper
    from harness.model.capture import Capture
    from harness.model.event import Event
    from harness.model.frame import Frame, Manner, Rest
    from harness.model.interaction import Mark, Sighting
    from harness.rules.engine import Selection
    from harness.rules.scope import Times

ESCAPE = "\\u00"
PLACES = 3
"""Frames of one name that are judged slowly before others are only counted: a finding shows three places."""


FLAWS: dict[str, str] = {
    "oversize": "a line, or an event's data, is longer than --max-line and was not read; raise --max-line",
    "truncated": "the log cut its raw record; what was cut off is not known",
    "unparseable": "the raw record is no JSON",
    "missing": "the log holds no raw record of this event",
}


class Judged(NamedTuple):
    """What is left of a round."""

    round: Round
    facts: RoundFacts


class RoundJudge:
    """Judges the frames of one round; `close` gives the verdict.

    `told_only`: frames that are no JSON are told only if they hold a marker, since only
    contract families are judged and their frames may be skipped unread.
    """

    def __init__(self, capture: Capture, mapper: Mapper, selection: Selection, *, told_only: bool) -> None:
        self.capture = capture
        self.events = 0
        self._asked = asked(capture)
        self._stream = Stream()
        self._scope = Scope(capture, self._asked, self._stream)
        self._scope.user_input_tools = mapper.user_input_tools
        self._reader = Reader(capture, self._asked)
        self._mapper = mapper
        markers = mapper.markers
        self._markers = None if markers is None else tuple(marker.decode() for marker in markers)
        self._engine = Engine(selection, self._scope, expected=capture.expected)
        self._told_only = told_only
        self._sightings: list[Sighting] = []
        self._marks: list[Mark] = []
        self._unread: list[Unread] = []
        self._plain_id: str | None = None
        self._named: dict[str, int] = {}

    def read(self, frame: Frame) -> Event:
        """`frame` as an event, not yet judged."""
        return self._reader.read(frame)

    def frame(self, frame: Frame) -> None:
        """Judge one frame."""
        self.take(self._reader.read(frame))

    def take(self, event: Event) -> None:
        """Judge one event."""
        self.events += 1
        scope, stream = self._scope, self._stream
        scope.dialect = stream.dialect or event.dialect or scope.dialect
        scope.binding = stream.binding or event.binding or scope.binding
        self._engine.event(event)
        if event.regions and self._may_hold(event):
            sightings, marks = self._mapper.read(event)
            self._sightings += sightings
            self._marks += marks
        elif event.kind == "malformed":
            self._tell(event)
        stream.take(event)
        scope.dialect = stream.dialect or scope.dialect
        self._plain_id = self._id_of_plain(event)
        if self._plain_id is not None:
            self._named[event.frame.name] = self._named.get(event.frame.name, 0) + 1

    def _may_hold(self, event: Event) -> bool:
        markers = self._markers
        if markers is None or event.state in INTERRUPTED:
            return True
        data = event.frame.data
        return ESCAPE in data or any(marker in data for marker in markers)

    def _tell(self, event: Event) -> None:
        """A frame that is no JSON value: its place, why, and which markers stand in it."""
        frame = event.frame
        held = [marker for marker in self._markers or () if marker in frame.data]
        if self._told_only and not held:
            return
        reason = f"event {frame.number}: {FLAWS.get(event.reason, event.reason)}"
        if held:
            reason += "; it holds " + ", ".join(held)
        self._unread.append(Unread(self.capture.source, reason, frame.span))

    # fast lanes

    def count(self, frames: int) -> None:
        """`frames` more were passed by unread."""
        self.events += frames

    def may_skip(self) -> bool:
        """May frames without a marker be passed by? Not before a task's stream and its ids are known."""
        stream = self._stream
        if stream.first is None or stream.first.kind not in ("task", "status", "artifact"):
            return False
        return stream.task_id is not None and stream.context_id is not None

    def plain(self, name: str, pieces: Sequence[bytes], first: int, last: int) -> int:
        """Take the plain frames from `pieces[first]` on; give the index of the first other one, or `last`."""
        rpc_id = self._plain_id
        if rpc_id is None or self._named.get(name, 0) < PLACES:
            return first
        from harness.a2a.plain import take

        stop = take(pieces, first, last, self._stream, rpc_id)
        if stop > first:
            self.events += stop - first
            self._engine.passed(name, stop - first)
        return stop

    def _id_of_plain(self, event: Event) -> str | None:
        """The request id that plain frames after `event` would have; None where there can be none."""
        stream = self._stream
        if stream.dialect != "v1.0" or stream.binding != "jsonrpc" or not stream.may_be_plain():
            return None
        if type(event.json) is not dict:
            return None
        rpc_id = event.json.get("id")
        wanted = self._asked.rpc_id if self._asked.known else rpc_id
        return rpc_id if type(rpc_id) is str and rpc_id == wanted else None

    # the end

    def close(
        self,
        rest: Rest | None,
        manner: Manner | None,
        unread: Sequence[Unread] = (),
        times: Times | None = None,
    ) -> Judged:
        """The round is over; `rest` None where another round follows in the same file."""
        scope, capture, stream = self._scope, self.capture, self._stream
        scope.rest = rest
        scope.manner = manner
        scope.times = times
        scope.marks = tuple(self._marks)
        scope.interactions = collect(self._sightings)
        scope.outcome = outcome(
            stream,
            capture,
            recognised=stream.recognised,
            body_empty=self.events == 0 and _is_empty(rest),
            asked=self._asked,
        )
        findings, not_checked = self._engine.finish()
        round = Round(
            source=capture.source,
            scenario=capture.scenario,
            topology=capture.topology,
            protocol=capture.protocol,
            round=capture.round,
            leg=capture.leg,
            dialect=scope.dialect,
            binding=scope.binding,
            http_status=capture.head.status if capture.head else None,
            events=self.events,
            ending=capture.ending,
            outcome=scope.outcome,
            unread=(*unread, *self._unread, *_oversize(capture, rest)),
            interactions=scope.interactions,
            findings=tuple(findings),
            not_checked=tuple(not_checked),
        )
        return Judged(round, facts(scope))


def _is_empty(rest: Rest | None) -> bool:
    """Nothing, blank lines or comments: a body that says nothing, not one that can not be read."""
    return rest is None or (rest.tail is None and not rest.unknown and rest.flaw is None)


def _oversize(capture: Capture, rest: Rest | None) -> tuple[Unread, ...]:
    if rest is None or rest.flaw is None:
        return ()
    return (Unread(capture.source, f"after the last event: {FLAWS.get(rest.flaw, rest.flaw)}", rest.span),)
