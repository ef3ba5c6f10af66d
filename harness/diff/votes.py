"""What says that an id of A is an id of B: places that are equal otherwise, calls that ask the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harness.diff import members
from harness.diff.carrier import unpacked
from harness.diff.match import Matches, once
from harness.diff.naming import SURE, Vote

if TYPE_CHECKING:
    from harness.diff.ids import Ids
    from harness.diff.units import Unit


def votes(a: Sequence[Unit], b: Sequence[Unit], found: Matches, more: Iterable[Vote]) -> Iterator[Vote]:
    """The votes of all units that are matched, then `more`."""
    sure = once(a) & once(b)
    for i, j in (*found.equal, *found.moved):
        yield Vote(a[i].ids, b[j].ids, SURE if a[i].full in sure else 1)
    for i, j in found.changed:
        one, other = a[i], b[j]
        if one.form is not None and other.form is not None:
            yield _alike(one, other)
    yield from more


def called(ids: tuple[Ids, Ids], same: Sequence[tuple[str, str]]) -> Iterator[Vote]:
    """Calls by which the same is asked."""
    for one, other in same:
        left, right = ids[0].alone(one), ids[1].alone(other)
        if left is not None and right is not None:
            yield Vote([left], [right])


def _alike(one: Unit, other: Unit) -> Vote:
    """The ids at equal places of two events that differ elsewhere."""
    forms = (members.named(unit.form or "null", range(len(unit.ids)), _NUMBERS) for unit in (one, other))
    values = [unpacked(form) for form in forms]
    places = list(members.together(*values))
    weight = SURE if one.shape == other.shape else 1
    return Vote([one.ids[at] for at, _ in places], [other.ids[at] for _, at in places], weight)


class _Numbers(Sequence[str]):
    """Each number as its own name."""

    def __getitem__(self, at: Any) -> Any:
        return str(at)

    def __len__(self) -> int:
        return 0


_NUMBERS = _Numbers()
