"""SARIF 2.1.0: one run, its rules with help, its results, and notifications of what a result can not say.

Anchored on the scenario's line where the scenario is known, else on the capture's bytes. Not more
than `SHOWN` results are written, since code scanning shows no more; a notification tells of the others.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sarif_pydantic.sarif import Sarif

from harness.report.cells import harmless
from harness.report.entries import entries, title, undecided
from harness.report.fingerprint import fingerprints
from harness.report.markdown_text import prose
from harness.report.sarif_result import LEVELS, artifact, gone, message, result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.verdict import Report
    from harness.report.entries import Edition, Entry

SHOWN = 5000
"""Results that code scanning shows of one file; it refuses files with more than 25,000."""
NOTED = 1000
"""Notifications of one kind."""
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def text(report: Report, edition: Edition) -> str:
    """The report as JSON text."""
    found = entries(report)
    shown = found[:SHOWN]
    rules = _rules(shown, report, edition)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    waivers = {one.id: one for one in report.waivers}
    results = [
        result(entry, print_, index[entry.finding.rule], waivers, edition, report.baseline is not None)
        for entry, print_ in zip(shown, fingerprints(shown), strict=True)
    ]
    fixed = report.baseline.fixed if report.baseline else ()
    room = SHOWN - len(results)
    results += [gone(one, index[one.rule], edition) for one in fixed[:room]]
    lost = len(found) - len(shown), max(len(fixed) - room, 0)
    run = {
        "tool": {"driver": _driver(report, rules)},
        "invocations": [_invocation(report, edition, lost)],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {"contract": harmless(report.contract, 200), "exit": report.exit},
    }
    value = Sarif.model_validate({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})
    dumped = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return json.dumps(dumped, indent=1, ensure_ascii=True) + "\n"


def _driver(report: Report, rules: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "a2a-harness",
        "semanticVersion": report.version,
        "version": report.version,
        "rules": rules,
        "notifications": [{"id": name, "name": name} for name in ("undecided", "unread", "left-out")],
    }


def _rules(found: Sequence[Entry], report: Report, edition: Edition) -> list[dict[str, Any]]:
    """Those that results name, by code: a rule's data travels in its findings."""
    made: dict[str, dict[str, Any]] = {}
    for entry in found:
        one = entry.finding
        made.setdefault(one.rule, _rule(one.rule, one.slug, one.severity, edition.why(one)))
    for old in report.baseline.fixed if report.baseline else ():
        made.setdefault(old.rule, _rule(old.rule, old.slug, old.severity, ""))
    return [made[code] for code in sorted(made)]


def _rule(code: str, slug: str, severity: str, why: str) -> dict[str, Any]:
    words = harmless(slug, 200).replace("-", " ")
    why = harmless(" ".join(why.split()), 4000) or words
    closer = f"harness explain {code}"
    return {
        "id": code,
        "name": harmless(slug, 200),
        "shortDescription": {"text": words},
        "fullDescription": {"text": why},
        "help": {"text": f"{why}\n\n{closer}", "markdown": f"{prose(why)}\n\n`{closer}`"},
        "defaultConfiguration": {"level": LEVELS[severity]},
    }


def _invocation(report: Report, edition: Edition, lost: tuple[int, int]) -> dict[str, Any]:
    notes = [*_undecided(report, edition), *_unread(report, edition)]
    results, fixed = lost
    if results:
        notes.append(_note("left-out", edition.say("left_out", count=f"{results:,}")))
    if fixed:
        notes.append(_note("left-out", edition.say("left_out_fixed", count=f"{fixed:,}")))
    return {
        "executionSuccessful": True,
        "exitCode": report.exit,
        "exitCodeDescription": edition.words[f"exit.{report.exit}"],
        "toolExecutionNotifications": notes,
    }


def _undecided(report: Report, edition: Edition) -> Iterator[dict[str, Any]]:
    open_ones = [one for one in report.rounds if undecided(one)]
    for one in open_ones[:NOTED]:
        said = edition.say("undecided_round", outcome=one.outcome, ending=one.ending)
        yield _note("undecided", f"{title(one)}: {said}", one.source)
    if len(open_ones) > NOTED:
        yield _note("left-out", edition.say("left_out", count=f"{len(open_ones) - NOTED:,}"))


def _unread(report: Report, edition: Edition) -> Iterator[dict[str, Any]]:
    for one in report.unread[:NOTED]:
        yield _note("unread", f"{edition.words['unread']}: {one.reason}", one.source)
    if len(report.unread) > NOTED:
        yield _note("left-out", edition.say("left_out", count=f"{len(report.unread) - NOTED:,}"))


def _note(name: str, said: str, source: str = "") -> dict[str, Any]:
    made: dict[str, Any] = {"descriptor": {"id": name}, "level": "warning", "message": message(said)}
    if source:
        made["locations"] = [{"physicalLocation": {"artifactLocation": artifact(source)}}]
    return made
