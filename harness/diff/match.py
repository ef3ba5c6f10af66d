"""Units of A matched with units of B: equal in order, equal but moved, or the same event changed."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from harness.diff.align import Alignment, best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.diff.align import Pairs
    from harness.diff.units import Unit


class Matches(NamedTuple):
    """Pairs of indices into both sides; what is in no pair was removed or added."""

    equal: Pairs
    moved: Pairs
    changed: Pairs
    removed: list[int]
    added: list[int]
    rough: bool


def match(a: Sequence[Unit], b: Sequence[Unit]) -> Matches:
    """All units of both sides, each in exactly one place."""
    found = Alignment([one.full for one in a], [one.full for one in b])
    moved = _moved(a, b, found.pairs)
    gone_a = {i for i, _ in (*found.pairs, *moved)}
    gone_b = {j for _, j in (*found.pairs, *moved)}
    changed: Pairs = []
    for (i0, j0), (i1, j1) in pairwise([(-1, -1), *found.pairs, (len(a), len(b))]):
        left = [i for i in range(i0 + 1, i1) if i not in gone_a]
        right = [j for j in range(j0 + 1, j1) if j not in gone_b]
        if left and right:
            changed += _changed(a, b, left, right)
    gone_a.update(i for i, _ in changed)
    gone_b.update(j for _, j in changed)
    return Matches(
        found.pairs,
        moved,
        changed,
        [i for i in range(len(a)) if i not in gone_a],
        [j for j in range(len(b)) if j not in gone_b],
        found.rough,
    )


def _moved(a: Sequence[Unit], b: Sequence[Unit], pairs: Pairs) -> Pairs:
    """Units that are equal and stand elsewhere."""
    done_a, done_b = {i for i, _ in pairs}, {j for _, j in pairs}
    waiting: dict[int, list[int]] = {}
    for j in range(len(b) - 1, -1, -1):
        if j not in done_b:
            waiting.setdefault(b[j].full, []).append(j)
    left = [i for i in range(len(a)) if i not in done_a]
    return [(i, waiting[a[i].full].pop()) for i in left if waiting.get(a[i].full)]


def _changed(a: Sequence[Unit], b: Sequence[Unit], left: list[int], right: list[int]) -> Pairs:
    """Equal but for their texts first, then of the same name."""
    pairs = best(len(left), len(right), lambda i, j: _likeness(a[left[i]], b[right[j]]))
    return [(left[i], right[j]) for i, j in pairs]


def _likeness(one: Unit, other: Unit) -> int:
    if one.shape == other.shape:
        return 6
    return 3 if (one.kind, one.label) == (other.kind, other.label) else 0


def placed(pairs: Pairs, more: Pairs) -> tuple[Pairs, Pairs]:
    """`pairs`, which ascend, with those of `more` that ascend with them; and the others of `more`."""
    left, right = [i for i, _ in pairs], [j for _, j in pairs]
    rest: Pairs = []
    for i, j in more:
        at = bisect_left(left, i)
        if at == bisect_left(right, j):
            left.insert(at, i)
            right.insert(at, j)
        else:
            rest.append((i, j))
    return list(zip(left, right, strict=True)), rest


def once(units: Sequence[Unit]) -> frozenset[int]:
    """The `full` of units that stand once."""
    return frozenset(value for value, times in Counter(one.full for one in units).items() if times == 1)
