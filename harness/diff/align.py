"""Two long sequences side by side: pairs of places that are equal, in order.

Equal ends first, then places whose value occurs once on both sides (patience), then the
shortest edit script with a bounded number of edits (Myers). What is still open is small
enough to be tried in every way, or it is matched from left to right and told. Linear in
memory, near linear in time, whatever the input.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    type Pairs = list[tuple[int, int]]

MAX_EDITS = 256
"""Edits of the shortest script that is looked for."""
MAX_CELLS = 40_000
"""Size of a gap, in pairs of places, in which every way is tried."""
MAX_STEPS = 4_000_000
"""Steps of one search for the shortest script."""
MAX_PASSES = 40
"""How often, on average, a place is looked at for values that occur once."""


class Alignment:
    """Aligns `a` with `b`. `rough`: some part was too long and too different to be aligned well."""

    def __init__(self, a: Sequence[int], b: Sequence[int]) -> None:
        self._a, self._b = a, b
        self.rough = False
        self.pairs: Pairs = []
        self._budget = MAX_PASSES * (len(a) + len(b))
        gaps = [(0, len(a), 0, len(b))]
        while gaps:
            gaps += self._gap(*gaps.pop())
        self.pairs.sort()

    def _gap(self, a0: int, a1: int, b0: int, b1: int) -> list[tuple[int, int, int, int]]:
        """Align one gap; gives the gaps that are left in it."""
        a, b = self._a, self._b
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            self.pairs.append((a0, b0))
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
            self.pairs.append((a1, b1))
        if a0 == a1 or b0 == b1:
            return []
        self._budget -= a1 - a0 + b1 - b0
        anchors = patience(a, b, a0, a1, b0, b1) if self._budget > 0 else []
        if anchors:
            self.pairs += anchors
            return _between(anchors, a0, a1, b0, b1)
        self.pairs += self._shortest(a0, a1, b0, b1)
        return []

    def _shortest(self, a0: int, a1: int, b0: int, b1: int) -> Pairs:
        common = set(self._a[a0:a1]).intersection(self._b[b0:b1])
        if not common:
            return []
        left = [at for at in range(a0, a1) if self._a[at] in common]
        right = [at for at in range(b0, b1) if self._b[at] in common]
        found = myers([self._a[at] for at in left], [self._b[at] for at in right])
        if found is None:
            self.rough = True
            found = greedy([self._a[at] for at in left], [self._b[at] for at in right])
        return [(left[i], right[j]) for i, j in found]


def patience(a: Sequence[int], b: Sequence[int], a0: int, a1: int, b0: int, b1: int) -> Pairs:
    """The longest ascending chain of values that occur once in each part."""
    once_b = _once(b, b0, b1)
    pairs = [(at, once_b[value]) for value, at in _once(a, a0, a1).items() if value in once_b]
    return rising(sorted(pairs))


def rising(pairs: Pairs) -> Pairs:
    """The longest part of `pairs`, ascending in the first, that ascends in the second too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, (_, right) in enumerate(pairs):
        spot = bisect_left(tails, right)
        before.append(ends[spot - 1] if spot else -1)
        tails[spot : spot + 1] = [right]
        ends[spot : spot + 1] = [at]
    chain: Pairs = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _once(values: Sequence[int], start: int, stop: int) -> dict[int, int]:
    places: dict[int, int] = {}
    for at in range(start, stop):
        places[values[at]] = -1 if values[at] in places else at
    return {value: at for value, at in places.items() if at >= 0}


def _between(anchors: Pairs, a0: int, a1: int, b0: int, b1: int) -> list[tuple[int, int, int, int]]:
    gaps = []
    for i, j in [*anchors, (a1, b1)]:
        if a0 < i and b0 < j:
            gaps.append((a0, i, b0, j))
        a0, b0 = i + 1, j + 1
    return gaps


def myers(a: Sequence[int], b: Sequence[int]) -> Pairs | None:
    """The pairs of a shortest edit script; None where it takes more than `MAX_EDITS` edits."""
    size_a, size_b = len(a), len(b)
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    most = min(MAX_EDITS, size_a + size_b, MAX_STEPS // (size_a + size_b))
    for edits in range(most + 1):
        trace.append(reach.copy())
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
            x = reach[k + 1] if down else reach[k - 1] + 1
            y = x - k
            while x < size_a and y < size_b and a[x] == b[y]:
                x, y = x + 1, y + 1
            reach[k] = x
            if x >= size_a and y >= size_b:
                return _walked(trace, size_a, size_b)
    return None


def _walked(trace: list[dict[int, int]], x: int, y: int) -> Pairs:
    pairs: Pairs = []
    for edits in range(len(trace) - 1, -1, -1):
        reach, k = trace[edits], x - y
        down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
        before = k + 1 if down else k - 1
        x0 = reach[before] if edits else 0
        y0 = x0 - before if edits else 0
        while x > x0 and y > y0:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = x0, y0
    return pairs[::-1]


def greedy(a: Sequence[int], b: Sequence[int]) -> Pairs:
    """From left to right: the k-th of a value with the k-th of that value, as far as that ascends."""
    waiting: dict[int, list[int]] = {}
    for at in range(len(b) - 1, -1, -1):
        waiting.setdefault(b[at], []).append(at)
    pairs = [(at, waiting[value].pop()) for at, value in enumerate(a) if waiting.get(value)]
    return rising(pairs)


def best(rows: int, columns: int, score: Callable[[int, int], int]) -> Pairs:
    """The pairs in order with the highest sum of scores above 0, every way tried."""
    if rows * columns > MAX_CELLS:
        return [(at, at) for at in range(min(rows, columns)) if score(at, at)]
    scores = [[score(i, j) for j in range(columns)] for i in range(rows)]
    sums = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            taken = scores[i][j] + sums[i + 1][j + 1] if scores[i][j] else 0
            sums[i][j] = max(taken, sums[i + 1][j], sums[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < rows and j < columns:
        if scores[i][j] and sums[i][j] == scores[i][j] + sums[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif sums[i][j] == sums[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
