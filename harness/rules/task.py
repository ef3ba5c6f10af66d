"""Rounds that speak of one task: its streams, those that join it late, and the answers that give its result.

Asked before a round is read a second time (`harness.trails`) and again by the rules that compare. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.event import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.rules.facts import RoundFacts

UNREAD = "an event of the stream could not be read"
TRUNCATED = "the streams have more updates or artifacts than are compared"


def tasks(facts: Sequence[RoundFacts]) -> Iterable[list[int]]:
    """The rounds of one task, on one leg, in one run folder: two or more, as indices into `facts`."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for index, one in enumerate(facts):
        if one.task_id is not None and one.dialect != "openjiuwen-core":
            found.setdefault((one.group, one.leg, one.task_id), []).append(index)
    return [indices for indices in found.values() if len(indices) > 1]


def is_stream(one: RoundFacts) -> bool:
    """Is the round a stream whose frames are those of the wire?"""
    return one.streamed and one.recognised and not one.rebuilt


def joins(one: RoundFacts) -> bool:
    """Did the stream join a task that was there already? By the request, else by its first event."""
    if one.operation is None:
        return one.snapshot and one.opened is not True
    return one.operation == "subscribe"


def gives_result(one: RoundFacts) -> bool:
    """Is the round the answer to a GetTask, with a task that has ended?"""
    return one.operation == "get" and one.snapshot and one.last_state in TERMINAL and not one.rebuilt
