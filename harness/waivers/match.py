"""Which findings a waiver accepts, and which waivers accept nothing any more. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from harness.model.finding import Finding
    from harness.model.interaction import Interaction
    from harness.model.verdict import Group, Round
    from harness.model.waiver import Scope, Waiver

EXPIRED, STALE, UNKNOWN = "WAIV101", "WAIV102", "WAIV103"


class Trouble(NamedTuple):
    """Something is wrong with a waiver itself: the rule that says so, and where it would have mattered."""

    code: str
    waiver: Waiver
    findings: int = 0
    rounds: tuple[str, ...] = ()


class Applied(NamedTuple):
    """Rounds and groups with their waived findings marked, and what is wrong with waivers."""

    rounds: list[Round]
    groups: list[Group]
    troubles: list[Trouble]


class Rules(NamedTuple):
    """What is known of rules here: all there are, and those that this check applies."""

    known: Collection[str]
    applied: Collection[str]


def apply(
    rounds: Sequence[Round], groups: Sequence[Group], waivers: Sequence[Waiver], rules: Rules, today: str
) -> Applied:
    """Mark what `waivers` accept on the day `today` (`YYYY-MM-DD`); the first that fits is named."""
    live = [one for one in waivers if one.rule in rules.known]
    hits: dict[str, list[str]] = {one.id: [] for one in live}
    marked = [_round(one, live, hits, today) for one in rounds]
    by_source = {one.source: one for one in rounds}
    grouped = [_group(one, by_source, live, hits, today) for one in groups]
    troubles = [Trouble(UNKNOWN, one) for one in waivers if one.rule not in rules.known]
    for one in live:
        if one.rule in rules.applied:
            troubles += _troubles(one, hits[one.id], rounds, today)
    return Applied(marked, grouped, troubles)


def _round(one: Round, waivers: Sequence[Waiver], hits: dict[str, list[str]], today: str) -> Round:
    candidates = [each for each in waivers if _holds_in(each.scope, one)]
    codes = {each.rule for each in candidates}
    if not any(finding.rule in codes for finding in one.findings):
        return one
    asked = one.asked_at()
    made = []
    for finding in one.findings:
        fit = [w for w in candidates if w.rule == finding.rule and _fits(w.scope, asked.get(finding.place))]
        made.append(_marked(finding, fit, [one.source], hits, today))
    return one._replace(findings=tuple(made))


def _group(
    group: Group, rounds: dict[str, Round], waivers: Sequence[Waiver], hits: dict[str, list[str]], today: str
) -> Group:
    """A finding of several rounds is in the scope of a waiver that is about one of them."""
    compared = [rounds[source] for source in group.rounds if source in rounds]
    fit = [w for w in waivers if w.rule == group.finding.rule and _any(w.scope, compared, group.finding)]
    return group._replace(finding=_marked(group.finding, fit, group.rounds, hits, today))


def _any(scope: Scope, compared: Iterable[Round], finding: Finding) -> bool:
    return any(_holds_in(scope, one) and _fits(scope, one.asked_at().get(finding.place)) for one in compared)


def _marked(
    finding: Finding, fit: Sequence[Waiver], sources: Iterable[str], hits: dict[str, list[str]], today: str
) -> Finding:
    for one in fit:
        hits[one.id] += sources
    live = next((one for one in fit if today <= one.expires), None)
    return finding if live is None else finding._replace(waived=live.id)


def _holds_in(scope: Scope, one: Round) -> bool:
    return (
        scope.topology in (None, one.topology)
        and scope.scenario in (None, one.scenario)
        and scope.round in (None, one.round)
        and scope.leg in (None, one.leg)
    )


def _fits(scope: Scope, asked: Interaction | None) -> bool:
    if asked is None:
        return scope.kind is None and scope.shape is None and scope.agent is None
    return (
        scope.kind in (None, asked.kind)
        and scope.shape in (None, asked.shape)
        and scope.agent in (None, asked.agent)
    )


def _troubles(one: Waiver, hits: Sequence[str], rounds: Sequence[Round], today: str) -> list[Trouble]:
    if hits:
        sources = tuple(dict.fromkeys(hits))
        return [] if today <= one.expires else [Trouble(EXPIRED, one, len(hits), sources)]
    return [Trouble(STALE, one)] if _looked_at(one, rounds) else []


def _looked_at(one: Waiver, rounds: Sequence[Round]) -> bool:
    """Was the rule checked, to the end, on rounds of the scope, and on all of them that were judged?"""
    inside = [each for each in rounds if _holds_in(one.scope, each)]
    return bool(inside) and all(_checked(one.rule, each) for each in inside)


def _checked(rule: str, one: Round) -> bool:
    decided = one.outcome != "INCONCLUSIVE" and not one.unread
    return decided and all(each.rule != rule for each in one.not_checked)
