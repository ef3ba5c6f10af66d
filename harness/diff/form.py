"""Which values are volatile: the compiled form of mappings/volatile.yaml. Values only."""

from __future__ import annotations

from typing import NamedTuple

type Steps = tuple[str, ...]
"""Folded member names from the outside in; the last is the member itself, `*` is any one."""


class Id(NamedTuple):
    """A member that holds an id of the class `name`."""

    steps: Steps
    name: str


class Shape(NamedTuple):
    """Text that is an id wherever it stands."""

    name: str
    pattern: str


class Compound(NamedTuple):
    """An id made of others: literal text, and the classes between."""

    pattern: str
    names: tuple[str, ...]


class Volatile(NamedTuple):
    """What differs from run to run without meaning anything."""

    ids: tuple[Id, ...] = ()
    apart: tuple[str, ...] = ()
    """Classes whose ids are no ids of other classes, even where the value is the same."""
    shapes: tuple[Shape, ...] = ()
    compounds: tuple[Compound, ...] = ()
    times: tuple[Steps, ...] = ()
    """Members that say when or how long, running numbers included."""
    texts: tuple[Steps, ...] = ()
    """Members that a model or a person wrote."""
    trees: tuple[Steps, ...] = ()
    """Members whose whole value was written so, like the arguments of a tool."""
    factor: float = 2.0
    """Durations that differ by less than this factor are equal."""
    least_s: float = 1.0
    """Durations that differ by less than this are equal."""
    timed: bool = False
    """The two above are stated, not the defaults."""


def folded(name: str) -> str:
    """One spelling of `toolCallId` and `tool_call_id`."""
    return name.replace("_", "").lower()


def joined(declared: Volatile, more: Volatile) -> Volatile:
    """`more` before `declared`: where both name a member, `more` wins, and so do durations that it states."""
    timing = more if more.timed else declared
    return Volatile(
        (*more.ids, *declared.ids),
        (*more.apart, *declared.apart),
        (*more.shapes, *declared.shapes),
        (*more.compounds, *declared.compounds),
        (*more.times, *declared.times),
        (*more.texts, *declared.texts),
        (*more.trees, *declared.trees),
        timing.factor,
        timing.least_s,
        timing.timed,
    )
