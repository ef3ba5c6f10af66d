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
MAX_ROWS = 500
"""Lines of one pair; what is more is only counted."""


def rows(events: Events) -> tuple[Row, ...]:
    """The lines of both sides, long equal parts left out."""
    made = list(_all(events))
    kept = [at for at, row in enumerate(made) if row.mark != "equal"]
    near = {at + step for at in kept for step in range(-AROUND, AROUND + 1)}
    shown = [row if at in near else None for at, row in enumerate(made)]
    out: list[Row] = []
    for row in shown:
        if row is not None:
            out.append(row)
        elif out and out[-1].mark == "skipped":
            out[-1] = out[-1]._replace(times=out[-1].times + 1)
        else:
            out.append(Row("skipped", None, None, None))
    if len(out) > MAX_ROWS:
        rest = sum(row.times for row in out[MAX_ROWS:])
        return (*out[:MAX_ROWS], Row("skipped", None, None, None, times=rest))
    return tuple(out)


def _all(events: Events) -> Iterator[Row]:
    """Every unit of B in order, those that only A has before what follows them there."""
    found = events.matches
    partner = {j: i for i, j in (*found.equal, *found.moved, *found.changed)}
    until = _until(events)
    waiting = found.removed[::-1]
    for j in range(len(events.b)):
        while waiting and waiting[-1] < until[j]:
            yield _row(events, waiting.pop(), None)
        yield _row(events, partner.get(j), j)
    for i in reversed(waiting):
        yield _row(events, i, None)


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
