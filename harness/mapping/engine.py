"""The mapper: events in, sightings and marks out, as a compiled mapping says.

What may live in `engine` and `walk`: how nodes are found and tried. No dialect, no form of any
runtime: those are data (`mappings/*.yaml`). The walk is iterative, so depth costs no stack;
what the wire holds never raises.
"""

from __future__ import annotations

from collections.abc import Collection

from harness.mapping.conditions import Check, Scene, checker
from harness.mapping.dispatch import Dispatch
from harness.mapping.form import Mapping
from harness.mapping.live import Budget, Ground
from harness.mapping.markers import all_markers
from harness.mapping.nested import forget
from harness.mapping.spot import root
from harness.mapping.walk import Walk
from harness.model.event import Channel, Event, Region
from harness.model.interaction import Mark, Place, Sighting


class Mapper:
    """Reads interactions and marks out of events, as a mapping says.

    `markers`: every frame that can give a sighting or a mark holds one of these byte
    strings, or an escape of the form `\\u00XX`, or is an event of a state that a clause
    names; None where that cannot be derived. `user_input_tools`: the declared tools that
    ask the user. `marks`: names of the marks that anybody will look at; None: all.
    """

    def __init__(self, mapping: Mapping, marks: Collection[str] | None = None) -> None:
        if marks is not None:
            mapping = mapping._replace(marks=tuple(one for one in mapping.marks if one.name in marks))
        self.mapping = mapping
        lists = dict(mapping.lists)
        self._tables = Dispatch(mapping, lists)
        self._channels: list[tuple[Check | None, Channel]] = [
            (checker(clause.match, lists), clause.channel) for clause in mapping.channels
        ]
        texts = all_markers(mapping)
        self._texts = texts
        self.markers: tuple[bytes, ...] | None = None if texts is None else tuple(t.encode() for t in texts)
        self.user_input_tools: frozenset[str] = frozenset(lists.get("user_input_tools", ()))

    def read(self, event: Event) -> tuple[list[Sighting], list[Mark]]:
        """The sightings and marks of one event, in document order within each region."""
        sightings: list[Sighting] = []
        marks: list[Mark] = []
        scene, budget = Scene(event), Budget()
        for region in event.regions:
            walk = Walk(self._tables, self._texts, scene, self._ground(event, region, scene), budget)
            walk.run(region)
            sightings += walk.sightings
            marks += walk.marks
        sightings += self._by_state(event, scene)
        forget()
        return sightings, marks

    def _ground(self, event: Event, region: Region, scene: Scene) -> Ground:
        channel = region.channel
        if not region.pointer:
            spot = root(region.value)
            channel = next(
                (to for check, to in self._channels if check is None or check(spot, scene)), channel
            )
        return Ground(event, channel, region.pointer)

    def _by_state(self, event: Event, scene: Scene) -> list[Sighting]:
        found: list[Sighting] = []
        for number in self._tables.states.get(event.state or "", ()):
            entry = self._tables.entries[number]
            spot = root(event.body)
            if (entry.when is None or entry.when(spot, scene)) and (
                entry.match is None or entry.match(spot, scene)
            ):
                place = Place(event.frame.number, event.text_pointer or event.state_pointer, event.frame.span)
                live = self._tables.shapes[entry.at]
                sighting = live.sight(spot, scene, Ground(event, "control", ""), place)
                found += [] if sighting is None else [sighting]
        return found
