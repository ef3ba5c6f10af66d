"""Which part of a report each item answers for, and what belongs to none. Pure.

A round's item: what the client saw in that round. A contract's item: the other legs of the scenario,
what compares its rounds, what a scenario expects of all of them, and waivers about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.report.entries import undecided

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from harness.model.capture import Unread
    from harness.model.finding import Finding, NotChecked
    from harness.model.scenario import Scenario
    from harness.model.verdict import Group, Report, Round
    from harness.model.waiver import Scope

CLIENT = "client"
_WAIVERS = "WAIV"


class Share(NamedTuple):
    """What one item answers for."""

    rounds: tuple[Round, ...]
    groups: tuple[Group, ...] = ()
    rests_on: tuple[Round, ...] = ()
    """Rounds of other items without which nothing can be said of these."""

    def findings(self) -> list[Finding]:
        """All of them, waived ones and infos too."""
        found = [each for one in self.rounds for each in one.findings]
        return found + [group.finding for group in self.groups]

    def broken(self, breaking: Collection[str]) -> list[Finding]:
        """Those that no waiver accepts. A waiver that is wrong is one, whatever its severity."""
        return [one for one in self.findings() if _breaks(one, breaking)]

    def waived(self, breaking: Collection[str]) -> list[Finding]:
        """Those that would break the contract, were it not for a waiver."""
        return [one for one in self.findings() if one.waived is not None and one.severity in breaking]

    def undecided(self) -> list[Round]:
        """Rounds of which nobody can say how they ended, or what an unknown interrupt in them means."""
        return [one for one in (*self.rests_on, *self.rounds) if undecided(one) or _is_unknown(one)]

    def told(self, breaking: Collection[str]) -> Share:
        """The same with those findings only that a reader of a failure wants to see."""
        rounds = [
            one._replace(findings=tuple(each for each in one.findings if _is_told(each, breaking)))
            for one in self.rounds
        ]
        groups = [one for one in self.groups if _is_told(one.finding, breaking)]
        return self._replace(rounds=tuple(rounds), groups=tuple(groups))


def _breaks(one: Finding, breaking: Collection[str]) -> bool:
    return one.waived is None and (one.severity in breaking or one.rule.startswith(_WAIVERS))


def _is_told(one: Finding, breaking: Collection[str]) -> bool:
    return one.severity != "info" or one.severity in breaking or one.waived is not None


def _is_unknown(one: Round) -> bool:
    return any(each.rule == "LEAK105" and each.waived is None for each in one.findings)


def of_round(report: Report, scenario: Scenario, number: int) -> Share:
    """What the client saw in a round; no rounds: it was not recorded."""
    return Share(tuple(one for one in report.rounds if _key(one) == (scenario.name, number, CLIENT)))


def _key(one: Round) -> tuple[str, int, str]:
    return one.scenario, one.round, one.leg


def of_contract(report: Report, scenario: Scenario, bearers: Sequence[Scenario]) -> Share:
    """What no single round answers for. `bearers`: the scenarios whose contract items run, in order."""
    mine = {one.source for one in report.rounds if one.scenario == scenario.name}
    rounds = tuple(one for one in report.rounds if one.source in mine and one.leg != CLIENT)
    groups = [one for one in report.findings if _is_mine(one, scenario, mine, bearers, report)]
    seen = tuple(one for one in report.rounds if one.scenario == scenario.name and one.leg == CLIENT)
    return Share(rounds, tuple(groups), seen)


def _is_mine(
    group: Group, scenario: Scenario, sources: set[str], bearers: Sequence[Scenario], report: Report
) -> bool:
    if group.finding.rule.startswith(_WAIVERS):
        return _bearer(group, bearers, report) == scenario.name
    if group.rounds:
        return not sources.isdisjoint(group.rounds)
    return f"({scenario.file}:{scenario.line})" in group.finding.message


def _bearer(group: Group, bearers: Sequence[Scenario], report: Report) -> str | None:
    """Which scenario tells that a waiver is wrong: the first one that it is about, else the first one."""
    waiver = next((one for one in report.waivers if one.id == group.finding.names[0]), None)
    about = [one for one in bearers if waiver is not None and _holds_in(waiver.scope, one)]
    return next((one.name for one in (*about, *bearers)), None)


def _holds_in(scope: Scope, one: Scenario) -> bool:
    return scope.scenario in (None, one.name) and scope.topology in (None, one.topology)


def of_scenario(report: Report, scenario: Scenario) -> Share:
    """All of it: its rounds on all legs, and what compares them."""
    rounds = tuple(one for one in report.rounds if one.scenario == scenario.name)
    mine = {one.source for one in rounds}
    return Share(rounds, tuple(one for one in report.findings if not mine.isdisjoint(one.rounds)))


def is_absent(report: Report, scenario: Scenario) -> bool:
    """Was no round of the scenario recorded?"""
    return all(one.scenario != scenario.name for one in report.rounds)


class Left(NamedTuple):
    """What belongs to no scenario."""

    unnamed: tuple[Round, ...] = ()
    unread: tuple[Unread, ...] = ()


def left(report: Report, known: Mapping[str, Collection[int]]) -> Left:
    """Rounds that no scenario names (`known`: numbers of rounds by scenario), and what is no round at all."""
    unnamed = tuple(one for one in report.rounds if one.round not in known.get(one.scenario, ()))
    named = {one.source for one in report.rounds} - {one.source for one in unnamed}
    return Left(unnamed, tuple(one for one in report.unread if one.source not in named))


def never_checked(report: Report) -> dict[str, list[NotChecked]]:
    """Rules that could be checked in no round at all, with the reasons that were given."""
    lists = [one.not_checked for one in report.rounds] or [report.not_checked]
    common = set.intersection(*({each.rule for each in one} for one in lists))
    reasons: dict[str, list[NotChecked]] = {rule: [] for rule in sorted(common)}
    for each in _each(lists):
        if each.rule in common and each not in reasons[each.rule]:
            reasons[each.rule].append(each)
    return reasons


def _each(lists: Iterable[Iterable[NotChecked]]) -> Iterable[NotChecked]:
    return (each for one in lists for each in one)
