"""Both sides line by line: what changed, and a little of what is equal around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.diff.text import around
from harness.diff.values import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff.events import Events
    from harness.diff.units import Unit
    from harness.diff.values import Mark

AROUND = 1
"""Equal lines shown before and after a changed one."""
_NEAR = range(-AROUND, AROUND + 1)
MAX_ROWS = 500
"""Lines of one pair; what is more is only counted."""


def rows(events: Events) -> tuple[Row, ...]:
    """The lines of both sides, long equal parts left out."""
    places = list(_places(events))
    near = {
        at + step
        for at, place in enumerate(places)
        if place in events.ranks or None in place
        for step in _NEAR
    }
    out: list[Row] = []
    for at, (i, j) in enumerate(places):
        if at in near and len(out) < MAX_ROWS:
            out.append(_row(events, i, j))
        elif out and out[-1].mark == "skipped":
            out[-1] = out[-1]._replace(times=out[-1].times + 1)
        else:
            out.append(Row("skipped", None, None, None))
    return tuple(out)


def _places(events: Events) -> Iterator[tuple[int | None, int | None]]:
    """Every unit of B in order, those that only A has before what follows them there."""
    found = events.matches
    partner = {j: i for i, j in (*found.equal, *found.moved, *found.changed)}
    until = _until(events)
    waiting = found.removed[::-1]
    for j in range(len(events.b)):
        while waiting and waiting[-1] < until[j]:
            yield waiting.pop(), None
        yield partner.get(j), j
    for i in reversed(waiting):
        yield i, None


def _until(events: Events) -> list[int]:
    """For each unit of B: what A has before this place stands before it."""
    held = {j: i for i, j in (*events.matches.equal, *events.matches.changed)}
    until, last = [], len(events.a)
    for j in range(len(events.b) - 1, -1, -1):
        last = held.get(j, last)
        until.append(last)
    return until[::-1]


def _row(events: Events, i: int | None, j: int | None) -> Row:
    rank = events.ranks.get((i, j))
    one = events.a[i] if i is not None else None
    other = events.b[j] if j is not None else None
    mark: Mark = "equal" if rank is None else "changed"
    if one is None or other is None:
        mark = "added" if one is None else "removed"
    elif (i, j) in events.moved:
        mark = "reordered"
    said_a, said_b = _texts(one, other)
    return Row(
        mark, rank, _line(one, said_a), _line(other, said_b),
        one.place.event if one else None, other.place.event if other else None,
    )  # fmt: skip


def _texts(one: Unit | None, other: Unit | None) -> tuple[str, str]:
    before = (one.said or "") if one else ""
    after = (other.said or "") if other else ""
    if one and other and before != after:
        return around(before, after)
    return around(before, "")[0], around(after, "")[0]


def _line(unit: Unit | None, said: str) -> str | None:
    if unit is None:
        return None
    words = [unit.kind, unit.label if unit.label != unit.kind else ""]
    words.append(f'"{said}"' if unit.said is not None else "")
    return " ".join(word for word in words if word)
