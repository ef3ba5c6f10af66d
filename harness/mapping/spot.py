"""A spot: one value on the walk, with the way back to the region it stands in."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from harness.mapping.form import Path
from harness.model.pointer import child


class Pending(NamedTuple):
    """The rest of a path on its way to the spots it names."""

    steps: Path
    entries: tuple[int, ...]
    """Numbers of the entries (see `dispatch`) that the spots at its end are tried against."""
    container: Spot | None = None


class Role(NamedTuple):
    """What a spot is by the clause that opened it, not by its own looks."""

    entries: tuple[int, ...] = ()
    container: Spot | None = None
    pending: tuple[Pending, ...] = ()


type Spot = tuple[Any, str | int | None, Any, Role | None, int]
"""(value, step from the enclosing spot, enclosing spot, role, flags)."""

VALUE: Final = 0
STEP: Final = 1
PARENT: Final = 2
ROLE: Final = 3
FLAGS: Final = 4

QUIET = 1
"""Inside a node that is taken: marks only."""
PROSE = 2
"""Inside JSON that stands in the middle of a text."""
DECODED = 4
"""This very value was held by the enclosing spot's string."""
TOLD = 8
"""Inside a text of which `text_contains` was told already."""
FIRST_SCOPE = 16
"""Flags from here on are scopes, by their order in the mapping."""


def root(value: Any, role: Role | None = None, flags: int = 0) -> Spot:
    """The spot a walk begins with."""
    return (value, None, None, role, flags)


def pointer(spot: Spot | None, base: str) -> str:
    """RFC 6901 pointer of the spot, `base` being its region's; `#` steps into a string."""
    steps: list[str] = []
    while spot is not None:
        _, step, above, _, flags = spot
        if flags & DECODED:
            steps.append("#")
        elif step is not None:
            steps.append(child("", step))
        spot = above
    steps.append(base)
    return "".join(reversed(steps))


def held_as(spot: Spot) -> str | None:
    """The member name under which the value is held, through strings; None in an array."""
    while spot[FLAGS] & DECODED:
        spot = spot[PARENT]
    step = spot[STEP]
    return step if isinstance(step, str) else None
