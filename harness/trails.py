"""The second reading: rounds that speak of one task are read once more, for what they showed of it.

Captures are judged one by one and leave only small facts. Where the facts of several rounds
name one task, and one of them joined it late or asked for its result, these few captures
are read again and get a trail (`harness.rules.trail`). All others cost one look at their
facts. In the order of the report, so that neither files nor processes change the result. Rank 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.task import gives_result, is_stream, joins, tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.kit import Kit
    from harness.model.capture import Capture
    from harness.model.event import Event
    from harness.rules.facts import RoundFacts

BUDGET = 600_000
"""Updates that all trails of one check may hold together: some 20 MB."""
ARTIFACT = 10
"""An artifact that is remembered takes as much as this many updates."""


def with_trails(facts: Sequence[RoundFacts], captures: Sequence[Capture], kit: Kit) -> list[RoundFacts]:
    """`facts`, with a trail for each round that can be held against another one of its task."""
    wanted = _wanted(facts)
    if not wanted:
        return list(facts)
    from harness.rules.trail import MOST, trail

    known = {capture.source: capture for capture in captures}
    done, left = list(facts), BUDGET
    for index in wanted:
        capture = known.get(facts[index].source)
        if capture is None:
            continue
        made = trail(_events(capture, kit.max_line), min(MOST, left))
        left = max(0, left - len(made.prints) - ARTIFACT * len(made.artifacts))
        done[index] = facts[index]._replace(trail=made)
    return done


def _wanted(facts: Sequence[RoundFacts]) -> list[int]:
    """The rounds to read once more, in order."""
    found: list[int] = []
    for rounds in tasks(facts):
        streams = [index for index in rounds if is_stream(facts[index])]
        results = [index for index in rounds if gives_result(facts[index])]
        if streams and (results or _are_comparable([facts[index] for index in streams])):
            found += streams + results
    return sorted(found)


def _are_comparable(streams: Sequence[RoundFacts]) -> bool:
    """Two streams or more, of which one joined late, or was open for longer than its own turn."""
    return len(streams) > 1 and any(joins(one) or one.went_on for one in streams)


def _events(capture: Capture, max_line: int) -> Iterator[Event]:
    from harness import wire
    from harness.a2a.reader import Reader
    from harness.a2a.request import asked
    from harness.capture.files import Body

    reader = Reader(capture, asked(capture))
    decoder = wire.decoder(capture.framing, capture.start, max_line)
    for piece in Body(capture).chunks():
        yield from map(reader.read, decoder.feed(piece))
    yield from map(reader.read, decoder.finish()[0])
