"""What the states of one rule in one topology say, run by run: the definitions of docs/history.md, as code.

    broken    it has a finding that no waiver accepts
    waived    it has findings, and waivers accept all of them
    clean     it has none, and every round in which the rule stood last (before its first finding: in
              which it stands first) was judged and decided, with the rule applied and checked
    unknown   anything else: the run can not tell

Pure: no database, no clock.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from harness.history.values import Course, State


class Seen(NamedTuple):
    """The findings of one rule in one topology in one run."""

    slug: str
    severity: str
    findings: int
    standing: int
    """Those that no waiver accepts."""
    spots: frozenset[str]


class Told(NamedTuple):
    """What a run can tell about rules that it did not find."""

    applied: Collection[str]
    """Rules that were applied."""
    judged: Mapping[str, Collection[str] | None]
    """By spot: rules that could not be checked there; None: it was not decided."""


class Walk(NamedTuple):
    """One rule in one topology over all runs, by their position."""

    states: tuple[State, ...]
    findings: tuple[int, ...]
    first: int
    last: int
    since: int | None
    """Begin of the streak that stands now."""
    fixed: int | None
    """The first clean run behind `last`."""


def walk(rule: str, seen: Mapping[int, Seen], runs: Sequence[Told]) -> Walk:
    """Follow a rule through the runs, the oldest first; `seen` is by position and not empty."""
    states: list[State] = []
    first, last = min(seen), max(seen)
    spots = seen[first].spots
    since: int | None = None
    fixed: int | None = None
    for at, told in enumerate(runs):
        found = seen.get(at)
        if found is not None:
            spots = found.spots
            since, fixed = (at if since is None else since), None
            states.append("broken" if found.standing else "waived")
        elif not _clean(rule, spots, told):
            states.append("unknown")
        else:
            states.append("clean")
            since, fixed = None, (at if fixed is None and at > last else fixed)
    counts = tuple(seen[at].findings if at in seen else 0 for at in range(len(runs)))
    return Walk(tuple(states), counts, first, last, since, fixed)


def _clean(rule: str, spots: Collection[str], told: Told) -> bool:
    if rule not in told.applied or not spots:
        return False
    return all((lacking := told.judged.get(spot)) is not None and rule not in lacking for spot in spots)


def course(states: Sequence[State]) -> Course:
    """How the states of a window follow each other; a state that is unknown is passed over.

    `steady`: seen in each run. `new`: clean, then seen to the end. `fixed`: clean at the end and
    not seen before, or seen from the begin and then clean. `flaky`: it changed at least twice.
    `unknown`: no run of the window can tell.
    """
    seen = [state in ("broken", "waived") for state in states if state != "unknown"]
    if not seen:
        return "unknown"
    changes = sum(a != b for a, b in pairwise(seen))
    if changes > 1:
        return "flaky"
    if changes == 0:
        return "steady" if seen[0] else "fixed"
    return "new" if seen[-1] else "fixed"


def now(states: Sequence[State]) -> State:
    """The last state that tells something."""
    return next((state for state in reversed(states) if state != "unknown"), "unknown")
