"""A diff as a part of the page's data, in bounded size: where room is short, the gravest pairs have it. Pure.

The form of a pair is that of `harness diff --json`; `more` says of how many changes and lines
the page has no room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.diff.values import RANKS
from harness.report.diffjson import pair as pair_value
from harness.report.html.values import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff.values import Difference, Pair
    from harness.report.html.room import Room

ALONE = 4_000_000
"""Bytes of the pairs of a page that shows nothing else."""
BESIDE = 600_000
"""Bytes of the pairs beside a report."""
CHANGES = 300
"""Changes of one pair that are listed, at most."""
CHANGE, ROW = 450, 220
"""Bytes of a change and of a line, about: by them each pair has an equal share of the room."""
BARE = 400
"""Bytes without which no pair has room."""
UNDECIDED = 200
TEXT = 1000
"""Characters of any text."""


def changes(found: Difference, room: Room) -> dict[str, Any]:
    """What the page shows of `found`; `room` is what its pairs may take."""
    kept = dict(_fitting(found.pairs, room))
    return {
        "version": found.version,
        "contract": found.contract,
        "exit": found.exit,
        "a": cut(found.a, TEXT),
        "b": cut(found.b, TEXT),
        "counts": found.counts(),
        "rounds": len(found.pairs),
        "undecided_count": len(found.undecided) + sum(bool(one.undecided) for one in found.pairs),
        "pairs": list(kept.values()),
        "undecided": [_short(one._asdict()) for one in found.undecided[:UNDECIDED]],
        "left_out": {
            "pairs": len(found.pairs) - len(kept),
            "undecided": max(len(found.undecided) - UNDECIDED, 0),
        },
    }


def _fitting(pairs: tuple[Pair, ...], room: Room) -> Iterator[tuple[int, dict[str, Any]]]:
    """The gravest first: each is named before any has its changes and lines."""
    several = sum(bool(one.changes or one.undecided) for one in pairs) or 1
    costs: dict[int, int] = {}
    for at in sorted(range(len(pairs)), key=lambda at: (_urgency(pairs[at]), at)):
        before = room.left
        if before > BARE and room.takes(next(_forms(pairs[at], 0, 0))):
            costs[at] = before - room.left
    listed, rows = (max(4, room.left // each // several) for each in (CHANGE, ROW))
    for at, cost in costs.items():
        room.left += cost
        forms = _forms(pairs[at], min(listed, CHANGES), rows)
        yield at, next(value for value in forms if room.takes(value))


def _urgency(one: Pair) -> int:
    """The rank of the gravest change; then what is undecided, then what is equal."""
    found = [RANKS.index(change.rank) for change in one.changes]
    return min(found, default=len(RANKS) if one.undecided else len(RANKS) + 1)


def _forms(one: Pair, listed: int, rows: int) -> Iterator[dict[str, Any]]:
    """The pair with so many changes and lines, then with less and less of it."""
    whole = _short(pair_value(one._replace(changes=one.changes[:listed], rows=one.rows[:rows])))
    counts = {rank: sum(change.rank == rank for change in one.changes) for rank in RANKS}
    alike = not one.changes and not one.undecided
    for changes, lines in ((listed, 0 if alike else rows), (listed, 0), (3, 0), (0, 0)):
        kept = {"changes": whole["changes"][:changes], "rows": whole["rows"][:lines]}
        more = [len(one.changes) - len(kept["changes"]), 0 if alike else len(one.rows) - len(kept["rows"])]
        yield whole | kept | {"counts": counts, "more": more}


def _short(value: Any) -> Any:
    """`value` with each text in at most `TEXT` characters."""
    if isinstance(value, str):
        return cut(value, TEXT)
    if isinstance(value, dict):
        return {name: _short(held) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(held) for held in value]
    return value
