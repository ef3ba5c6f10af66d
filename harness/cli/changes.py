"""What changed between two judgements of the same captures, as they grow: new, fixed, waived."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.baseline.compare import compare
from harness.baseline.remember import remembered, stands
from harness.report.cells import harmless

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from harness.model.finding import Finding
    from harness.model.verdict import Group, Report, Round
    from harness.model.waiver import Gone
    from harness.report.view import View

MOST = 10
"""Findings of a kind that are listed."""
_ROLES = {"new": "error", "fixed": "good", "waived": "dim"}


class Found(NamedTuple):
    """A finding and the round that it stands in; None: in several."""

    finding: Finding
    round: Round | None


class Changes(NamedTuple):
    """Errors and warnings, before and now."""

    before: int
    """Exit code; `now` likewise."""
    now: int
    new: tuple[Found, ...] = ()
    fixed: tuple[Gone, ...] = ()
    waived: tuple[Found, ...] = ()
    """Stood before, and are accepted now."""


def changes(before: Report, now: Report, applied: Collection[str]) -> Changes:
    """What is new in `now`, and what of `before` was judged again and is gone; by rules `applied`."""
    rounds = [one._replace(findings=tuple(_plain(each) for each in one.findings)) for one in now.rounds]
    groups = [one._replace(finding=_plain(one.finding)) for one in now.findings]
    marked, grouped, told = compare(rounds, groups, remembered(before), applied)
    found = list(_found(marked, grouped))
    return Changes(
        before.exit,
        now.exit,
        tuple(one for one in found if stands(one.finding) and not one.finding.known),
        told.fixed,
        tuple(one for one in found if one.finding.waived is not None and one.finding.known),
    )


def _plain(one: Finding) -> Finding:
    """Without what the user's own baseline knew."""
    return one._replace(known=False)


def _found(rounds: list[Round], groups: list[Group]) -> Iterator[Found]:
    for one in rounds:
        yield from (Found(each, one) for each in one.findings)
    yield from (Found(group.finding, None) for group in groups)


def lines(made: Changes, view: View) -> Iterator[str]:
    """One line that counts, then the findings."""
    counts = {"new": len(made.new), "fixed": len(made.fixed), "waived": len(made.waived)}
    yield view.paint("head", view.say("again.changed", before=made.before, now=made.now, **counts))
    told = [*(("new", _new(one)) for one in made.new), *(("fixed", _gone(one)) for one in made.fixed)]
    told += [("waived", _new(one)) for one in made.waived]
    for kind in _ROLES:
        texts = [text for name, text in told if name == kind]
        for text in texts[:MOST]:
            yield f"  {view.paint(_ROLES[kind], view.words[f'again.{kind}'])}  {text}"
        if len(texts) > MOST:
            yield f"  {view.say('again.more', kind=view.words[f'again.{kind}'], number=len(texts) - MOST)}"


def _new(one: Found) -> str:
    home = one.round
    place = "" if home is None else f"{home.scenario} r{home.round} {home.leg}: "
    return harmless(f"{one.finding.rule} {place}{one.finding.message}", 300)


def _gone(one: Gone) -> str:
    place = "" if one.scenario is None else f"{one.scenario} r{one.round} {one.leg}: "
    return harmless(f"{one.rule} {place}{one.message}", 300)
