"""Interactions of two rounds held against each other: number, kind, channel, exposure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.diff.alike import alike
from harness.diff.values import NOWHERE, Change

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from harness.model.interaction import Interaction, Place

type Key = Callable[[Interaction], Hashable]

_ALIKE: tuple[Key, ...] = (
    lambda one: (one.kind, one.channel, one.exposure, one.tool_name, one.agent, one.prompt),
    lambda one: (one.kind, one.channel, one.exposure, one.tool_name, one.prompt),
    lambda one: (one.kind, one.channel, one.exposure, one.tool_name),
    lambda one: (one.kind, one.channel, one.exposure, one.prompt),
    lambda one: (one.kind, one.channel, one.exposure),
)
"""From the closest likeness to the loosest: what is alike in kind, channel and exposure is no change."""
_CHANGED: tuple[Key, ...] = (
    lambda one: (one.kind, one.channel, one.tool_name, one.prompt),
    lambda one: (one.kind, one.channel, one.tool_name),
    lambda one: (one.kind, one.exposure, one.tool_name, one.prompt),
    lambda one: (one.kind, one.exposure, one.tool_name),
    lambda one: (one.channel, one.tool_name, one.prompt),
)
"""What is one call that is shown in another way."""


def interactions(a: Iterable[Interaction], b: Iterable[Interaction]) -> list[Change]:
    """The contract's changes, those that changed first."""
    left, right = list(a), list(b)
    for key in _ALIKE:
        alike(left, right, key, key)
    changes: list[Change] = []
    for key in _CHANGED:
        for before, after in alike(left, right, key, key):
            changes.append(
                Change(
                    "contract", "interaction", "changed", _who(after), said(before), said(after),
                    _place(before), _place(after),
                )
            )  # fmt: skip
    changes += [
        Change("contract", "interaction", "removed", _who(one), said(one), None, _place(one)) for one in left
    ]
    changes += [
        Change("contract", "interaction", "added", _who(one), None, said(one), b=_place(one)) for one in right
    ]
    return changes


def calls(a: Iterable[Interaction], b: Iterable[Interaction]) -> list[tuple[str, str]]:
    """toolCallIds of A and B under which the same is asked in the same way."""
    pairs = alike(list(a), list(b), _ALIKE[0], _ALIKE[0])
    return [
        (one.tool_call_id, other.tool_call_id)
        for one, other in pairs
        if one.tool_call_id and other.tool_call_id
    ]


def frames(changes: Iterable[Change]) -> tuple[frozenset[int], frozenset[int]]:
    """Numbers of the frames that show an interaction which the other side lacks."""
    found = [change for change in changes if change.subject == "interaction"]
    return (
        frozenset(one.a.event for one in found if one.operation == "removed" and one.a.event is not None),
        frozenset(one.b.event for one in found if one.operation == "added" and one.b.event is not None),
    )


def said(one: Interaction) -> str:
    """`leaked delegation on content`, as every report says it."""
    return f"{one.exposure} {one.kind} on {one.channel}"


def _who(one: Interaction) -> str:
    return " ".join(dict.fromkeys(name for name in (one.tool_name, one.agent) if name))


def _place(one: Interaction) -> Place:
    return one.sightings[0].place if one.sightings else NOWHERE
