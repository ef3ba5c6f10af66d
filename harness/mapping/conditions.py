"""Compiled conditions as functions of a spot. Nothing raises, nothing recurses over wire values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness.mapping.form import (
    Combined,
    Condition,
    Container,
    Holds,
    Internal,
    Members,
    Path,
    Source,
    Test,
)
from harness.mapping.nested import within, worth
from harness.mapping.paths import inside, values_of
from harness.mapping.spot import DECODED, FLAGS, PARENT, ROLE, VALUE, Spot
from harness.model.event import Event

ENCLOSING = 6
"""Levels that a search among the enclosing values goes up."""


class Scene:
    """What a clause may look at besides its node: the event, and the fields read so far."""

    __slots__ = ("event", "fields", "internal")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.fields: Mapping[str, str | None] = {}
        self.internal: tuple[str, ...] = ()


type Check = Callable[[Spot, Scene], bool]
type Read = Callable[[Spot, Scene], Iterable[Any]]
type Lists = Mapping[str, tuple[str, ...]]


def checker(condition: Condition | None, lists: Lists) -> Check | None:
    """The condition as a function; None: it always holds."""
    if condition is None:
        return None
    if isinstance(condition, Holds):
        return _holds(condition, lists)
    if isinstance(condition, Members):
        return _members(condition)
    if isinstance(condition, Internal):
        wanted = condition.wanted
        return lambda spot, scene: bool(scene.internal) is wanted
    if isinstance(condition, Container):
        return _container(condition, lists)
    return _combined(condition, lists)


def _combined(condition: Combined, lists: Lists) -> Check:
    parts = [part for one in condition.parts if (part := checker(one, lists)) is not None]
    at_first, otherwise = (False, True) if condition.word == "all" else (True, False)
    if condition.word == "none":
        at_first, otherwise = False, True
        parts = [_negated(part) for part in parts]

    def check(spot: Spot, scene: Scene) -> bool:
        for part in parts:
            if part(spot, scene) is at_first:
                return at_first
        return otherwise

    return check


def _negated(part: Check) -> Check:
    return lambda spot, scene: not part(spot, scene)


def _container(condition: Container, lists: Lists) -> Check:
    part = checker(condition.part, lists)

    def check(spot: Spot, scene: Scene) -> bool:
        role = spot[ROLE]
        if role is None or role.container is None:
            return False
        return part is None or part(role.container, scene)

    return check


def _members(condition: Members) -> Check:
    needed, only = condition.needed, condition.only

    def check(spot: Spot, scene: Scene) -> bool:
        value = spot[VALUE]
        if value.__class__ is not dict:
            return False
        if not all(any(filled(value.get(name)) for name in names) for names in needed):
            return False
        return only is None or all(name in only or not filled(held) for name, held in value.items())

    return check


def _holds(condition: Holds, lists: Lists) -> Check:
    reads = [reader(source) for source in condition.sources]
    word = condition.test.word
    if word in ("absent", "empty"):
        word = "exists" if word == "absent" else "filled"
        return _negated(_some(reads, tester(Test(word), lists)))
    return _some(reads, tester(condition.test, lists))


def _some(reads: list[Read], test: Callable[[Any], bool]) -> Check:
    def check(spot: Spot, scene: Scene) -> bool:
        for read in reads:
            for value in read(spot, scene):
                if test(value):
                    return True
        return False

    return check


def filled(value: Any) -> bool:
    """Not null, false, blank or empty: what counts as present."""
    return bool(value.strip()) if isinstance(value, str) else bool(value)


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
}


def tester(test: Test, lists: Lists) -> Callable[[Any], bool]:
    """The test as a function of one value."""
    word, operand = test.word, test.operand
    if word == "exists":
        return lambda value: value is not None
    if word == "filled":
        return filled
    if word == "type":
        return _typed(operand[0])
    if word == "in_list":
        operand, word = lists.get(operand[0], ()), "in"
    if word in ("is", "in"):
        return _equal(operand)
    if word == "starts":
        return lambda value: isinstance(value, str) and value.startswith(operand)
    return lambda value: isinstance(value, str) and any(one in value for one in operand)


def _equal(operand: tuple[Any, ...]) -> Callable[[Any], bool]:
    texts = frozenset(one for one in operand if isinstance(one, str))
    if len(texts) == len(operand):
        return lambda value: value.__class__ is str and value in texts
    kinds = frozenset((isinstance(one, bool), one) for one in operand)
    return lambda value: isinstance(value, (str, int, float)) and (isinstance(value, bool), value) in kinds


def _typed(name: str) -> Callable[[Any], bool]:
    if name == "null":
        return lambda value: value is None
    types = _TYPES[name]
    if name in ("object", "array"):
        return lambda value: isinstance(inside((value, None, None, None, 0))[VALUE], types)
    return lambda value: isinstance(value, types) and (name != "number" or not isinstance(value, bool))


def reader(source: Source) -> Read:
    """The source as a function giving its values, best first."""
    if source.kind == "path":
        return values_of(source.path)
    if source.kind == "anywhere":
        return _anywhere(source.names, frozenset(source.excepted))
    if source.kind == "enclosing":
        return _enclosing(source.path)
    if source.kind == "event":
        name = source.name
        return lambda spot, scene: (getattr(scene.event, name),)
    field = source.name
    return lambda spot, scene: (scene.fields.get(field),)


def _anywhere(names: tuple[str, ...], excepted: frozenset[str]) -> Read:
    def read(spot: Spot, scene: Scene) -> Iterable[Any]:
        return [value for _, value in search(spot[VALUE], names, excepted)]

    return read


def search(value: Any, names: tuple[str, ...], excepted: frozenset[str]) -> list[tuple[str, Any]]:
    """Members of one of the names at any depth of `value`, JSON inside strings included."""
    found: list[tuple[str, Any]] = []
    stack = [value]
    while stack:
        here = stack.pop()
        if here.__class__ is dict:
            found += [(name, here[name]) for name in names if name in here]
            stack += [here[name] for name in reversed(here) if name not in excepted]
        elif here.__class__ is list:
            stack += reversed(here)
        elif here.__class__ is str and worth(here):
            stack += reversed(within(here))
    return found


def _enclosing(path: Path) -> Read:
    read = values_of(path)

    def climb(spot: Spot, scene: Scene) -> Iterable[Any]:
        levels = ENCLOSING
        above: Spot | None = spot
        while above is not None and levels:
            if values := [value for value in read(above) if filled(value)]:
                return values
            levels -= not above[FLAGS] & DECODED
            above = above[PARENT]
        return ()

    return climb
