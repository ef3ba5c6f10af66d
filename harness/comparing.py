"""Two sets of captures held against each other: found, paired, judged, read, compared. Rank 4.

    find (A, B) > pair (scenario, round, leg, protocol) > judge + read (each round) > compare

Both rounds of a pair are judged exactly as `harness check` does; what a diff says of outcomes
and interactions is what a check says.
"""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

import harness
from harness import topologies, wire
from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.capture.discover import find
from harness.capture.files import Body
from harness.capture.naming import BESIDE
from harness.captures import judge_capture
from harness.diff.compare import Reading, compare, only
from harness.diff.couples import couples
from harness.diff.ids import Ids
from harness.diff.load import load as load_volatile
from harness.diff.normal import Normal
from harness.diff.units import Units
from harness.diff.values import Difference, Undecided, exit_code
from harness.errors import UsageError
from harness.kit import load
from harness.model.capture import Unread

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from harness.capture.discover import Found
    from harness.diff.couples import Couple
    from harness.diff.form import Volatile
    from harness.diff.values import Pair, Rank
    from harness.kit import Kit, Options
    from harness.model.capture import Capture
    from harness.model.event import Event
    from harness.model.verdict import Round
    from harness.rounds import Judged

    type Progress = Callable[[int, int], None]


class Choice(NamedTuple):
    """What the user chose beside the options of a check."""

    volatile: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    """Names or patterns of the scenarios that are compared; none: all."""
    fail_on: Rank = "contract"


def diff(
    a: str, b: str, options: Options, choice: Choice | None = None, progress: Progress | None = None
) -> Difference:
    """Everything that changed from `a` to `b`: captures, or folders of captures.

    Raises `UsageError` and its kin for what the user named wrongly, `CaptureError` for a path
    that is not there. `progress` is called with (pairs done, pairs in all).
    """
    choice = choice or Choice()
    kit, volatile = load(options), load_volatile(choice.volatile)
    sides = [_side(path, kit, options, choice) for path in (a, b)]
    coupled = _named((a, b), couples(sides[0].captures, sides[1].captures))
    recorded = [_legs(side) for side in sides]
    pairs: list[Pair] = []
    for done, (left, right) in enumerate(coupled, 1):
        pairs += _compared(left, right, kit, volatile, recorded)
        if progress:
            progress(done, len(coupled))
    undecided = tuple(Undecided(one.source, one.reason) for side in sides for one in side.unread)
    found = tuple(pairs)
    exit = exit_code(found, undecided, choice.fail_on)
    return Difference(harness.__version__, kit.selection.contract.name, a, b, exit, found, undecided)


def _side(path: str, kit: Kit, options: Options, choice: Choice) -> Found:
    found = find([path], stdin=sys.stdin.buffer, max_line=options.max_line)
    captures = [one for one in found.captures if one.protocol not in BESIDE]
    if choice.scenarios:
        captures = [
            one for one in captures if any(fnmatchcase(one.scenario, name) for name in choice.scenarios)
        ]
        if not captures:
            known = ", ".join(dict.fromkeys(one.scenario for one in found.captures)) or "none"
            raise UsageError(
                f"{path} has no scenario {' or '.join(choice.scenarios)}", mend=f"its scenarios are {known}"
            )
    return found._replace(captures=tuple(_placed(one, kit) for one in captures))


def _placed(capture: Capture, kit: Kit) -> Capture:
    topology = topologies.of_scenario(kit.topologies, capture.scenario)
    return capture._replace(topology=topology.name) if topology else capture


def _legs(side: Found) -> Collection[str] | None:
    """The legs that a side recorded: those of its captures; None: all, it has a recorder's `run.json`."""
    folders = {one.group for one in side.captures if one.group}
    if any(os.path.isfile(os.path.join(folder, "run.json")) for folder in folders):
        return None
    return {one.leg for one in side.captures}


def _named(paths: tuple[str, str], coupled: list[Couple]) -> list[Couple]:
    """Of a file and a folder only the file's round is compared: the others are no missing ones."""
    for mine, other in ((0, 1), (1, 0)):
        if os.path.isdir(paths[mine]) or not os.path.isdir(paths[other]):
            continue
        coupled = [couple for couple in coupled if couple[mine] is not None]
        alone = next((one for one in coupled if one[other] is None), None)
        if alone is not None and (capture := alone[mine]) is not None:
            what = f"{paths[other]} has no capture of {capture.scenario} r{capture.round}"
            raise UsageError(what, mend="name the file to compare with")
    return coupled


def _compared(
    left: Capture | None,
    right: Capture | None,
    kit: Kit,
    volatile: Volatile,
    recorded: Sequence[Collection[str] | None],
) -> Iterator[Pair]:
    """The pairs of rounds of two captures; a capture may hold several rounds."""
    loose = any(one is not None and one.rebuilt for one in (left, right))
    a = judge_capture(left, kit) if left else []
    b = judge_capture(right, kit) if right else []
    read_a = _read(left, a, kit, volatile, loose=loose) if left and b else []
    read_b = _read(right, b, kit, volatile, loose=loose) if right and a else []
    for mine, other in zip(read_a, read_b, strict=False):
        yield compare(mine, other, volatile)
    yield from (only(one.round, is_a=True, recorded=_has(recorded[1], one)) for one in a[len(b) :])
    yield from (only(one.round, is_a=False, recorded=_has(recorded[0], one)) for one in b[len(a) :])


def _has(legs: Collection[str] | None, one: Judged) -> bool:
    return legs is None or one.round.leg in legs


def _read(
    capture: Capture, judged: Sequence[Judged], kit: Kit, volatile: Volatile, *, loose: bool
) -> list[Reading]:
    """The rounds of a capture with their units."""
    readings: list[Reading] = []
    events = _events(capture, kit.max_line)
    took = _took(capture) if len(judged) == 1 else None
    for one in judged:
        ids = Ids(volatile)
        normal = Normal(volatile, ids, loose=loose)
        units = Units(normal, _asking(one.round))
        lost: list[Unread] = []
        for event in events:
            if event.kind == "resume":
                break
            if event.frame.flaw is not None:
                reason = f"event {event.frame.number} was not read: {event.frame.flaw}"
                lost.append(Unread(capture.source, reason, event.frame.span))
            units.take(event)
        round = one.round if one.round.unread else one.round._replace(unread=tuple(lost))
        closed = units.close()
        readings.append(Reading(round, closed, ids, units.coarse, took, frozenset(normal.carriers)))
    return readings


def _events(capture: Capture, max_line: int) -> Iterator[Event]:
    reader = Reader(capture, asked(capture))
    decoder = wire.decoder(capture.framing, capture.start, max_line)
    for chunk in Body(capture).chunks():
        for frame in decoder.feed(chunk):
            yield reader.read(frame)
    for frame in decoder.finish()[0]:
        yield reader.read(frame)


def _asking(round: Round) -> frozenset[int]:
    """Numbers of the frames that show an interaction."""
    places = [each.place for one in round.interactions for each in one.sightings]
    return frozenset(place.event for place in places if place.event is not None)


def _took(capture: Capture) -> int | None:
    if not capture.timed:
        return None
    from harness.times import times_of

    times = times_of(capture)
    return times.at_ns[-1] - times.at_ns[0] if times is not None and len(times.at_ns) else None
