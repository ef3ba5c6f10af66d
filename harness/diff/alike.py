"""Things of two lists that have the same key, first with first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


def alike[A, B](
    left: list[A], right: list[B], key: Callable[[A], Hashable], key_b: Callable[[B], Hashable]
) -> list[tuple[A, B]]:
    """Take those out of both lists whose keys are equal."""
    waiting: dict[Hashable, list[int]] = {}
    for at in range(len(right) - 1, -1, -1):
        waiting.setdefault(key_b(right[at]), []).append(at)
    pairs: list[tuple[A, B]] = []
    rest: list[A] = []
    taken: set[int] = set()
    for one in left:
        places = waiting.get(key(one))
        if places:
            taken.add(places[-1])
            pairs.append((one, right[places.pop()]))
        else:
            rest.append(one)
    left[:] = rest
    right[:] = [other for at, other in enumerate(right) if at not in taken]
    return pairs
