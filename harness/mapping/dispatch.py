"""Where clauses are tried: tables from names, values and roles to entries.

An entry is one clause at one of its places; entries are numbered in the order they are
tried in: scopes, then marks, then shapes.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from harness.mapping.conditions import Check, Lists, checker
from harness.mapping.form import Mapping, Path, Place
from harness.mapping.live import LiveMark, LiveShape
from harness.mapping.spot import FIRST_SCOPE, PROSE

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT = 4096
"""Unknown member names remembered."""


class Entry(NamedTuple):
    """One clause at one of its places."""

    kind: Literal["scope", "mark", "shape"]
    at: int
    """Number of the clause among its kind."""
    when: Check | None
    match: Check | None


class Hook(NamedTuple):
    """What a member name sets off."""

    values: dict[str, tuple[int, ...]]
    """Entries for the object that holds it, where its value is this text."""
    always: tuple[int, ...]
    """Entries for the object, whatever the value."""
    members: tuple[int, ...]
    """Mark entries for the member itself."""
    keyed: tuple[int, ...]
    """Entries for the value held."""


class Hooks(dict[str, Hook | None]):
    """Member name to hook; names never seen before are looked up by their beginnings once."""

    def __init__(self, known: dict[str, Hook], beginnings: tuple[tuple[str, int], ...]) -> None:
        super().__init__(known)
        self._beginnings = beginnings

    def __missing__(self, name: str) -> Hook | None:
        members = tuple(entry for start, entry in self._beginnings if name.startswith(start))
        hook = Hook({}, (), members, ()) if members else None
        if len(self) < KEPT:
            self[name] = hook
        return hook


class Dispatch:
    """The tables of one mapping."""

    def __init__(self, mapping: Mapping, lists: Lists) -> None:
        self.shapes = [LiveShape(shape, lists) for shape in mapping.shapes]
        scopes = {scope.id: FIRST_SCOPE << number for number, scope in enumerate(mapping.scopes)}
        self.marks = [
            LiveMark(
                clause,
                lists,
                sum(scopes[name] for name in set(clause.outside)) | (0 if clause.prose else PROSE),
            )
            for clause in mapping.marks
        ]
        self.scopes = list(scopes.values())
        self.entries: list[Entry] = []
        self.everywhere: tuple[int, ...] = ()
        self.frame: tuple[int, ...] = ()
        self.members_of: dict[str, tuple[int, ...]] = {}
        self.paths: tuple[tuple[Path, int], ...] = ()
        self.states: dict[str, tuple[int, ...]] = {}
        self.text_starts: tuple[tuple[str, int], ...] = ()
        self.text_contains: tuple[tuple[str, int], ...] = ()
        self._fill(mapping, lists)

    def _fill(self, mapping: Mapping, lists: Lists) -> None:
        tables = _Tables(self)
        for number, scope in enumerate(mapping.scopes):
            self._enter("scope", number, scope.places, checker(scope.match, lists), lists, tables)
        for number, clause in enumerate(mapping.marks):
            self._enter("mark", number, clause.places, self.marks[number].match, lists, tables)
        for number, shape in enumerate(mapping.shapes):
            self._enter("shape", number, shape.places, self.shapes[number].match, lists, tables)
        self.hooks = tables.hooks()
        words = [text for text, _ in (*self.text_starts, *self.text_contains)]
        self.shortest = min(map(len, words), default=sys.maxsize)
        """Characters of the shortest text that any clause looks for."""
        self.tells = _teller(self.text_starts, self.text_contains)

    def _enter(
        self,
        kind: Literal["scope", "mark", "shape"],
        number: int,
        places: tuple[Place, ...],
        match: Check | None,
        lists: Lists,
        tables: _Tables,
    ) -> None:
        for place in places:
            self.entries.append(Entry(kind, number, checker(place.when, lists), match))
            tables.add(place, len(self.entries) - 1)


def _teller(
    starts: tuple[tuple[str, int], ...], contained: tuple[tuple[str, int], ...]
) -> Callable[[str], bool]:
    """Whether a text begins with or contains what a clause looks for (texts with brackets aside)."""
    begun = tuple(start for start, _ in starts)
    needles = [needle for needle, _ in contained if "{" not in needle and "[" not in needle]
    if len(needles) == 1:
        (needle,) = needles
        return lambda text: needle in text or text.startswith(begun)
    return lambda text: text.startswith(begun) or any(needle in text for needle in needles)


class _Tables:
    """Sorts places into the tables of a `Dispatch`."""

    def __init__(self, into: Dispatch) -> None:
        self._into = into
        self._values: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
        self._always: dict[str, tuple[int, ...]] = defaultdict(tuple)
        self._members: dict[str, tuple[int, ...]] = defaultdict(tuple)
        self._keyed: dict[str, tuple[int, ...]] = defaultdict(tuple)
        self._beginnings: tuple[tuple[str, int], ...] = ()

    def add(self, place: Place, entry: int) -> None:
        """Put one entry where its place is looked up."""
        into, names = self._into, place.names
        if place.kind == "anywhere":
            self._anywhere(place, entry)
        elif place.kind == "frame":
            into.frame += (entry,)
        elif place.kind == "path":
            into.paths += ((place.path, entry),)
        elif place.kind == "member_starts":
            self._beginnings += tuple((name, entry) for name in names)
        elif place.kind == "text_starts":
            into.text_starts += tuple((name, entry) for name in names)
        elif place.kind == "text_contains":
            into.text_contains += tuple((name, entry) for name in names)
        else:
            self._named(place, entry)

    def _named(self, place: Place, entry: int) -> None:
        tables = {
            "key": self._keyed,
            "member": self._members,
            "member_of": self._into.members_of,
            "state": self._into.states,
        }
        table = tables[place.kind]
        for name in place.names:
            table[name] = (*table.get(name, ()), entry)

    def _anywhere(self, place: Place, entry: int) -> None:
        if place.triggers is None:
            self._into.everywhere += (entry,)
            return
        for name, value in place.triggers:
            if value is None:
                self._always[name] += (entry,)
            else:
                table = self._values[name]
                table[value] = (*table.get(value, ()), entry)

    def hooks(self) -> Hooks:
        """The table of member names."""
        names = {*self._values, *self._always, *self._members, *self._keyed}
        known = {}
        for name in sorted(names):
            begun = tuple(entry for start, entry in self._beginnings if name.startswith(start))
            known[name] = Hook(
                self._values.get(name, {}),
                self._always.get(name, ()),
                self._members.get(name, ()) + begun,
                self._keyed.get(name, ()),
            )
        return Hooks(known, self._beginnings)
