"""A plain table: columns as wide as their cells, cells of several lines, no frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.report.cells import cells, fit, pad
from harness.report.paint import Paint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Column(NamedTuple):
    """`right`: numbers, which stand on the right. `role`: how cells other than 0 are painted."""

    head: str
    right: bool = False
    role: str = ""


class Cell(NamedTuple):
    """One cell: its lines, and a role that wins over the column's."""

    lines: tuple[str, ...]
    role: str = ""


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    gap: int,
    paint: Paint,
    sections: Mapping[int, str] | None = None,
) -> Iterator[str]:
    """The lines of the table, heads first; a line of `sections` stands before the row of that index."""
    widths = [max(map(cells, _texts(columns, rows, at))) for at in range(len(columns))]
    heads = [Cell((column.head,), "head") for column in columns]
    for at, row in enumerate([heads, *rows], -1):
        if sections and at in sections:
            yield paint("dim", sections[at])
        for level in range(max(len(cell.lines) for cell in row)):
            yield _line(columns, row, widths, level, gap, paint)


def width(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], gap: int) -> int:
    """How many terminal columns the table takes."""
    return sum(max(map(cells, _texts(columns, rows, at))) for at in range(len(columns))) + gap * (
        len(columns) - 1
    )


def narrowed(row: Sequence[Cell], room: int, split: Callable[[str, int], list[str]]) -> list[Cell]:
    """`row` with the lines of its first cell split to `room` cells, and cut where they can not be."""
    first, *rest = row
    lines = [fit(part, room) for line in first.lines for part in split(line, room)]
    return [Cell(tuple(lines), first.role), *rest]


def _texts(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], at: int) -> list[str]:
    return [columns[at].head, *(line for row in rows for line in row[at].lines)]


def _line(
    columns: Sequence[Column], row: Sequence[Cell], widths: Sequence[int], level: int, gap: int, paint: Paint
) -> str:
    parts: list[str] = []
    for column, cell, room in zip(columns, row, widths, strict=True):
        text = cell.lines[level] if level < len(cell.lines) else ""
        parts.append(
            paint(cell.role or ("" if text == "0" else column.role), pad(text, room, right=column.right))
        )
    return (" " * gap).join(parts).rstrip()
