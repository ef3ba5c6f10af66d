"""Alignments ascend, pair equal values, find the longest way on small input, and stay linear on large."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.diff import align
from harness.diff.align import Alignment, best, greedy, myers, patience, rising

SHORT = st.lists(st.integers(0, 4), max_size=14)


def longest(a: list[int], b: list[int]) -> int:
    """Length of the longest common subsequence, the slow way."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row[:]
        for j, y in enumerate(b):
            row[j + 1] = before[j] + 1 if x == y else max(before[j + 1], row[j])
    return row[-1]


def check(pairs, a, b) -> None:
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


@given(SHORT, SHORT)
def test_every_way_of_aligning_is_right(a: list[int], b: list[int]) -> None:
    for pairs in (Alignment(a, b).pairs, greedy(a, b), rising(sorted(patience(a, b, 0, len(a), 0, len(b))))):
        check(pairs, a, b)
    if a and b:
        shortest = myers(a, b)
        assert shortest is not None and len(shortest) == longest(a, b)
        check(shortest, a, b)


@given(SHORT, SHORT)
def test_equal_values_without_a_rival_are_found(a: list[int], b: list[int]) -> None:
    common = [value for value in a if value in b]
    assert bool(Alignment(a, b).pairs) == bool(common)


def test_an_insertion_and_a_removal() -> None:
    a = list(range(100))
    b = [*range(10), 500, *range(10, 60), *range(61, 100)]
    assert len(Alignment(a, b).pairs) == 99


@pytest.mark.parametrize("values", [1, 2, 50, 100_000])
def test_long_and_different(values: int, no_hang) -> None:
    pick = random.Random(values)
    a, b = ([pick.randrange(values) for _ in range(100_000)] for _ in range(2))
    found = Alignment(a, b)
    check(found.pairs, a, b)
    assert found.pairs
    assert found.rough == (1 < values < 100_000)


def test_values_that_become_unique_one_by_one(no_hang) -> None:
    size = 20_000
    a = [at // 2 for at in range(size)]
    b = [at // 2 + 1 for at in range(size)]
    check(Alignment(a, b).pairs, a, b)


def test_best_takes_the_highest_sum() -> None:
    likeness = {(0, 1): 6, (1, 2): 6, (0, 0): 3, (1, 1): 3, (2, 2): 3}
    assert best(3, 3, lambda i, j: likeness.get((i, j), 0)) == [(0, 1), (1, 2)]


def test_best_does_not_try_every_way_of_a_large_gap(monkeypatch) -> None:
    monkeypatch.setattr(align, "MAX_CELLS", 4)
    assert best(3, 3, lambda i, j: int(i == j)) == [(0, 0), (1, 1), (2, 2)]
