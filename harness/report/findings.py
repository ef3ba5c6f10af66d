"""Findings as a person reads them: the worst first, by round, equal ones counted and not repeated."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.report.cells import cells, harmless, wrap
from harness.report.snippet import closer, excerpt, flow, location

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.finding import Finding
    from harness.model.verdict import Group, Report, Round
    from harness.report.view import View

PER_ROUND = 3
"""Findings of one rule that one round shows in full."""
PER_RULE = 8
"""Rounds that show a rule in full; the others are counted."""
_RANK = {"error": 0, "warning": 1, "info": 2}


def findings(report: Report, view: View) -> Iterator[str]:
    """The lines of all findings; without `--all`, infos are counted only."""
    seen: dict[str, int] = {}
    hidden: dict[str, list[int]] = {}
    for one in report.rounds:
        yield from _round(one, view, seen, hidden)
    if report.findings:
        yield view.head("across")
        for group in report.findings:
            rule = group.finding.rule
            yield from _group(group, report, view, first=rule not in seen)
            seen[rule] = 1
    for rule, (count, rounds) in hidden.items():
        yield view.say("more_rounds", rule=rule, count=f"{count:,}", rounds=f"{rounds:,}")
    yield from _infos(report, view)


def _round(one: Round, view: View, seen: dict[str, int], hidden: dict[str, list[int]]) -> Iterator[str]:
    lines: list[str] = []
    for rule, found in _by_rule(one.findings, view).items():
        seen[rule] = seen.get(rule, 0) + 1
        if seen[rule] > PER_RULE and not view.everything:
            tally = hidden.setdefault(rule, [0, 0])
            tally[0] += len(found)
            tally[1] += 1
        else:
            lines += _rule(one.source, rule, found, view, first=seen[rule] == 1)
    if lines:
        yield _title(one, view)
        yield from lines
        yield ""


def _by_rule(found: Sequence[Finding], view: View) -> dict[str, list[Finding]]:
    rules: dict[str, list[Finding]] = {}
    for one in sorted(found, key=lambda each: _RANK[each.severity]):
        if one.severity != "info" or view.everything:
            rules.setdefault(one.rule, []).append(one)
    return rules


def _rule(source: str, rule: str, found: Sequence[Finding], view: View, *, first: bool) -> Iterator[str]:
    shown = found if view.everything else found[:PER_ROUND]
    for at, one in enumerate(shown):
        yield from _finding(source, one, view)
        if at == 0:
            yield from _advice(source, one, view, first=first)
    if len(found) > len(shown):
        yield "  " + view.say("more_here", count=f"{len(found) - len(shown):,}", rule=rule)


def _title(one: Round, view: View) -> str:
    parts = [
        harmless(one.scenario, 80),
        view.say("round", number=one.round),
        harmless(one.topology or "", 80),
        "" if one.leg == "client" else view.say("leg", name=harmless(one.leg, 80)),
        one.outcome,
    ]
    return view.paint("head", "  ".join(part for part in parts if part))


def _finding(source: str, one: Finding, view: View) -> Iterator[str]:
    yield from _statement(one, view)
    if one.times > 1:
        yield "    " + view.say("times", count=f"{one.times:,}")
    if source:
        yield from flow(location(source, one.place, view.words), view.width, "    ")
    for name in _beside(source, one):
        yield from flow([f"{view.words['evidence']}: {name}"], view.width, "    ")
    for line in excerpt(view.evidence(source, one), view.width - 8):
        yield view.paint("dim", "      | ") + line


def _beside(source: str, one: Finding) -> list[str]:
    """Captures of other legs that a finding names, in the folder of its own."""
    folder = os.path.dirname(source)
    return [harmless(name) for name in one.names if folder and os.path.dirname(name) == folder]


def _statement(one: Finding, view: View) -> Iterator[str]:
    severity = view.words[one.severity]
    plain = f"{severity} {one.rule} {one.slug}: {harmless(one.message, 1000)}"
    first, *more = wrap(plain, view.prose - 2, "  ")
    yield "  " + view.paint(one.severity, severity) + first[len(severity) :]
    yield from ("  " + line for line in more)
    if one.waived:
        yield "    " + view.say("waived", id=harmless(one.waived, 80))
    if one.known:
        yield "    " + view.words["known_here"]


def _advice(source: str, one: Finding, view: View, *, first: bool) -> Iterator[str]:
    """Why, and commands to look closer; what concerns the rule only where it comes first."""
    why = f"{view.words['why']}: {harmless(view.why(one), 1000)}"
    if first:
        yield from ("    " + line for line in wrap(why, view.prose - 4, "  "))
    label = view.words["look"] + ": "
    for at, command in enumerate(closer(source, one.place, one.rule if first else None)):
        yield "    " + (label if at == 0 else " " * cells(label)) + view.paint("info", command)


def _group(group: Group, report: Report, view: View, *, first: bool) -> Iterator[str]:
    rounds = group.rounds if view.everything else group.rounds[:6]
    home = _home(group, report)
    yield from _finding(home, group.finding, view)
    yield from _advice(home, group.finding, view, first=first)
    if rounds:
        yield f"    {view.words['compared']}:"
    yield from (f"      {harmless(source)}" for source in rounds)
    if len(group.rounds) > len(rounds):
        yield "      " + view.say("more_compared", count=len(group.rounds) - len(rounds))
    yield ""


def _home(group: Group, report: Report) -> str:
    """The source of the round in which the finding's place stands: the one that saw something there."""
    place = group.finding.place
    for one in report.rounds:
        if one.source in group.rounds:
            for asked in one.interactions:
                if any(seen.place == place for seen in asked.sightings):
                    return one.source
    return group.rounds[0] if group.rounds else ""


def _infos(report: Report, view: View) -> Iterator[str]:
    counts: dict[str, int] = {}
    for one in report.rounds:
        for each in one.findings:
            if each.severity == "info":
                counts[each.rule] = counts.get(each.rule, 0) + 1
    if counts and not view.everything:
        rules = ", ".join(f"{rule} x{count:,}" for rule, count in sorted(counts.items()))
        text = view.say("infos", count=f"{sum(counts.values()):,}", rules=rules)
        yield from wrap(text, view.width, "  ")
        yield ""
