"""First with first, by key."""

from __future__ import annotations

from harness.diff.alike import alike


def test_first_with_first() -> None:
    left, right = ["a1", "b1", "a2", "c1"], ["a3", "a4", "a5", "b2"]
    pairs = alike(left, right, lambda one: one[0], lambda one: one[0])
    assert pairs == [("a1", "a3"), ("b1", "b2"), ("a2", "a4")]
    assert (left, right) == (["c1"], ["a5"])


def test_equal_things_are_told_apart_by_place() -> None:
    left, right = [1, 1], [1, 1, 1]
    assert alike(left, right, str, str) == [(1, 1), (1, 1)]
    assert (left, right) == ([], [1])
