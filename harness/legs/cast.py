"""Which recorded round is which round of a scenario: by its number, requests that were sent again taken out.

Pure. A client that is refused, or told to come back, sends the same request again: the recorder
counts it as one more round, and the scenario does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.a2a.request import asked
from harness.legs.words import parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.capture import Capture
    from harness.model.scenario import Scenario, ScenarioRound

AGAIN: frozenset[int] = frozenset({429, 502, 503, 504})
"""HTTP statuses after which a driver may send a request again."""
_WITHIN = frozenset({"get", "list", "cancel", "push", "card", "subscribe"})
"""Calls about a task: no rounds of a scenario."""


class Slot(NamedTuple):
    """One recorded round of the client's leg, as far as its number in a scenario depends on it."""

    group: str
    scenario: str
    round: int
    is_round: bool
    """On the client's leg, and a message to the agent."""
    again: bool
    """It may have been sent again."""
    said: str
    """What it sent; empty where it is not known."""

    @staticmethod
    def of(capture: Capture, round: int) -> Slot:
        """The slot of the round `round` of `capture`."""
        status = capture.head.status if capture.head else None
        return Slot(
            capture.group or capture.source,
            capture.scenario,
            round,
            capture.leg == "client" and round > 0 and asked(capture).operation not in _WITHIN,
            capture.ending == "refused" or status in AGAIN,
            parts_of(capture.request) if capture.request else "",
        )


class Role(NamedTuple):
    """What a recorded round is to a scenario."""

    scenario: Scenario
    number: int
    round: ScenarioRound | None
    """None: the scenario has no round of that number."""


def cast(slots: Sequence[Slot], scenarios: Sequence[Scenario]) -> dict[int, Role]:
    """By index in `slots`: the rounds that a scenario speaks of. Of a request sent again, the last."""
    named = {one.name: one for one in scenarios}
    talks: dict[tuple[str, str], list[int]] = {}
    for index, slot in enumerate(slots):
        if slot.is_round and slot.scenario in named:
            talks.setdefault((slot.group, slot.scenario), []).append(index)
    roles: dict[int, Role] = {}
    for (_, name), indices in talks.items():
        _one(named[name], slots, sorted(indices, key=lambda index: (slots[index].round, index)), roles)
    return roles


def _one(scenario: Scenario, slots: Sequence[Slot], indices: Sequence[int], roles: dict[int, Role]) -> None:
    rounds = {one.number: one for one in scenario.rounds}
    dropped = 0
    for place, index in enumerate(indices):
        following = slots[indices[place + 1]] if place + 1 < len(indices) else None
        if scenario.retries and following is not None and _is_again(slots[index], following):
            dropped += 1
            continue
        number = slots[index].round - dropped
        roles[index] = Role(scenario, number, rounds.get(number))


def _is_again(slot: Slot, following: Slot) -> bool:
    return slot.again and bool(slot.said) and slot.said == following.said
