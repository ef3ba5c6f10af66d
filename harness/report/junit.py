"""JUnit XML: a suite for each topology, a case for each round, and one case for the run's contract.

A round with findings that break the contract is a failure, one that could not be decided an
error: neither may look green. What is waived or known stands in `system-out`. The contract's case
holds what belongs to no single round, and is red whenever the exit code is not 0 and no round is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from junitparser.junitparser import Error, Failure, JUnitXml, Properties, Property, TestCase, TestSuite

from harness.report.cells import harmless
from harness.report.entries import entries, look, tally, title, undecided
from harness.report.snippet import location

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.model.verdict import Report, Round
    from harness.report.entries import Edition, Entry

LISTED = 50
"""Findings that one case lists; the others are counted."""
_HEAD = '<?xml version="1.0" encoding="utf-8"?>'
_LINE = 2000
_NAME = 200


def text(report: Report, edition: Edition) -> str:
    """The report as XML text."""
    made = JUnitXml("harness check")
    found: dict[int, list[Entry]] = {}
    across: list[Entry] = []
    for entry in entries(report):
        across.append(entry) if entry.round is None else found.setdefault(id(entry.round), []).append(entry)
    red = False
    for suite, cases in _suites(report, found, edition).items():
        red = red or any(case.result for case in cases)
        made.append(_suite(suite, cases))
    made.append(_suite("contract", [_contract(report, across, edition, red=red)]))
    made.update_statistics()
    root = str(made.tostring(), "utf-8")
    return root if root.startswith("<?xml") else f"{_HEAD}\n{root}\n"


def _suites(
    report: Report, found: Mapping[int, Sequence[Entry]], edition: Edition
) -> dict[str, list[TestCase]]:
    suites: dict[str, list[TestCase]] = {}
    names: dict[tuple[str, str], int] = {}
    for one in report.rounds:
        suite = harmless(one.topology or one.scenario, _NAME)
        name = harmless(title(one), _NAME)
        number = names[suite, name] = names.get((suite, name), 0) + 1
        case = TestCase(name if number == 1 else f"{name} ({number})", suite)
        _fill(case, one, found.get(id(one), ()), report, edition)
        suites.setdefault(suite, []).append(case)
    return suites


def _suite(name: str, cases: Iterable[TestCase]) -> TestSuite:
    suite = TestSuite(name)
    for case in cases:
        suite.append(case)
    suite.update_statistics()
    return suite


def _fill(case: TestCase, one: Round, found: Sequence[Entry], report: Report, edition: Edition) -> None:
    values = {
        "contract": report.contract,
        "topology": one.topology or "",
        "leg": one.leg,
        "outcome": one.outcome,
        "ending": one.ending,
        "events": str(one.events),
        "source": one.source,
    }
    _properties(case, values | _counts(found))
    broken = [entry for entry in found if entry.breaks(edition.breaking)]
    if broken:
        _fail(case, Failure, _headline(broken), broken[0].finding.rule, _listed(broken, edition))
    elif undecided(one):
        said = edition.say("undecided_round", outcome=one.outcome, ending=one.ending)
        _fail(case, Error, said, one.outcome, [f"{each.source}: {each.reason}" for each in one.unread])
    rest = [entry for entry in found if not entry.breaks(edition.breaking)]
    also = f"{edition.words['unread']}: {len(one.unread)}" if broken and one.unread else ""
    _aside(case, rest, edition, also)


def _contract(report: Report, across: Sequence[Entry], edition: Edition, *, red: bool) -> TestCase:
    """What belongs to no single round; red too where nothing else says why the exit code is not 0."""
    case = TestCase(harmless(f"contract[{report.contract}]", _NAME), "contract")
    counts = {name: str(value) for name, value in tally(report)._asdict().items()}
    values = {"contract": report.contract, "exit": str(report.exit), "version": report.version}
    _properties(case, values | {"rounds": str(len(report.rounds))} | counts)
    broken = [entry for entry in across if entry.breaks(edition.breaking)]
    unread = [f"{each.source}: {each.reason}" for each in report.unread]
    meaning = edition.words[f"exit.{report.exit}"]
    if broken:
        _fail(case, Failure, _headline(broken), broken[0].finding.rule, _listed(broken, edition))
    elif unread:
        _fail(case, Error, f"{edition.words['unread']}: {len(unread)}", "unread", unread)
    elif report.exit and not red:
        unchecked = _unchecked(report)
        _fail(case, Failure if report.exit == 1 else Error, meaning, f"exit {report.exit}", unchecked)
    _aside(case, [entry for entry in across if not entry.breaks(edition.breaking)], edition)
    return case


def _unchecked(report: Report) -> list[str]:
    lacking = [*report.not_checked, *(each for one in report.rounds for each in one.not_checked)]
    return [
        f"{rule}: {reason}" for rule, reason in dict.fromkeys((each.rule, each.reason) for each in lacking)
    ]


def _counts(found: Sequence[Entry]) -> dict[str, str]:
    standing = [each.finding.severity for each in found if each.finding.waived is None]
    counts = {
        "errors": standing.count("error"),
        "warnings": standing.count("warning"),
        "infos": standing.count("info"),
        "waived": len(found) - len(standing),
        "known": sum(each.finding.known and each.finding.severity != "info" for each in found),
    }
    return {name: str(count) for name, count in counts.items()}


def _properties(case: TestCase, values: Mapping[str, str]) -> None:
    made = Properties()
    for name, value in values.items():
        made.add_property(Property(name, harmless(value, _LINE)))
    case.append(made)


def _headline(broken: Sequence[Entry]) -> str:
    rules = dict.fromkeys(f"{entry.finding.rule} {entry.finding.slug}" for entry in broken)
    return f"{len(broken)}: {', '.join(rules)}"


def _fail(
    case: TestCase, kind: type[Failure | Error], message: str, type_: str, lines: Sequence[str]
) -> None:
    result = kind(harmless(message, _LINE), harmless(type_, _NAME))
    shown = [harmless(line, _LINE) for line in lines[: LISTED * 8]]
    more = [f"... and {len(lines) - len(shown):,} more lines"] if len(lines) > len(shown) else []
    result.text = "\n".join([*shown, *more])
    case.append(result)


def _listed(found: Sequence[Entry], edition: Edition) -> list[str]:
    lines: list[str] = []
    seen: set[str] = set()
    for entry in found[:LISTED]:
        lines += _lines(entry, edition, first=entry.finding.rule not in seen)
        seen.add(entry.finding.rule)
    if len(found) > LISTED:
        lines.append(edition.say("left_out", count=f"{len(found) - LISTED:,}"))
    return lines


def _lines(entry: Entry, edition: Edition, *, first: bool) -> Iterator[str]:
    one = entry.finding
    yield f"{one.severity} {one.rule} {one.slug}: {one.message}"
    if entry.source:
        yield "  " + "  ".join(location(entry.source, one.place, dict(edition.words)))
    if first:
        yield f"  {edition.words['why']}: {edition.why(one)}"
    yield from (f"  {edition.words['look']}: {command}" for command in look(entry)[: None if first else 1])
    yield ""


def _aside(case: TestCase, found: Sequence[Entry], edition: Edition, also: str = "") -> None:
    """What does not break the contract and must not be forgotten: waived, known, milder than asked."""
    told = [entry for entry in found if entry.finding.severity != "info" or entry.finding.waived]
    lines = [also] if also else []
    for entry in told[:LISTED]:
        one = entry.finding
        mark = edition.say("waived", id=one.waived) if one.waived else ""
        mark = mark or (edition.words["known_mark"] if one.known else one.severity)
        lines.append(harmless(f"{mark}: {one.rule} {one.slug}: {one.message}", _LINE))
    if len(told) > LISTED:
        lines.append(edition.say("left_out", count=f"{len(told) - LISTED:,}"))
    if lines:
        case.system_out = "\n".join(lines)
