"""Compiled clauses made ready to run: conditions and sources as functions.

A live clause turns a fitting spot into a `Sighting` or a `Mark`; where it is tried is
`dispatch`'s business, and the walk is the engine's.
"""

from typing import Any, NamedTuple

from harness.mapping.conditions import Check, Lists, Read, Scene, checker, filled, reader, search
from harness.mapping.form import MarkClause, Shape, Source
from harness.mapping.spelling import spellings
from harness.mapping.spot import VALUE, Spot, pointer
from harness.model.event import Channel, Event
from harness.model.interaction import Exposure, Kind, Mark, Place, Sighting

SEEN = 200
"""Characters of a value that a mark quotes."""
POINTERS = 16 << 20
"""Characters of pointers that one event may cost; places beyond have no pointer."""


class Ground(NamedTuple):
    """What all sightings of one region share."""

    event: Event
    channel: Channel
    base: str


class Budget:
    """Counts the characters of an event's pointers."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = POINTERS

    def place(self, ground: Ground, spot: Spot) -> Place:
        """The spot's place; without its pointer once the budget is spent."""
        frame = ground.event.frame
        if self.left <= 0:
            return Place(frame.number, None, frame.span)
        text = pointer(spot, ground.base)
        self.left -= len(text)
        return Place(frame.number, text, frame.span)


def as_text(value: Any) -> str | None:
    """A field's value as text; None where it is no id, name or prompt."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def resolved(source: Source, lists: Lists) -> Source:
    """The source with the names of its list put in."""
    if not source.listed:
        return source
    names = [name for one in lists.get(source.listed, ()) for name in spellings(one)]
    return source._replace(names=tuple(dict.fromkeys((*source.names, *names))), listed="")


type Fields = tuple[tuple[str, tuple[Read, ...]], ...]


def _fields(fields: tuple[tuple[str, tuple[Source, ...]], ...]) -> Fields:
    return tuple((name, tuple(reader(source) for source in sources)) for name, sources in fields)


def _read(fields: Fields, spot: Spot, scene: Scene) -> dict[str, str | None]:
    return {name: _first(reads, spot, scene) for name, reads in fields}


def _first(reads: tuple[Read, ...], spot: Spot, scene: Scene) -> str | None:
    for read in reads:
        for value in read(spot, scene):
            if (text := as_text(value)) is not None:
                return text
    return None


class LiveShape:
    """A shape ready to run."""

    __slots__ = ("cases", "fields", "internal", "match", "shape")

    def __init__(self, shape: Shape, lists: Lists) -> None:
        self.shape = shape
        self.match = checker(shape.match, lists)
        self.fields = _fields(shape.fields)
        self.cases: tuple[tuple[Check | None, Kind, Exposure], ...] = tuple(
            (checker(case.when, lists), case.kind, case.exposure) for case in shape.cases
        )
        self.internal = None if shape.internal is None else resolved(shape.internal, lists)

    def sight(self, spot: Spot, scene: Scene, ground: Ground, place: Place) -> Sighting | None:
        """The spot as a sighting; None where no case takes it."""
        scene.fields = fields = _read(self.fields, spot, scene)
        scene.internal = self._visible(spot)
        for when, kind, exposure in self.cases:
            if when is None or when(spot, scene):
                return self._sighting(spot, scene, ground, place, kind, exposure, fields)
        return None

    def _sighting(
        self,
        spot: Spot,
        scene: Scene,
        ground: Ground,
        place: Place,
        kind: Kind,
        exposure: Exposure,
        fields: dict[str, str | None],
    ) -> Sighting:
        extra, missing = self._against_proxy(spot) if kind == "delegation" else ((), ())
        return Sighting(
            kind,
            ground.channel,
            exposure,
            place,
            self.shape.id,
            fields.get("toolCallId"),
            fields.get("toolName"),
            fields.get("agent"),
            fields.get("prompt"),
            fields.get("interruptId"),
            fields.get("interruptKind"),
            ground.event.task_id,
            extra,
            missing,
            scene.internal if exposure == "leaked" else (),
            self.shape.fallback,
        )

    def _visible(self, spot: Spot) -> tuple[str, ...]:
        if self.internal is None:
            return ()
        seen = search(spot[VALUE], self.internal.names, frozenset(self.internal.excepted))
        return tuple(dict.fromkeys(name for name, value in seen if filled(value)))

    def _against_proxy(self, spot: Spot) -> tuple[tuple[str, ...], tuple[str, ...]]:
        value, proxy = spot[VALUE], self.shape.proxy
        if not proxy or not isinstance(value, dict):
            return (), ()
        known = {name for names in proxy for name in names}
        extra = tuple(name for name, held in value.items() if name not in known and filled(held))
        missing = tuple(names[0] for names in proxy if not any(filled(value.get(name)) for name in names))
        return extra, missing


class LiveMark:
    """A mark's clause ready to run."""

    __slots__ = ("clause", "fields", "match", "outside")

    def __init__(self, clause: MarkClause, lists: Lists, outside: int) -> None:
        self.clause = clause
        self.match = checker(clause.match, lists)
        self.fields = _fields(clause.fields)
        self.outside = outside
        """Flags of the scopes (and of prose) within which it is no evidence."""

    def mark(self, spot: Spot, scene: Scene, ground: Ground, place: Place, seen: str = "") -> Mark:
        """The spot as a mark; `seen` is what was seen where no field says it."""
        fields = _read(self.fields, spot, scene)
        return Mark(
            self.clause.name,
            ground.channel,
            place,
            self.clause.id,
            fields.get("toolCallId"),
            fields.get("target"),
            (fields.get("text") or seen)[:SEEN],
            ground.event.task_id,
        )
