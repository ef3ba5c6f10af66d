"""Two streams of one task side by side: where the later one joins, and whether both go on alike.

Pure arithmetic on trails (`harness.rules.trail`). What can not be told is None, never True. Rank 3.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from harness.rules.task import TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.trail import Trail

_BETWEEN = 0
"""No print is zero, but for one in 2**64."""


class Meeting(NamedTuple):
    """What a stream that joins and an earlier one show of each other."""

    same: bool | None = None
    """Both show the same updates in the same order, from where the later one joins."""
    joined: bool | None = None
    """The opening Task and the updates after it leave nothing out and repeat nothing."""
    reason: str = ""
    """Why one of them is None."""
    late: int = 0
    """The update of the joining stream at which they part."""
    early: int = 0
    """The update of the earlier stream that should have been there."""
    off: int | None = None
    """Updates that are left out at the join; negative: that are repeated; None: not to be counted."""


def meet(late: Trail, early: Trail, *, complete: bool, known: bool) -> Meeting:
    """Hold `late`, which joins a task, against `early`.

    `complete`: `early` was there from the task's beginning to its end. `known`: its artifacts
    are known from the beginning, so that the opening Task of `late` has a place in it.
    """
    if late.truncated or early.truncated:
        return Meeting(reason=TRUNCATED)
    if not late.prints:
        return Meeting(reason="it shows no update after its Task")
    runs = common(late.prints, early.prints)
    fits = [at for at in range(len(early.prints)) if runs[at] == _wanted(at, late, early)]
    if not (late.snapshot and known):
        return _by_order(late, early, runs, fits, complete=complete)
    if late.cumulative or early.cumulative:
        told = _by_order(late, early, runs, fits, complete=complete)
        return told._replace(joined=None, reason=told.reason or "the chunks repeat the text before them")
    places = [at for at, state in enumerate(early.states) if state == late.states[0]]
    return _by_snapshot(places, early, runs, fits) if places else _nowhere(early, runs, fits, complete)


def common(late: Sequence[int], early: Sequence[int]) -> array[int]:
    """For each place in `early` (and the one behind it) how many prints are those `late` begins with."""
    joined = array("Q", late) + array("Q", (_BETWEEN,)) + array("Q", early)
    size = len(late) + 1
    runs = array("Q", bytes(8 * len(joined)))
    left = right = 0
    for at in range(1, len(joined)):
        run = min(right - at, runs[at - left]) if at < right else 0
        while at + run < len(joined) and joined[run] == joined[at + run]:
            run += 1
        runs[at] = run
        if at + run > right:
            left, right = at, at + run
    return runs[size:] + array("Q", (0,))


def _wanted(at: int, late: Trail, early: Trail) -> int:
    """How many prints must agree at `at`: all of them, or as many as came before `early` broke off."""
    size = len(late.prints)
    return size if early.whole else min(size, len(early.prints) - at)


def _by_order(
    late: Trail, early: Trail, runs: Sequence[int], fits: Sequence[int], *, complete: bool
) -> Meeting:
    """No opening Task tells where the stream joined: only the order of the updates can be compared."""
    lacks = "no Task tells where it joined" if not late.snapshot else "what the task had before is not known"
    if fits:
        return Meeting(True, reason=lacks)
    if complete:
        return _parted(max(range(len(runs)), key=runs.__getitem__), runs)._replace(reason=lacks)
    return Meeting(reason="it shows nothing that the other stream is known to have been open for")


def _by_snapshot(places: Sequence[int], early: Trail, runs: Sequence[int], fits: Sequence[int]) -> Meeting:
    known = set(places)
    if any(at in known for at in fits):
        return Meeting(True, True)
    if len(early.prints) in known and not early.whole:
        return Meeting(reason="the other stream had ended when it joined")
    if fits:
        at, place = min(((at, place) for at in fits for place in _nearest(at, places)), key=_distance)
        return Meeting(True, False, early=place, off=at - place)
    best = max(places, key=runs.__getitem__)
    return _parted(best, runs)._replace(joined=True if runs[best] else None)


def _nearest(at: int, places: Sequence[int]) -> tuple[int, ...]:
    """Of the ascending `places` the two beside `at`."""
    from bisect import bisect_left

    right = bisect_left(places, at)
    return tuple(places[max(0, right - 1) : right + 1])


def _distance(pair: tuple[int, int]) -> tuple[int, int]:
    return abs(pair[0] - pair[1]), pair[1]


def _nowhere(early: Trail, runs: Sequence[int], fits: Sequence[int], complete: bool) -> Meeting:
    """The opening Task has artifacts that the other stream had at no time."""
    if not complete:
        return Meeting(reason="its Task is at no place of the other stream, which may have ended before")
    if fits:
        return Meeting(True, False, early=fits[0])
    return _parted(max(range(len(runs)), key=runs.__getitem__), runs)._replace(joined=False)


def _parted(at: int, runs: Sequence[int]) -> Meeting:
    return Meeting(False, reason="the updates differ", late=runs[at], early=at + runs[at])
