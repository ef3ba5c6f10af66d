"""GitLab's code quality report: a JSON list that merge requests show beside the changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.report.cells import harmless
from harness.report.entries import entries, title, undecided
from harness.report.fingerprint import fingerprint, fingerprints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.verdict import Report
    from harness.report.entries import Edition, Entry

SHOWN = 5000
"""Findings that are listed; the last entry tells how many were left out."""
_SEVERITY = {"error": "major", "warning": "minor", "info": "info"}
_LONGEST = 1000


def text(report: Report, edition: Edition) -> str:
    """The report as JSON text."""
    found = entries(report)
    shown = found[:SHOWN]
    listed = [
        _finding(entry, print_, edition) for entry, print_ in zip(shown, fingerprints(shown), strict=True)
    ]
    listed += list(_undecided(report, edition))[:SHOWN]
    if len(found) > len(shown):
        said = edition.say("left_out", count=f"{len(found) - len(shown):,}")
        listed.append(_entry(said, "left-out", fingerprint(("left-out",)), "info", ".", 1))
    return json.dumps(listed, indent=1, ensure_ascii=True) + "\n"


def _finding(entry: Entry, print_: str, edition: Edition) -> dict[str, Any]:
    one = entry.finding
    mark = ""
    if one.waived:
        mark = edition.say("waived", id=one.waived) + ": "
    elif one.known:
        mark = edition.words["known_mark"] + ": "
    where = title(entry.round) + ": " if entry.round else ""
    file, line = edition.anchors.get(entry.scenario or "", (entry.source or ".", 1))
    severity = "info" if one.waived else _SEVERITY[one.severity]
    return _entry(f"{mark}{where}{one.slug}: {one.message}", one.rule, print_, severity, file, line)


def _undecided(report: Report, edition: Edition) -> Iterator[dict[str, Any]]:
    for number, one in enumerate(report.rounds):
        if undecided(one):
            said = f"{title(one)}: {edition.say('undecided_round', outcome=one.outcome, ending=one.ending)}"
            file, line = edition.anchors.get(one.scenario, (one.source, 1))
            print_ = fingerprint(("undecided", one.topology, one.scenario, one.round, one.leg, number))
            yield _entry(said, "undecided", print_, "major", file, line)
    for number, entry in enumerate(report.unread):
        said = f"{edition.words['unread']}: {entry.reason}"
        yield _entry(said, "unread", fingerprint(("unread", entry.reason, number)), "major", entry.source, 1)


def _entry(said: str, name: str, print_: str, severity: str, file: str, line: int) -> dict[str, Any]:
    return {
        "description": harmless(said, _LONGEST),
        "check_name": name,
        "fingerprint": print_,
        "severity": severity,
        "location": {"path": harmless(file, _LONGEST), "lines": {"begin": max(line, 1)}},
    }
