"""Why an item is red, as a report tells it: rule, why, place, snippet, the command to look closer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from harness.errors import HarnessError
from harness.pytest_plugin import texts
from harness.pytest_plugin.shares import Share

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.model.finding import Finding
    from harness.model.scenario import Scenario
    from harness.model.verdict import Report, Round


class Told:
    """An end of an item that has lines of text beside its headline."""

    lines: Sequence[str] = ()


class Broken(Told, AssertionError):
    """Findings that no waiver accepts."""


class Absent(Told, AssertionError):
    """Nothing was recorded that the item could be about."""


class Undecided(Told, Exception):
    """Nobody can say: the capture does not tell."""


class Mended(Told, AssertionError):
    """A breach that was expected is there no more."""


class Waived(Told, pytest.xfail.Exception):  # type: ignore[name-defined,misc]
    """All that is broken is accepted: an expected failure, which `--runxfail` makes a failure again."""


def settle(share: Share, report: Report, breaking: Collection[str]) -> None:
    """Raise what became of the item; nothing where the contract holds."""
    if broken := share.broken(breaking):
        raise told(Broken(headline(broken)), texts.findings(share.told(breaking), report))
    if rounds := share.undecided():
        raise told(Undecided(texts.say("undecided", rounds=len(rounds))), _why(rounds))
    if waived := share.waived(breaking):
        raise told(Waived(_accepted(waived, report)), texts.findings(share.told(breaking), report))


def demand(report: Report, breaking: Collection[str]) -> None:
    """Raise `AssertionError` with the whole report where the contract does not hold."""
    __tracebackhide__ = True
    share = Share(report.rounds, report.findings)
    try:
        settle(share, report, breaking)
    except Waived:
        return
    except (Broken, Undecided) as end:
        made = Broken("\n".join([str(end), *end.lines]))
    else:
        if report.exit in (0, 1):
            return
        lost = texts.listed(f"{one.source}: {one.reason}" for one in report.unread)
        made = Broken("\n".join([texts.say("undecided", rounds=len(report.rounds)), *lost]))
    raise made


def told[T: Told](made: T, lines: Sequence[str]) -> T:
    """An end with its lines."""
    made.lines = lines
    return made


def headline(found: Sequence[Finding]) -> str:
    """The rules, each with the number of its findings."""
    counts: dict[str, int] = {}
    for one in found:
        key = f"{one.rule} {one.slug}"
        counts[key] = counts.get(key, 0) + 1
    return ", ".join(key if count == 1 else f"{key} x{count}" for key, count in counts.items())


def _accepted(waived: Sequence[Finding], report: Report) -> str:
    known = {one.id: one for one in report.waivers}
    ids = dict.fromkeys(one.waived for one in waived if one.waived)
    told = [f"{one}: {known[one].reason}" if one in known else one for one in ids]
    return texts.harmless(f"{texts.say('waived', id='; '.join(told))} ({headline(waived)})", 600)


def _why(rounds: Sequence[Round]) -> list[str]:
    lines: list[str] = []
    for one in rounds:
        lines.append(
            "  ".join([one.outcome, texts.say("ending", ending=one.ending), texts.harmless(one.source)])
        )
        lines += (f"  {texts.say('unread')}: {texts.harmless(each.reason, 400)}" for each in one.unread)
        lines += (
            f"  {each.rule}: {texts.harmless(each.message, 400)}"
            for each in one.findings
            if each.rule == "LEAK105"
        )
        lines.append("  " + texts.look(one))
    return lines


def absent(scenario: Scenario, run: str, number: int | None = None) -> Absent:
    """Nothing was recorded of a scenario, or of a round of it."""
    what = scenario.name if number is None else texts.say("round_of", round=number, name=scenario.name)
    made = Absent(texts.say("absent", what=what, run=texts.harmless(run)))
    return told(
        made, [texts.say("absent_mend" if number is None else "absent_round", place=_place(scenario))]
    )


def unreached(scenario: Scenario, run: str, notes: Sequence[str]) -> Undecided:
    """A scenario was driven, and nothing of it came to the recorder."""
    made = Undecided(texts.say("unreached", name=scenario.name, run=texts.harmless(run)))
    return told(made, texts.listed(notes))


def mended(scenario: Scenario, number: int, reason: str) -> Mended:
    """A round with `xfail` holds its contract."""
    made = Mended(texts.say("mended", round=number, reason=texts.harmless(reason, 400)))
    return told(made, [texts.say("mended_mend", place=_place(scenario))])


def _place(scenario: Scenario) -> str:
    return texts.harmless(f"{scenario.file}:{scenario.line}")


def line(error: HarnessError) -> str:
    """An error of ours in one line."""
    return texts.harmless(str(error), 2000)


def shown(excinfo: pytest.ExceptionInfo[BaseException], scenario: Scenario) -> Any:
    """What pytest prints, and hands to its reports, for an end of ours; None for any other exception."""
    first = head(excinfo.value)
    if first is None:
        return None
    lines = excinfo.value.lines if isinstance(excinfo.value, Told) else ()
    excinfo.traceback = excinfo.traceback[-1:]
    made: Any = excinfo.getrepr(style="native")
    made.reprtraceback.reprentries[0].lines = [f"{one}\n" for one in (first, *lines)]
    made.reprtraceback.extraline = None
    crash = made.reprcrash
    crash.path, crash.lineno, crash.message = scenario.file, scenario.line, first
    return made


def head(end: BaseException) -> str | None:
    """The first line of an end of ours; None for any other exception."""
    if isinstance(end, HarnessError):
        return line(end)
    return str(end) if isinstance(end, Told) else None


def properties(scenario: Scenario, share: Share, report: Report) -> list[tuple[str, object]]:
    """What a JUnit report tells beside the outcome."""
    found = share.findings()
    standing = [one.severity for one in found if one.waived is None]
    values = {
        "scenario": scenario.name,
        "topology": scenario.topology,
        "contract": report.contract,
        "outcome": ", ".join(one.outcome for one in share.rounds if one.leg == "client"),
        "source": ", ".join(one.source for one in share.rounds),
        "errors": str(standing.count("error")),
        "warnings": str(standing.count("warning")),
        "waived": ", ".join(sorted({one.waived for one in found if one.waived})),
    }
    return [(name, texts.harmless(value, 2000)) for name, value in values.items() if value]
