"""Two rounds, held against each other: what a client may rely on first, then events, then times."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.diff.asked import calls, frames, interactions
from harness.diff.events import Events
from harness.diff.rows import rows
from harness.diff.values import RANKS, Change, Pair, Rank, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.diff.form import Volatile
    from harness.diff.ids import Ids
    from harness.diff.units import Unit
    from harness.model.finding import Finding
    from harness.model.verdict import Round

CUT: frozenset[str] = frozenset({"upstream_cut", "refused"})
LEFT: frozenset[str] = frozenset({"client_left", "proxy_stopped", "timeout", "unsealed"})
"""Our side ended it: the stream was still open."""
BY_INTERACTION, BY_OUTCOME = "LEAK", "END"
"""Families of rules that say again what a change of an interaction, or of the outcome, says."""

CARRIERS = {"data": "data", "text": "JSON text"}


class Reading(NamedTuple):
    """One round as a diff needs it."""

    round: Round
    units: Sequence[Unit]
    ids: Ids
    coarse: bool = False
    took_ns: int | None = None
    """From the first chunk to the last; None: not known."""
    carriers: frozenset[str] = frozenset()
    """What core chunks came in: `text` (JSON text), `data`."""


def side(round: Round) -> Side:
    """What is told of a round beside its changes."""
    return Side(round.source, round.outcome, round.ending, round.events)


def only(round: Round, *, is_a: bool, recorded: bool = True) -> Pair:
    """A round that the other side lacks; `recorded`: the other side recorded its leg."""
    mine = side(round)
    said = f"{round.outcome}, {round.events} events"
    change = Change(
        "contract" if recorded else "shape",
        "round",
        "removed" if is_a else "added",
        f"{round.scenario} r{round.round}",
        said if is_a else None,
        None if is_a else said,
    )
    return _pair(round, mine if is_a else None, None if is_a else mine)._replace(
        changes=(change,), undecided=tuple(_undecided(round, "A" if is_a else "B"))
    )


def compare(a: Reading, b: Reading, volatile: Volatile) -> Pair:
    """All changes from `a` to `b`, the gravest first."""
    asked = [
        change for change in interactions(a.round.interactions, b.round.interactions) if _proven(change, a, b)
    ]
    repacked = bool(a.carriers and b.carriers and a.carriers != b.carriers)
    same = calls(a.round.interactions, b.round.interactions)
    events = Events(a.units, b.units, (a.ids, b.ids), frames(asked), same, repacked=repacked)
    changes = [
        *_outcome(a.round, b.round),
        *asked,
        *_findings(a.round, b.round, {change.subject for change in asked}),
        *_surface(a, b),
        *events.changes,
        *_ending(a.round, b.round),
        *_duration(a, b, volatile),
    ]
    notes = tuple(_notes(a, b, events))
    return _pair(b.round, side(a.round), side(b.round))._replace(
        changes=tuple(sorted(_joined(changes), key=_grave)),
        rows=rows(events),
        undecided=(*_undecided(a.round, "A"), *_undecided(b.round, "B")),
        notes=notes,
    )


def _pair(round: Round, a: Side | None, b: Side | None) -> Pair:
    return Pair(round.scenario, round.round, round.leg, round.protocol, round.topology, a, b)


def _open(round: Round) -> bool:
    return round.outcome == "INCONCLUSIVE" or bool(round.unread)


def _proven(change: Change, a: Reading, b: Reading) -> bool:
    """What one side lacks was not perhaps only lost by its capture."""
    if change.operation == "removed":
        return not _open(b.round)
    return change.operation != "added" or not _open(a.round)


def _undecided(round: Round, name: str) -> Iterator[str]:
    if round.outcome == "INCONCLUSIVE":
        yield f"{name}: INCONCLUSIVE, ending {round.ending}, {round.events} events"
    for one in round.unread:
        yield f"{name}: {one.reason}"


def _outcome(a: Round, b: Round) -> Iterator[Change]:
    if "INCONCLUSIVE" not in (a.outcome, b.outcome) and a.outcome != b.outcome:
        yield Change("contract", "outcome", "changed", "outcome", a.outcome, b.outcome)
    if a.http_status is not None and b.http_status is not None and a.http_status != b.http_status:
        refused = "HTTP_ERROR" in (a.outcome, b.outcome)
        before, after = str(a.http_status), str(b.http_status)
        rank: Rank = "contract" if refused else "shape"
        yield Change(rank, "http_status", "changed", "HTTP status", before, after)


def _findings(a: Round, b: Round, told: set[str]) -> Iterator[Change]:
    """Rules that are broken on one side only, though both could be checked."""
    broken_a, broken_b = _broken(a), _broken(b)
    skip: tuple[str, ...] = (BY_INTERACTION,) if "interaction" in told else ()
    skip += (BY_OUTCOME,) if a.outcome != b.outcome else ()
    for mine, other, round, is_a in ((broken_a, broken_b, b, True), (broken_b, broken_a, a, False)):
        unchecked = {one.rule for one in round.not_checked}
        for rule, finding in mine.items():
            if rule in other or rule in unchecked or rule.startswith(skip) or _open(round):
                continue
            name = f"{rule} {finding.slug}"
            yield (
                Change("contract", "finding", "removed", name, finding.message, None, a=finding.place)
                if is_a
                else Change("contract", "finding", "added", name, None, finding.message, b=finding.place)
            )


def _broken(round: Round) -> dict[str, Finding]:
    found = [one for one in round.findings if one.severity == "error" and one.waived is None]
    return {one.rule: one for one in reversed(found)}


def _surface(a: Reading, b: Reading) -> Iterator[Change]:
    """What concerns all events alike is told once."""
    told = [[one.round.dialect, one.round.binding, _carried(one)] for one in (a, b)]
    for name, before, after in zip(("dialect", "binding", "chunks"), *told, strict=True):
        if before is not None and after is not None and before != after:
            yield Change("shape", "surface", "changed", name, before, after)


def _carried(one: Reading) -> str | None:
    return " and ".join(CARRIERS[name] for name in sorted(one.carriers)) or None


def _ending(a: Round, b: Round) -> Iterator[Change]:
    """Streams that stay open and streams that close are both right; one that is cut is not."""
    kinds = [("cut" if x in CUT else "left" if x in LEFT else "closed") for x in (a.ending, b.ending)]
    if kinds[0] != kinds[1]:
        rank: Rank = "shape" if "cut" in kinds else "timing"
        yield Change(rank, "ending", "changed", "ending", a.ending, b.ending)


def _duration(a: Reading, b: Reading, volatile: Volatile) -> Iterator[Change]:
    if a.took_ns is None or b.took_ns is None:
        return
    short, long = sorted((a.took_ns / 1e9, b.took_ns / 1e9))
    if long - short > volatile.least_s and long > short * volatile.factor:
        before, after = (f"{took / 1e9:.1f} s" for took in (a.took_ns, b.took_ns))
        yield Change("timing", "duration", "changed", "duration", before, after)


def _notes(a: Reading, b: Reading, events: Events) -> Iterator[str]:
    if events.matches.rough:
        yield "a part was too long and too different to be aligned well: it was matched from left to right"
    if a.coarse or b.coarse or events.coarse:
        yield "not every event was kept whole: some changes are told without their members"
    if a.ids.full or b.ids.full:
        yield "more ids than are told apart: some are compared as text"


def _joined(changes: Iterable[Change]) -> list[Change]:
    """The same change at several places is one, counted."""
    groups: dict[tuple[object, ...], Change] = {}
    for one in changes:
        bare = one.subject in ("event", "order")
        key: tuple[object, ...] = (
            one.rank,
            one.subject,
            one.operation,
            one.name,
            None if bare else (one.before, one.after),
        )
        known = groups.get(key)
        if one.subject in ("interaction", "frame"):
            key = (*key, id(one))
            known = None
        groups[key] = one if known is None else known._replace(times=known.times + one.times)
    return list(groups.values())


def _grave(change: Change) -> int:
    return RANKS.index(change.rank)
