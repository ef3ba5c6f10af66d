"""An answer to SQL as a table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.report.cells import cells, fit, harmless
from harness.report.table import Cell, Column, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.history.sql import Answer
    from harness.report.view import View

_NARROWEST = 6
_GAP = 2


def lines(found: Answer, view: View) -> Iterator[str]:
    """The lines of the table; columns that have no room are cut, never left out."""
    texts = [[_text(value) for value in row] for row in found.rows]
    heads = [harmless(name, 200) for name in found.columns]
    room = _rooms([heads, *texts], view.width)
    numbers = [_is_number(found, at) for at in range(len(heads))]
    columns = [Column(fit(head, room[at]), numbers[at]) for at, head in enumerate(heads)]
    rows = [[Cell((fit(text, room[at]),)) for at, text in enumerate(row)] for row in texts]
    yield from table(columns, rows, _GAP, view.paint)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return harmless(value if isinstance(value, str) else str(value), 1000)


def _is_number(found: Answer, at: int) -> bool:
    known = [row[at] for row in found.rows if row[at] is not None]
    return bool(known) and all(isinstance(one, int | float) and not isinstance(one, bool) for one in known)


def _rooms(rows: list[list[str]], width: int) -> list[int]:
    """Cells of each column: the widest ones give way until the table fits."""
    rooms = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    while sum(rooms) + _GAP * (len(rooms) - 1) > width and max(rooms, default=0) > _NARROWEST:
        rooms[rooms.index(max(rooms))] -= 1
    return rooms
