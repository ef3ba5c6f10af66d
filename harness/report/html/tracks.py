"""One capture as the lines of a drawing: steps, how dense its events are, and the frames that are kept.

One pass over the file. What is held grows with the number of steps and kept frames, never with
the number of events.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.report.html.clock import WIDE, Arrivals
from harness.report.html.frames import Read, kept, read
from harness.report.html.track import BUCKETS, Track
from harness.report.timeline import Seen, steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.model.capture import Capture
    from harness.model.interaction import Sighting
    from harness.model.verdict import Round
    from harness.report.html.room import Rooms
    from harness.report.html.track import Order
    from harness.report.timeline import Step

NEAR = 1500
"""Characters of a frame that stands beside one of a finding."""
CONTENT = ("artifact", "message", "chunk")


class Wants(NamedTuple):
    """What is wanted of a capture."""

    frames: frozenset[int]
    """Frames that are kept whole, as far as `length` allows."""
    length: int
    steps: int
    """Lines of a timeline."""
    rooms: Rooms
    max_line: int


def tracks(capture: Capture, orders: Sequence[Order], wants: Wants) -> list[Track]:
    """A track for each of the capture's rounds, in the order of the file."""
    events = read(capture, wants.max_line)
    arrivals = Arrivals(capture)
    made = []
    for order in orders:
        track = Track(order, wants.steps)
        walk = _Walk(track, arrivals, wants)
        for step in steps(walk.seen(_of_one_round(events))):
            walk.take(step)
        walk.close()
        made.append(track)
    return made


def _of_one_round(events: Iterator[Read]) -> Iterator[Read]:
    """The events up to the marker of the next round."""
    for one in events:
        if one.event.kind == "resume":
            return
        yield one


class _Walk:
    """Goes through the events of one round once."""

    def __init__(self, track: Track, arrivals: Arrivals, wants: Wants) -> None:
        self._track = track
        self._arrivals = arrivals
        self._wants = wants
        self._asked = _sightings(track.order.round)
        self._told = {each.place.event for each in track.order.round.findings}
        self._first = 0
        self._places = array("H")
        """Of each event; two bytes an event are what a pass over a round costs."""
        self._kept: set[int] = set()
        self._ends: deque[Read] = deque(maxlen=2)

    def seen(self, events: Iterable[Read]) -> Iterator[Seen]:
        """The events, while their places are noted and some of their frames are kept."""
        for one in events:
            number = one.event.frame.number
            self._first = self._first or number
            at = self._place(number, one)
            channel = "content" if one.event.kind in CONTENT else "control"
            self._track.strips[channel][min(at * BUCKETS // WIDE, BUCKETS - 1)] += 1
            self._places.append(at)
            self._look(number, one)
            yield Seen(one.event, self._asked.get(number, ()))

    def _place(self, number: int, one: Read) -> int:
        axis = self._track.order.axis
        at_ns = self._arrivals.at_ns(one.event.frame.span)
        if axis.timed and at_ns is not None:
            return axis.place(at_ns)
        total = max(self._track.order.round.events, 1)
        return min((2 * (number - self._first) + 1) * WIDE // (2 * total), WIDE)

    def _look(self, number: int, one: Read) -> None:
        """Keep what is wanted, and what stands beside it."""
        wanted = self._wants.frames
        if number in self._asked:
            self._track.at[number] = self._places[-1]
        if number in wanted:
            if self._ends:
                self._spare(self._ends[-1])
            value = kept(one, self._wants.length)
            if self._wants.rooms.frames.takes(value):
                self._keep(value, number)
        elif number - 1 in wanted or number == self._first:
            self._spare(one)
        self._ends.append(one)

    def _spare(self, one: Read) -> None:
        """Keep a frame that nobody asked for, where there is room and it is not there yet."""
        number = one.event.frame.number
        if number not in self._kept:
            value = kept(one, NEAR)
            if self._wants.rooms.spare.takes(value):
                self._keep(value, number)

    def _keep(self, value: dict[str, Any], number: int) -> None:
        self._kept.add(number)
        self._track.frames.append(value)
        self._track.at[number] = self._places[number - self._first]

    def take(self, step: Step) -> None:
        """A line of the timeline."""
        places = self._places[step.first - self._first], self._places[step.last - self._first]
        alone = bool(step.seen.sightings) or step.first in self._told or step.kind not in CONTENT
        self._track.step(step, places, alone=alone)

    def close(self) -> None:
        """The last frames are kept as well."""
        for one in self._ends:
            self._spare(one)


def _sightings(one: Round) -> dict[int, tuple[Sighting, ...]]:
    found: dict[int, tuple[Sighting, ...]] = {}
    for asked in one.interactions:
        for sighting in asked.sightings:
            number = sighting.place.event
            if number is not None:
                found[number] = (*found.get(number, ()), sighting)
    return found
