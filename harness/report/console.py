"""The console report: findings, what was not checked or not read, the rounds, the matrix, the verdict.

Text without frames, so that it can be copied, grepped and read in a CI log. Nothing that a
peer or a file name says reaches the terminal as it stands (`harness.report.cells.harmless`).
Silence is no pass: a clean run says what was checked and what was not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.cells import harmless, wrap
from harness.report.findings import findings
from harness.report.matrix import matrix
from harness.report.rounds import rounds
from harness.report.snippet import flow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.finding import NotChecked
    from harness.model.verdict import Report
    from harness.report.view import View

_LISTED = 10


def console(report: Report, view: View, rules: int | None = None) -> Iterator[str]:
    """The report's lines, without line ends. `rules`: how many rules were applied, if known."""
    yield from findings(report, view)
    yield from _not_checked(report, view)
    yield from _unread(report, view)
    yield from _undecided(report, view)
    if report.rounds:
        yield from rounds(report.rounds, view)
        yield ""
    if report.matrix:
        yield view.head("matrix")
        yield from matrix(report.matrix, view.width, view.words, view.paint)
        yield from (view.paint("dim", line) for line in wrap(view.words["legend"], view.prose))
        yield ""
    yield from _summary(report, view, rules)


def _not_checked(report: Report, view: View) -> Iterator[str]:
    reasons = _reasons(report)
    if not reasons:
        return
    yield view.head("not_checked")
    shown = len(reasons) if view.everything else _LISTED
    for reason, (codes, count) in list(reasons.items())[:shown]:
        where = (
            view.say("in_rounds", rounds=f"{count:,}", total=f"{len(report.rounds):,}")
            if count
            else view.words["once"]
        )
        text = f"{harmless(reason, 400)} ({where}): {' '.join(sorted(codes))}"
        yield from ("  " + line for line in wrap(text, view.prose - 2, "  "))
    if len(reasons) > shown:
        yield "  " + view.say("more_reasons", count=len(reasons) - shown)
    yield ""


def _reasons(report: Report) -> dict[str, tuple[set[str], int]]:
    reasons: dict[str, tuple[set[str], int]] = {}
    for one in report.rounds:
        for reason, codes in _by_reason(one.not_checked).items():
            known, count = reasons.get(reason, (set(), 0))
            reasons[reason] = (known | codes, count + 1)
    for reason, codes in _by_reason(report.not_checked).items():
        known, count = reasons.get(reason, (set(), 0))
        reasons[reason] = (known | codes, count)
    return reasons


def _by_reason(items: tuple[NotChecked, ...]) -> dict[str, set[str]]:
    reasons: dict[str, set[str]] = {}
    for item in items:
        reasons.setdefault(item.reason, set()).add(item.rule)
    return reasons


def _unread(report: Report, view: View) -> Iterator[str]:
    if not report.unread:
        return
    yield view.head("unread")
    shown = report.unread if view.everything else report.unread[:_LISTED]
    for one in shown:
        span = view.say("bytes", start=one.span.start, end=one.span.end) if one.span else ""
        place = "  ".join(part for part in (harmless(one.source), span) if part)
        yield from (
            "  " + line for line in wrap(f"{place}  {harmless(one.reason, 400)}", view.width - 2, "  ")
        )
    if len(report.unread) > len(shown):
        yield "  " + view.say("more_unread", count=f"{len(report.unread) - len(shown):,}")
    yield ""


def _undecided(report: Report, view: View) -> Iterator[str]:
    open_ones = [one for one in report.rounds if one.outcome == "INCONCLUSIVE"]
    if not open_ones:
        return
    yield view.head("undecided")
    shown = open_ones if view.everything else open_ones[:_LISTED]
    for one in shown:
        events = f"{view.words['events']}: {one.events:,}"
        yield from flow(
            [harmless(one.source), view.say("ending", ending=one.ending), events], view.width, "  "
        )
    if len(open_ones) > len(shown):
        yield "  " + view.say("more_rounds_listed", count=f"{len(open_ones) - len(shown):,}")
    yield ""


def _summary(report: Report, view: View, rules: int | None) -> Iterator[str]:
    counts = _severities(report)
    unchecked = {each.rule for each in report.not_checked}
    unchecked.update(each.rule for one in report.rounds for each in one.not_checked)
    text = view.say(
        "summary",
        rounds=f"{len(report.rounds):,}",
        events=f"{sum(one.events for one in report.rounds):,}",
        contract=harmless(report.contract, 200),
        unchecked=len(unchecked),
        unread=f"{len(report.unread):,}",
        others=f"{report.not_captures:,}",
        errors=f"{counts['error']:,}",
        warnings=f"{counts['warning']:,}",
        infos=f"{counts['info']:,}",
    )
    if rules is not None:
        text += " " + view.say("rules_checked", count=rules)
    if not counts["error"] + counts["warning"] and not _waived(report):
        yield view.words["nothing_found"]
    yield from wrap(text, view.prose)
    yield from _accepted(report, view)
    verdict = view.say("verdict", code=report.exit, meaning=view.words[f"exit.{report.exit}"])
    yield view.paint({0: "good", 1: "error"}.get(report.exit, "warning"), verdict)


def _waived(report: Report) -> list[str]:
    """The waivers that accepted something, once for each finding."""
    found = [each for one in report.rounds for each in one.findings]
    found += [group.finding for group in report.findings]
    return [each.waived for each in found if each.waived]


def _accepted(report: Report, view: View) -> Iterator[str]:
    """What was waived and by which waivers; what changed against the baseline."""
    ids = _waived(report)
    if ids:
        names = ", ".join(harmless(name, 80) for name in dict.fromkeys(ids))
        yield from wrap(view.say("waived_summary", count=f"{len(ids):,}", ids=names), view.prose)
    one = report.baseline
    if one is None:
        return
    counts = {"new": one.new, "known": one.known, "fixed": len(one.fixed), "unjudged": one.unjudged}
    yield from wrap(
        view.say("baseline", **{name: f"{count:,}" for name, count in counts.items()}), view.prose
    )
    shown = one.fixed if view.everything else one.fixed[:_LISTED]
    for gone in shown:
        where = f"{gone.scenario} r{gone.round}: " if gone.scenario is not None else ""
        text = f"{view.words['fixed']}: {gone.rule} {harmless(where + gone.message, 400)}"
        yield from ("  " + line for line in wrap(text, view.prose - 2, "  "))
    if len(one.fixed) > len(shown):
        yield "  " + view.say("more_unread", count=f"{len(one.fixed) - len(shown):,}")


def _severities(report: Report) -> dict[str, int]:
    counts = {"error": 0, "warning": 0, "info": 0}
    found = [each for one in report.rounds for each in one.findings]
    for each in [*found, *(group.finding for group in report.findings)]:
        if each.waived is None:
            counts[each.severity] += 1
    return counts
