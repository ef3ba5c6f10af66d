"""Each unit is in exactly one place: equal, moved, changed, removed or added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.diff.match import match, once, placed
from harness.diff.units import Unit
from harness.diff.values import NOWHERE


def unit(name: str) -> Unit:
    """`a1` and `a2` differ in their text, `a1` and `b1` in everything."""
    return Unit("artifact", name[0], NOWHERE, 1, 1, hash(name), hash(name[0]), None, ())


def side(names: str) -> list[Unit]:
    return [unit(name) for name in names.split()]


def test_moved_and_changed_are_told_apart() -> None:
    found = match(side("s1 a1 b1 c1 e1"), side("s1 b1 c1 a1 e1"))
    assert (found.moved, found.changed, found.removed, found.added) == ([(1, 3)], [], [], [])
    found = match(side("s1 a1 e1"), side("s1 x1 a2 e1"))
    assert (found.moved, found.changed, found.removed, found.added) == ([], [(1, 2)], [], [1])


@given(*[st.lists(st.sampled_from(["a1", "a2", "b1", "c1", "c2"]), max_size=12)] * 2)
def test_every_unit_once(a: list[str], b: list[str]) -> None:
    found = match([unit(name) for name in a], [unit(name) for name in b])
    pairs = (*found.equal, *found.moved, *found.changed)
    assert sorted([i for i, _ in pairs] + found.removed) == list(range(len(a)))
    assert sorted([j for _, j in pairs] + found.added) == list(range(len(b)))
    assert not {a[i] for i in found.removed} & {b[j] for j in found.added}


def test_once() -> None:
    assert once(side("a1 b1 a1")) == {unit("b1").full}


def test_pairs_that_ascend_with_others() -> None:
    assert placed([(0, 0), (5, 5)], [(1, 2), (2, 1), (6, 3), (7, 9)]) == (
        [(0, 0), (1, 2), (5, 5), (7, 9)],
        [(2, 1), (6, 3)],
    )
