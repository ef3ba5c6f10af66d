"""The walk over one region: one pass, iterative, JSON inside strings included.

Who is tried where is `dispatch`'s business, what a node becomes is `live`'s. The wire never raises.
"""

from typing import Any, NamedTuple

from harness.mapping.conditions import Scene
from harness.mapping.dispatch import Dispatch, Hook
from harness.mapping.live import Budget, Ground, LiveShape
from harness.mapping.markers import held_by
from harness.mapping.nested import NO, embedded, whole, worth
from harness.mapping.roles import first_role, grown
from harness.mapping.spot import (
    DECODED,
    FLAGS,
    PARENT,
    PROSE,
    QUIET,
    ROLE,
    STEP,
    TOLD,
    VALUE,
    Pending,
    Role,
    Spot,
    held_as,
    root,
)
from harness.model.event import Region
from harness.model.interaction import Mark, Sighting


class _Later(NamedTuple):
    """A shape that is taken only if nothing inside its node was."""

    live: LiveShape
    seen: int


class Walk:
    """One pass over one region."""

    __slots__ = ("_budget", "_ground", "_scene", "_stack", "_tables", "_texts", "marks", "sightings")

    def __init__(
        self, tables: Dispatch, texts: tuple[str, ...] | None, scene: Scene, ground: Ground, budget: Budget
    ) -> None:
        self._tables = tables
        self._texts = texts
        self._scene = scene
        self._ground = ground
        self._budget = budget
        self._stack: list[Any] = []
        self.sightings: list[Sighting] = []
        self.marks: list[Mark] = []

    def run(self, region: Region) -> None:
        """Walk the region."""
        stack = self._stack
        stack.append(root(region.value, first_role(self._ground.event, region, self._tables.paths)))
        while stack:
            spot = stack.pop()
            kind = spot[VALUE].__class__
            if kind is dict:
                self._object(spot)
            elif kind is list:
                self._array(spot)
            elif kind is str:
                self._string(spot)
            elif kind is _Later:
                self._late(spot)
            else:
                self._try(spot, list(self._keyed(spot)))

    def _object(self, spot: Spot) -> None:
        value, flags = spot[VALUE], spot[FLAGS]
        tables = self._tables
        hooks, shortest, tells = tables.hooks, tables.shortest, tables.tells
        entries: list[int] = []
        children: list[Spot] = []
        below_flags = flags & ~DECODED
        for name, held in value.items():
            kind = held.__class__
            hook = hooks[name]
            if hook is not None:
                self._hooked(hook, name, held, spot, entries)
            if kind is dict or kind is list:
                if held:
                    children.append((held, name, spot, None, below_flags))
            elif kind is str:
                if (
                    "{" in held
                    or "[" in held
                    or "\\" in held
                    or (len(held) >= shortest and tells(held))
                    or (hook is not None and hook.keyed and held)
                ):
                    children.append((held, name, spot, None, below_flags))
            elif hook is not None and hook.keyed and held:
                children.append((held, name, spot, None, below_flags))
        entries += tables.everywhere
        self._descend(spot, entries, children)

    def _hooked(self, hook: Hook, name: str, held: Any, spot: Spot, entries: list[int]) -> None:
        if hook.always:
            entries += hook.always
        if hook.values and held.__class__ is str:
            entries += hook.values.get(held, ())
        for number in hook.members:
            self._mark(number, (held, name, spot, None, spot[FLAGS] & ~DECODED), name)

    def _array(self, spot: Spot) -> None:
        shortest, tells = self._tables.shortest, self._tables.tells
        below_flags = spot[FLAGS] & ~DECODED
        wanted = bool(spot[ROLE] and spot[ROLE].pending)
        children: list[Spot] = []
        for at, held in enumerate(spot[VALUE]):
            kind = held.__class__
            if kind is dict or kind is list:
                take = bool(held)
            else:
                take = kind is str and (wanted or worth(held) or (len(held) >= shortest and tells(held)))
            if take:
                children.append((held, at, spot, None, below_flags))
        self._descend(spot, [], children)

    def _descend(self, spot: Spot, entries: list[int], children: list[Spot]) -> None:
        """Try the entries on the spot, then put its children on the stack as what became of it says."""
        entries += self._keyed(spot)
        role: Role | None = spot[ROLE]
        extra_flags, pending = 0, () if role is None else role.pending
        if role is not None:
            entries += role.entries
        if spot[PARENT] is None and not self._ground.base:
            entries += self._tables.frame
        if entries:
            extra_flags, taken = self._try(spot, entries)
            pending = pending if taken is None else taken
        if extra_flags:
            children = [(*child[:FLAGS], child[FLAGS] | extra_flags) for child in children]
        if pending:
            children = [grown(child, pending) for child in children]
        children.reverse()
        self._stack += children

    def _keyed(self, spot: Spot) -> tuple[int, ...]:
        name = held_as(spot)
        hook = None if name is None else self._tables.hooks[name]
        return () if hook is None else hook.keyed

    def _try(self, spot: Spot, entries: list[int]) -> tuple[int, tuple[Pending, ...] | None]:
        """Flags for what is below the spot, and the paths open there if a shape took it."""
        added = 0
        taken: tuple[Pending, ...] | None = None
        for number in sorted(set(entries)):
            entry = self._tables.entries[number]
            if entry.kind == "shape":
                if not spot[FLAGS] & QUIET and self._open_to(entry.at, taken) and self._fits(number, spot):
                    paths = self._take(entry.at, spot)
                    taken = paths if taken is None else taken
            elif entry.kind == "mark":
                self._mark(number, (spot[VALUE], spot[STEP], spot[PARENT], spot[ROLE], spot[FLAGS] | added))
            elif self._fits(number, spot):
                added |= self._tables.scopes[entry.at]
        return (added, None) if taken is None else (added | QUIET, taken)

    def _open_to(self, at: int, taken: tuple[Pending, ...] | None) -> bool:
        """The node is still to be had; a container also takes shapes for when it turns out empty."""
        return taken is None or (bool(taken) and self._tables.shapes[at].shape.otherwise)

    def _fits(self, number: int, spot: Spot) -> bool:
        _, _, when, match = self._tables.entries[number]
        scene = self._scene
        return (when is None or when(spot, scene)) and (match is None or match(spot, scene))

    def _take(self, at: int, spot: Spot) -> tuple[Pending, ...] | None:
        """The paths open below the spot if the shape takes it; None: it does not."""
        live = self._tables.shapes[at]
        shape = live.shape
        if shape.each:
            members = self._tables.members_of.get(shape.id, ())
            return tuple(Pending(path, members, spot) for path in shape.each)
        if shape.otherwise:
            self._stack.append((_Later(live, len(self.sightings)), None, spot, None, 0))
            return None
        sighting = live.sight(spot, self._scene, self._ground, self._budget.place(self._ground, spot))
        if sighting is None:
            return None
        self.sightings.append(sighting)
        return ()

    def _late(self, spot: Spot) -> None:
        later, node = spot[VALUE], spot[PARENT]
        if len(self.sightings) > later.seen:
            return
        place = self._budget.place(self._ground, node)
        sighting = later.live.sight(node, self._scene, self._ground, place)
        if sighting is not None:
            self.sightings.append(sighting)

    def _mark(self, number: int, spot: Spot, seen: str = "") -> None:
        live = self._tables.marks[self._tables.entries[number].at]
        if spot[FLAGS] & live.outside or not self._fits(number, spot):
            return
        place = self._budget.place(self._ground, spot)
        self.marks.append(live.mark(spot, self._scene, self._ground, place, seen))

    def _string(self, spot: Spot) -> None:
        text = spot[VALUE]
        values: list[Any] = []
        if worth(text) and (spot[ROLE] is not None or self._keyed(spot) or held_by(text, self._texts)):
            value = whole(text)
            if value is not NO:
                self._stack.append((value, None, spot, spot[ROLE], spot[FLAGS] | DECODED))
                return
            values = embedded(text)
        flags = spot[FLAGS] | DECODED | PROSE | self._printed(spot)
        children: list[Spot] = [(value, None, spot, None, flags) for value in values]
        self._descend(spot, [], children)

    def _printed(self, spot: Spot) -> int:
        """Mark what the text begins with or contains; the flag for what stands inside it."""
        text, told = spot[VALUE], spot[FLAGS] & TOLD
        for start, number in self._tables.text_starts:
            if text.startswith(start):
                self._mark(number, spot, text)
        if told:
            return told
        for needle, number in self._tables.text_contains:
            if needle in text:
                self._mark(number, spot, text[text.index(needle) :])
                told = TOLD
        return told
