"""What of a large report goes into the page: rounds that are drawn, frames that are kept whole. Pure.

The worst comes first, so that a page has what somebody will look for, whatever the size of the
run. What has no room is counted on the page; the JSON report has all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.report.entries import RANK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.model.interaction import Place
    from harness.model.verdict import Report, Round
    from harness.report.entries import Entry

FINDINGS = 1000
"""Findings that are listed one by one."""
ROUNDS = 1500
"""Rounds that are listed one by one."""
DRAWN = 240
"""Captures that are read again and drawn."""
STEPS = 9_000
"""Lines of all timelines together."""
FRAMES = 1_200_000
"""Bytes of frames that findings and interactions stand in."""
ASKED = 40
"""Interactions of one round that are listed one by one."""
ROOM = 24_000
"""Characters of one frame; a longer one is shortened."""


class Plan(NamedTuple):
    """Positions in `report.rounds`, and frames by source."""

    rounds: Sequence[int]
    drawn: frozenset[str]
    """Sources that are read again."""
    frames: Mapping[str, frozenset[int]]
    """Numbers of the frames that are kept."""
    steps: int
    """Lines of one timeline."""


def plan(report: Report, found: Sequence[Entry]) -> Plan:
    """What is shown of `report`, whose findings that are listed are `found`."""
    ordered = sorted(range(len(report.rounds)), key=lambda at: (_urgency(report.rounds[at]), at))
    drawn = list(dict.fromkeys(report.rounds[at].source for at in ordered))[:DRAWN]
    return Plan(
        rounds=sorted(ordered[:ROUNDS]),
        drawn=frozenset(drawn),
        frames=_frames(report, found, frozenset(drawn)),
        steps=max(24, min(240, STEPS // max(len(drawn), 1))),
    )


def _urgency(one: Round) -> int:
    """0: errors; 1: warnings or a leak; 2: it asks; 3: the rest."""
    worst = min((RANK[each.severity] for each in one.findings if each.waived is None), default=3)
    if worst == 0:
        return 0
    if worst == 1 or any(asked.exposure == "leaked" for asked in one.interactions):
        return 1
    return 2 if one.interactions else 3


def _frames(report: Report, found: Sequence[Entry], drawn: frozenset[str]) -> Mapping[str, frozenset[int]]:
    left = FRAMES
    chosen: dict[str, set[int]] = {}
    for source, place in _places(report, found):
        if place.event is None or source not in drawn or place.event in chosen.get(source, ()):
            continue
        length = place.span.end - place.span.start if place.span else ROOM
        cost = 300 + min(length * 5 // 4, ROOM)
        if cost <= left:
            left -= cost
            chosen.setdefault(source, set()).add(place.event)
    return {source: frozenset(numbers) for source, numbers in chosen.items()}


def _places(report: Report, found: Sequence[Entry]) -> Iterator[tuple[str, Place]]:
    """Places that somebody will look at, the most wanted first."""
    for entry in found:
        yield entry.source, entry.finding.place
    for one in report.rounds:
        for asked in one.interactions[:ASKED]:
            yield one.source, asked.sightings[0].place
    for entry in found:
        yield from ((entry.source, place) for place in entry.finding.also)
