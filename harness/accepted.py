"""Waivers and the baseline, applied to a report that is almost made. A part of the pipeline, rank 4."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from harness.model.interaction import Place
from harness.model.verdict import Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.kit import Kit, Options
    from harness.model.verdict import Round
    from harness.model.waiver import Baseline
    from harness.waivers.match import Trouble

NOWHERE = Place(None, None, None)


class Settled(NamedTuple):
    """Rounds and groups with what is waived and what is known marked."""

    rounds: Sequence[Round]
    groups: Sequence[Group]
    baseline: Baseline | None = None


def settle(rounds: Sequence[Round], groups: Sequence[Group], kit: Kit, options: Options) -> Settled:
    """Apply the kit's waivers and baseline; costs nothing where there are none."""
    made = Settled(rounds, groups)
    if kit.waivers:
        made = _waived(made, kit, options)
    if kit.baseline is not None:
        from harness.baseline.compare import compare

        made = Settled(*compare(made.rounds, made.groups, kit.baseline, applied(kit)))
    return made


def today(options: Options) -> str:
    """The day that waivers are held against, `YYYY-MM-DD` in UTC."""
    return options.today or time.strftime("%Y-%m-%d", time.gmtime())


def _waived(made: Settled, kit: Kit, options: Options) -> Settled:
    from harness.rules import registry
    from harness.waivers.match import Rules, apply

    rules = Rules(registry.CODES, applied(kit))
    done = apply(made.rounds, made.groups, kit.waivers, rules, today(options))
    return Settled(done.rounds, [*done.groups, *_told(done.troubles, kit, options)])


def applied(kit: Kit) -> frozenset[str]:
    """Codes of the rules that were chosen."""
    chosen = kit.selection
    return frozenset(rule.code for rule in (*chosen.single, *chosen.across, *chosen.legs))


def _told(troubles: Iterable[Trouble], kit: Kit, options: Options) -> Iterable[Group]:
    """A finding for each trouble, as the contract weighs it."""
    from harness.rules import registry
    from harness.rules.found import Found

    skipped = registry.expand(options.skip)
    for one in troubles:
        if one.code in skipped:
            continue
        found = Found(kit.selection.contract)
        found(registry.rule(one.code), _message(one), NOWHERE, names=(one.waiver.id, one.waiver.rule))
        yield from (Group(finding, one.rounds) for finding in found.findings(None))


def _message(one: Trouble) -> str:
    waiver = one.waiver
    named = f"{waiver.file}:{waiver.line}: the waiver {waiver.id!r} of {waiver.owner!r}"
    if one.code == "WAIV101":
        return (
            f"{named} held until {waiver.expires}; {waiver.rule} is found {one.findings} times in its scope"
        )
    if one.code == "WAIV102":
        return f"{named} accepts nothing: {waiver.rule} was checked in its scope and not found"
    return f"{named} is about {waiver.rule}, which is no rule"
