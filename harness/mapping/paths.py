"""Lowered JSONPath at work: from a spot to the spots or values it names.

Steps enter JSON held by strings on their way. Nothing raises, nothing recurses.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harness.mapping.form import Cut, Deep, Each, Having, Index, Member, Path, Step, Up
from harness.mapping.nested import NO, whole, worth
from harness.mapping.spot import DECODED, FLAGS, PARENT, STEP, VALUE

if TYPE_CHECKING:
    from harness.mapping.spot import Spot

LEVELS = 8
"""String levels that one step enters."""


def inside(spot: Spot) -> Spot:
    """The spot of the JSON value that a string holds, or the spot itself."""
    for _ in range(LEVELS):
        text = spot[VALUE]
        if not isinstance(text, str) or not worth(text):
            break
        value = whole(text)
        if value is NO:
            break
        spot = (value, None, spot, None, spot[FLAGS] | DECODED)
    return spot


def below(spot: Spot) -> Iterator[Spot]:
    """The members or places of an object or array."""
    value, flags = spot[VALUE], spot[FLAGS] & ~DECODED
    if isinstance(value, dict):
        for name, held in value.items():
            yield (held, name, spot, None, flags)
    elif isinstance(value, list):
        for at, held in enumerate(value):
            yield (held, at, spot, None, flags)


def spots_of(path: Path) -> Callable[[Spot], list[Spot]]:
    """A function from a spot to the spots that `path` names, in document order."""

    def read(spot: Spot) -> list[Spot]:
        here = [spot]
        for step in path:
            here = [there for one in here for there in _take(step, one)]
            if not here:
                break
        return here

    return read


def values_of(path: Path) -> Callable[..., Sequence[Any]]:
    """Like `spots_of`, but the values alone; quick where the path has only member steps.

    The function takes a spot, and a second value that it leaves alone.
    """
    if any(not isinstance(step, Member) for step in path):
        read = spots_of(path)
        return lambda spot, scene=None: [one[VALUE] for one in read(spot)]
    return _quick([step.names for step in path if isinstance(step, Member)])


def _quick(chain: list[tuple[str, ...]]) -> Callable[..., Sequence[Any]]:
    def quick(spot: Spot, scene: object = None) -> Sequence[Any]:
        here = spot[VALUE]
        for names in chain:
            if here.__class__ is str:
                here = inside((here, None, None, None, 0))[VALUE]
            if here.__class__ is not dict:
                return ()
            for name in names:
                if name in here:
                    here = here[name]
                    break
            else:
                return ()
        return (here,)

    return quick


def _take(step: Step, spot: Spot) -> list[Spot]:
    if isinstance(step, Up):
        return _up(spot)
    spot = inside(spot)
    if isinstance(step, Member):
        return _member(step.names, spot) if isinstance(spot[VALUE], dict) else []
    if isinstance(step, Deep):
        return list(_deep(spot))
    return [one for one in below(spot) if reaches(step, one)]


def reaches(step: Step, spot: Spot) -> bool:
    """The step leads from the enclosing spot to this one."""
    at, above = spot[STEP], spot[PARENT][VALUE]
    if isinstance(step, Member):
        return at in step.names
    if isinstance(step, Each):
        return True
    if isinstance(step, Having):
        return _fits(step, spot)
    if not isinstance(at, int):
        return False
    if isinstance(step, Index):
        return at == (step.at if step.at >= 0 else len(above) + step.at)
    if isinstance(step, Cut):
        return at in range(*slice(step.start, step.stop, step.stride).indices(len(above)))
    return False


def _up(spot: Spot) -> list[Spot]:
    while spot[FLAGS] & DECODED:
        spot = spot[PARENT]
    above = spot[PARENT]
    return [] if above is None else [above]


def _member(names: tuple[str, ...], spot: Spot) -> list[Spot]:
    value, flags = spot[VALUE], spot[FLAGS] & ~DECODED
    for name in names:
        if name in value:
            return [(value[name], name, spot, None, flags)]
    return []


def _deep(spot: Spot) -> Iterator[Spot]:
    stack = [spot]
    while stack:
        spot = inside(stack.pop())
        yield spot
        stack.extend(reversed(list(below(spot))))


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OPERATORS: tuple[str, ...] = (*_COMPARE, "")


def _fits(step: Having, spot: Spot) -> bool:
    return all(_compares(values_of(path)(spot), word, operand) for path, word, operand in step.tests)


def _compares(values: Sequence[Any], word: str, operand: Any) -> bool:
    if not word:
        return bool(values)
    if not values:
        return word == "!="
    compare = _COMPARE[word]
    for value in values:
        try:
            if compare(value, operand):
                return True
        except TypeError:
            continue
    return False
