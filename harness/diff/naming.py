"""Which id of A is which id of B, and one stable name for both.

Ids are told apart by where they stand: places that are equal but for their ids vote for the
pairs of ids that they show. The pairs with the most votes stand, each id in one pair only;
what contradicts them is a difference of its own.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.diff.ids import Ids
    from harness.diff.units import Unit

SURE = 4
"""Votes of a place that occurs once on both sides."""


class Names(NamedTuple):
    """The name of each id of each side, `call#1`: equal names are the same id."""

    a: tuple[str, ...]
    b: tuple[str, ...]


class Vote(NamedTuple):
    """The ids of two equal places, in order."""

    a: Sequence[int]
    b: Sequence[int]
    weight: int = 1


def names(a: Ids, b: Ids, votes: Iterable[Vote]) -> Names:
    """Names by class and first sight, A before B."""
    partner = _settled(votes)
    counts: dict[str, int] = {}
    of_a: list[str] = []
    of_b = [""] * len(b.names)
    for number, name in enumerate(a.names):
        other = partner.get(number)
        if name == "id" and other is not None:
            name = b.names[other]
        counts[name] = counts.get(name, 0) + 1
        of_a.append(f"{name}#{counts[name]}")
        if other is not None:
            of_b[other] = of_a[-1]
    for number, name in enumerate(b.names):
        if not of_b[number]:
            counts[name] = counts.get(name, 0) + 1
            of_b[number] = f"{name}#{counts[name]}"
    return Names(tuple(of_a), tuple(of_b))


def linked(units: Iterable[Unit], names: Sequence[str]) -> frozenset[str]:
    """The names of ids that stand in more than one place of a side: they say that both are of one thing."""
    places = Counter(number for unit in units for number in unit.ids)
    return frozenset(names[number] for number, times in places.items() if times > 1)


def _settled(votes: Iterable[Vote]) -> dict[int, int]:
    tally: dict[tuple[int, int], int] = {}
    for vote in votes:
        for pair in zip(vote.a, vote.b, strict=False):
            tally[pair] = tally.get(pair, 0) + vote.weight
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for (left, right), _ in sorted(tally.items(), key=lambda entry: -entry[1]):
        if left not in partner and right not in taken:
            partner[left] = right
            taken.add(right)
    return partner
