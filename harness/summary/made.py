"""The row of a run, made of its JSON report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.baseline.identity import Spot, identity, said, spots
from harness.baseline.read import FORMAT, asked_in, place_in
from harness.errors import UsageError
from harness.history.fetch import spot
from harness.history.values import FindingRow, RoundRow, Summary
from harness.report import json as report_json
from harness.report.entries import RANK
from harness.report.fingerprint import fingerprint
from harness.summary.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from harness.baseline.identity import Identity
    from harness.model.verdict import Report
    from harness.summary.runs import RunFacts


def of_report(
    report: Report, run: RunFacts, rules: Iterable[str], measures: Mapping[str, Measure] | None = None
) -> Summary:
    """The row of a report. `rules`: codes that were applied; `measures`: by source."""
    return of_json(json.loads(report_json.text(report)), run, rules, measures or {})


def of_json(
    report: dict[str, Any], run: RunFacts, rules: Iterable[str], measures: Mapping[str, Measure]
) -> Summary:
    """The same of a report's JSON value; raises KeyError and its kin where that is none."""
    return Summary(
        key=run.key,
        run=run.run,
        started=run.started,
        ended=run.ended,
        contract=str(report["contract"]),
        version=str(report["version"]),
        exit=int(report["exit"]),
        sut=run.sut,
        defects=run.defects,
        rules=tuple(sorted(rules)),
        rounds=tuple(_rounds(report["rounds"], dict(measures))),
        findings=tuple(_numbered(_findings(report))),
    )


def read_report(file: str) -> dict[str, Any]:
    """The JSON value of a report's file; raises `UsageError` for anything else."""
    try:
        with open(file, encoding="utf-8") as opened:
            value = json.load(opened)
    except OSError as fault:
        raise UsageError(f"can not be read: {fault.strerror}", file=file, mend="check the path") from None
    except (ValueError, RecursionError) as fault:
        raise not_one(file, f"can not be read as JSON: {fault}") from None
    if not isinstance(value, dict) or "report" not in value:
        raise not_one(file, "is no report of `harness check`")
    if value["report"] != FORMAT:
        raise not_one(
            file, f"is a report of format {value['report']!r}, and {FORMAT} is understood", "$.report"
        )
    return value


def not_one(file: str, what: str, path: str | None = None) -> UsageError:
    """A file that is no report."""
    return UsageError(what, file=file, path=path, mend="write it with `harness check ... -o report.json`")


def _rounds(rounds: Iterable[dict[str, Any]], measures: dict[str, Measure]) -> Iterator[RoundRow]:
    """A capture of several rounds is measured once, with its first."""
    for one in rounds:
        measure = measures.pop(one["source"], Measure())
        exposures = [str(each["exposure"]) for each in one["interactions"]]
        yield RoundRow(
            topology=one["topology"],
            scenario=str(one["scenario"]),
            round=int(one["round"]),
            leg=str(one["leg"]),
            protocol=one["protocol"],
            outcome=str(one["outcome"]),
            events=int(one["events"]),
            bytes=measure.bytes,
            seconds=measure.seconds,
            unread=int(one["unread"]),
            native=exposures.count("native"),
            masked=exposures.count("masked"),
            leaked=exposures.count("leaked"),
            declared=exposures.count("declared"),
            not_checked=tuple(sorted({str(each["rule"]) for each in one["not_checked"]})),
        )


class _Found(NamedTuple):
    """A finding of the report, with the rounds that it stands in or compares, its home first."""

    finding: dict[str, Any]
    identity: Identity
    home: Spot | None
    spots: tuple[Spot, ...]
    is_across: bool


def _findings(report: dict[str, Any]) -> Iterator[_Found]:
    at: dict[str, Spot] = {}
    asked: dict[str, dict[object, Any]] = {}
    for one in report["rounds"]:
        source = one["source"]
        at[source] = where = Spot(one["topology"], one["scenario"], int(one["round"]), one["leg"])
        asked[source] = here = asked_in(one["interactions"])
        for each in one["findings"]:
            cause = here.get(place_in(each)) or said(each["message"], each["names"])
            yield _Found(each, identity(each["rule"], where, cause), where, (where,), False)
    for each in report["findings"]:
        known = [source for source in each["rounds"] if source in at]
        home = next((source for source in known if place_in(each) in asked[source]), None)
        where_all = spots(at[source] for source in known)
        cause = said(each["message"], each["names"])
        first = at[home] if home is not None else at[known[0]] if known else None
        yield _Found(each, identity(each["rule"], where_all, cause), first, where_all, True)


def _numbered(found: Iterable[_Found]) -> Iterator[FindingRow]:
    """The worst first, as in every report: equal ones are told apart by their number."""
    numbers: dict[Identity, int] = {}
    for one in sorted(
        found, key=lambda one: (one.finding["waived"] is not None, RANK[one.finding["severity"]])
    ):
        number = numbers[one.identity] = numbers.get(one.identity, 0) + 1
        yield _row(one, fingerprint((*one.identity, number)))


def _row(one: _Found, print_of: str) -> FindingRow:
    finding, home = one.finding, one.home
    return FindingRow(
        topology=home.topology if home else None,
        scenario=home.scenario if home else None,
        round=home.round if home and not one.is_across else None,
        leg=home.leg if home and not one.is_across else None,
        rule=str(finding["rule"]),
        slug=str(finding["slug"]),
        severity=str(finding["severity"]),
        times=int(finding["count"]),
        waived=finding["waived"],
        fingerprint=print_of,
        spots=tuple(spot(each.scenario, each.round, each.leg) for each in one.spots),
    )
