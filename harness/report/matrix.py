"""The matrix: topology by what the client saw, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.verdict import OUTCOMES
from harness.report.cells import cells, harmless, wrap
from harness.report.table import Cell, Column, narrowed, table, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.verdict import Row
    from harness.report.paint import Paint
    from harness.report.words import Words

_EXPOSURES = ("native", "masked", "leaked", "declared")


def matrix(rows: Sequence[Row], room: int, words: Words, paint: Paint) -> Iterator[str]:
    """The table's lines, in at most `room` cells where the names allow it."""
    columns, body, gap = _columns(words, short=False), [_row(one, words) for one in rows], 3
    if width(columns, body, gap) > room:
        gap = 2
    if width(columns, body, gap) > room:
        columns, body, gap = _columns(words, short=True), [_row(one, words, tall=True) for one in rows], 1
    over = width(columns, body, gap) - room
    if over > 0:
        first = max(max(cells(line) for row in body for line in row[0].lines) - over, 8)
        body = [narrowed(row, first, wrap) for row in body]
    return table(columns, body, gap, paint)


def _columns(words: Words, *, short: bool) -> list[Column]:
    ending = "_short" if short else ""
    return [
        Column(words["row"]),
        Column(words["rounds"], right=True),
        Column(words["events"], right=True),
        Column(words["outcomes"]),
        Column(words["native"], right=True, role="native"),
        Column(words["masked"], right=True, role="masked"),
        Column(words["leaked"], right=True, role="leaked"),
        Column(words["declared" + ending], right=True, role="declared"),
        Column(words["findings" + ending]),
    ]


def _row(one: Row, words: Words, *, tall: bool = False) -> list[Cell]:
    exposures = [Cell((f"{getattr(one, name):,}",)) for name in _EXPOSURES]
    return [
        _name(one, tall=tall),
        Cell((f"{one.rounds:,}",)),
        Cell((f"{one.events:,}",)),
        _cell([f"{one.outcomes[name]:,} {name}" for name in OUTCOMES if one.outcomes.get(name)], tall=tall),
        *exposures,
        _findings(one, words, tall=tall),
    ]


def _name(one: Row, *, tall: bool) -> Cell:
    name = harmless(one.topology or one.scenario or "?", 80)
    if not one.kind:
        return Cell((name,))
    return Cell((name, f" {one.kind}") if tall else (f"{name} ({one.kind})",))


def _cell(parts: list[str], *, tall: bool, role: str = "") -> Cell:
    return Cell(tuple(parts) or ("-",) if tall else (", ".join(parts) or "-",), role)


def _findings(one: Row, words: Words, *, tall: bool) -> Cell:
    counts = {"errors": one.errors, "warnings": one.warnings, "infos": one.infos, "waived": one.waived}
    parts = [words[name + "_cell"].format(count=f"{count:,}") for name, count in counts.items() if count]
    role = "error" if one.errors else "warning" if one.warnings else ""
    return _cell(parts or ["0"], tall=tall, role=role)
