"""Sightings to interactions: what is one and the same question.

Identity is task + call (toolCallId, else the interrupt's id, else the place) + channel +
exposure. Questions that are only fallbacks count where nothing else was seen, as one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from harness.model.interaction import Interaction, Sighting


def collect(sightings: Iterable[Sighting]) -> tuple[Interaction, ...]:
    """The interactions of one round, in the order of their first sightings."""
    seen = list(sightings)
    firm = [sighting for sighting in seen if not sighting.fallback]
    groups: dict[Hashable, list[Sighting]] = {}
    for sighting in firm or seen:
        groups.setdefault(_identity(sighting), []).append(sighting)
    return tuple(_joined(group) for group in groups.values())


def _identity(sighting: Sighting) -> Hashable:
    call: Hashable = sighting.tool_call_id or sighting.interrupt_id
    if call is None and not sighting.fallback:
        call = (sighting.place.event, sighting.place.pointer)
    return sighting.task_id, call, sighting.channel, sighting.exposure


def _joined(group: list[Sighting]) -> Interaction:
    first = group[0]
    return Interaction(
        first.kind,
        first.channel,
        first.exposure,
        first.tool_call_id or _first(one.tool_call_id for one in group),
        _first(one.tool_name for one in group),
        _first(one.agent for one in group),
        _first(one.prompt for one in group),
        first.shape,
        first.task_id,
        tuple(group),
    )


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)
