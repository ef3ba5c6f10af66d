"""GitHub Actions: annotations as workflow commands.

The runner reads every line of the output: one that begins with `::` is a command, wherever it
came from. What a capture says is therefore escaped here, and `harmless` breaks such words where
they are printed as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.cells import harmless
from harness.report.entries import entries, title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.verdict import Report
    from harness.report.entries import Edition, Entry

SHOWN = 10
"""Annotations of one kind that a step shows; GitHub drops those that follow."""
SUMMARY_LIMIT = 1024 * 1024
"""Bytes that a step may write into its summary; GitHub refuses more."""
_LONGEST = 2000
_KINDS = ("error", "warning", "notice")


def commands(report: Report, edition: Edition) -> Iterator[str]:
    """A command a line, the first ten of each kind, then a line that tells how many more there are."""
    counts = dict.fromkeys(_KINDS, 0)
    for entry in entries(report):
        kind = _kind(entry)
        if kind is None:
            continue
        counts[kind] += 1
        if counts[kind] <= SHOWN:
            yield _command(kind, entry, edition)
    for kind, count in counts.items():
        if count > SHOWN:
            yield edition.say("more_annotations", kind=kind, count=f"{count - SHOWN:,}")


def _kind(entry: Entry) -> str | None:
    """Infos are not annotated; what is waived or known is a notice."""
    one = entry.finding
    if one.severity == "info":
        return None
    return "notice" if one.waived or one.known else one.severity


def _command(kind: str, entry: Entry, edition: Edition) -> str:
    one = entry.finding
    file, line = edition.anchors.get(entry.scenario or "", (entry.source, 0))
    values = {
        "file": file,
        "line": str(line) if line else "",
        "title": f"{_mark(entry, edition)}{one.rule} {one.slug}",
    }
    said = ",".join(f"{name}={_value(value)}" for name, value in values.items() if value)
    where = f"{title(entry.round)}: " if entry.round else ""
    return f"::{kind} {said}::{_text(where + one.message)}"


def _mark(entry: Entry, edition: Edition) -> str:
    one = entry.finding
    if one.waived:
        return edition.say("waived", id=one.waived) + ": "
    return edition.words["known_mark"] + ": " if one.known else ""


def _text(text: str) -> str:
    clean = harmless(text, _LONGEST)
    return clean.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
