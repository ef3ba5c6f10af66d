"""The summary at the end of a session: which run, by which contract, and what must not be forgotten.

What makes the session red is told as a failure (`harness.pytest_plugin.ending`) and not a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.pytest_plugin import shares, texts
from harness.pytest_plugin.options import TESTBED
from harness.pytest_plugin.texts import harmless, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from harness.model.finding import Finding
    from harness.model.scenario import Scenario
    from harness.model.verdict import Report
    from harness.pytest_plugin.options import Choices
    from harness.pytest_plugin.runs import Judgement


def announced(choices: Choices, chosen: Sequence[Scenario]) -> str:
    """What will be done, in a line."""
    if choices.run is not None:
        return say("judged", scenarios=len(chosen), run=harmless(choices.run))
    return say("live", scenarios=len(chosen), system=harmless(choices.sut or TESTBED))


def lines(made: Judgement, choices: Choices, passed: Sequence[pytest.TestReport] = ()) -> Iterator[str]:
    """All lines; the first one is the section's title."""
    yield say("title")
    if made.error is not None:
        yield say("failed", why=harmless(str(made.error), 2000))
        return
    yield say("run", run=harmless(made.run)) if made.run else say("no_run")
    for report in made.reports.values():
        yield from _report(report, choices)
    yield from _block(say("unable"), [f"{name}: {why}" for name, why in made.unable.items()])
    if made.left.unnamed and choices.allow_unnamed_captures:
        head = say("unnamed", count=len(made.left.unnamed))
        yield from _block(head, [one.source for one in made.left.unnamed])
    yield from _block(say("notes"), made.notes)
    if choices.update_golden:
        yield from _golden(passed)


def _golden(passed: Sequence[pytest.TestReport]) -> Iterator[str]:
    """What became different in golden runs, all of it: somebody is to read it."""
    from harness.pytest_plugin.golden import reviewed

    written = reviewed(passed)
    if written:
        yield say("golden")
        yield from (f"  {line}" for line in written)


def _report(report: Report, choices: Choices) -> Iterator[str]:
    found = [each for one in report.rounds for each in one.findings]
    found += [group.finding for group in report.findings]
    standing = [one.severity for one in found if one.waived is None]
    yield say(
        "contract",
        contract=harmless(report.contract, 200),
        rounds=len(report.rounds),
        errors=standing.count("error"),
        warnings=standing.count("warning"),
        waived=len(found) - len(standing),
    )
    yield from _block(say("accepted"), list(_accepted(report, found)))
    if not choices.strict:
        yield from _block(say("never"), list(unchecked(report)))


def _accepted(report: Report, found: Sequence[Finding]) -> Iterator[str]:
    for one in report.waivers:
        rules = [each.rule for each in found if each.waived == one.id]
        if rules:
            counted = ", ".join(f"{rule} x{rules.count(rule)}" for rule in dict.fromkeys(rules))
            more = {"expires": one.expires, "owner": one.owner, "reason": one.reason, "issue": one.issue}
            yield say("accepted_one", id=one.id, rules=counted, **more)


def unchecked(report: Report) -> Iterator[str]:
    """Rules that were never checked, together by reason."""
    reasons: dict[str, list[str]] = {}
    for rule, given in shares.never_checked(report).items():
        reasons.setdefault(given[0].reason, []).append(rule)
    for reason, rules in reasons.items():
        yield f"{' '.join(rules)}: {reason}"


def _block(head: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield head
        yield from (f"  {line}" for line in texts.listed(entries))
