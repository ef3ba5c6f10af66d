"""Paths on their way: what a spot becomes by the container or fixed place that leads to it.

A path is followed step by step while the walk goes down, through strings as well, so that the
spots at its end are the walk's own.
"""

from __future__ import annotations

from harness.mapping.form import Deep, Path
from harness.mapping.paths import below, reaches
from harness.mapping.spot import DECODED, FLAGS, PARENT, QUIET, ROLE, STEP, VALUE, Pending, Role, Spot
from harness.model.event import Event, Region


def first_role(event: Event, region: Region, paths: tuple[tuple[Path, int], ...]) -> Role | None:
    """The fixed places (path, entry) that lie at or below the region's root."""
    if not paths:
        return None
    role = role_of(tuple(Pending(path, (entry,)) for path, entry in paths))
    spot: Spot = (event.body, None, None, role, 0)
    for token in region.pointer.removeprefix(event.pointer).split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        child = next((one for one in below(spot) if str(one[STEP]) == name), None)
        if child is None or spot[ROLE] is None:
            return None
        spot = grown(child, spot[ROLE].pending)
    return spot[ROLE]


def grown(child: Spot, pending: tuple[Pending, ...]) -> Spot:
    """The child with the role that the paths on their way give it."""
    if child[FLAGS] & DECODED:
        return (*child[:ROLE], role_of(pending), child[FLAGS])
    here = tuple(
        Pending(rest, one.entries, one.container) for one in pending for rest in _rests(one.steps, child)
    )
    role = role_of(here)
    if role is None:
        return child
    flags = child[FLAGS] & ~QUIET if role.container is not None else child[FLAGS]
    return (child[VALUE], child[STEP], child[PARENT], role, flags)


def _rests(steps: Path, child: Spot) -> list[Path]:
    if isinstance(steps[0], Deep):
        return [steps] + ([steps[2:]] if reaches(steps[1], child) else [])
    return [steps[1:]] if reaches(steps[0], child) else []


def role_of(pending: tuple[Pending, ...]) -> Role | None:
    """The role of a spot at which the paths have these steps left."""
    arrived = [one for one in pending if not one.steps]
    going = tuple(one for one in pending if one.steps)
    if not arrived and not going:
        return None
    entries = tuple(number for one in arrived for number in one.entries)
    return Role(entries, arrived[0].container if arrived else None, going)
