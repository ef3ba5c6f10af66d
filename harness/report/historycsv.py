"""A history, or an answer to SQL, as CSV (RFC 4180, line feeds); heads are English."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.history.sql import Answer
    from harness.history.values import History, Trend

HEADS = (
    "contract", "topology", "rule", "slug", "severity", "course", "now", "first_run", "first_started",
    "last_run", "last_started", "since_run", "since_started", "fixed_run", "fixed_started",
    "seen", "known", "states", "findings",
)  # fmt: skip
_ACTS = re.compile(r"[=+\-@\t\r]")


def pieces(history: History) -> Iterator[str]:
    """A line for each rule in each topology; states and findings of the window as words and numbers."""
    yield from _lines([HEADS, *(_row(one, history.contract) for one in history.trends)])


def answer(found: Answer) -> Iterator[str]:
    """A line for each row; lists are JSON."""
    yield from _lines([found.columns, *found.rows])


def _row(one: Trend, contract: str) -> list[Any]:
    moments: list[str] = []
    for when in (one.first, one.last, one.since, one.fixed):
        moments += ["", ""] if when is None else [when.run, when.started]
    head = [contract, one.topology, one.rule, one.slug, one.severity, one.course, one.now]
    return [*head, *moments, one.seen, one.known, " ".join(one.states), " ".join(map(str, one.findings))]


def _lines(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    for row in rows:
        out = io.StringIO()
        csv.writer(out).writerow([_cell(value) for value in row])  # Python 3.12 quotes what its own ends hold
        yield out.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets a quote before it."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}" if isinstance(value, str) and _ACTS.match(value) else value
