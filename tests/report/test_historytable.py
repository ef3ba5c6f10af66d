"""An answer to SQL as a table."""

from __future__ import annotations

import pytest

from harness.history.sql import Answer
from harness.report.cells import cells
from harness.report.historytable import lines
from tests.report.historyvalues import view


def test_numbers_stand_on_the_right() -> None:
    found = Answer(("rule", "n"), (("LEAK101", 2), ("A", 100), (None, None)))
    assert list(lines(found, view())) == ["rule       n", "LEAK101    2", "A        100", ""]


def test_no_rows() -> None:
    assert list(lines(Answer(("rule", "n"), ()), view())) == ["rule  n"]


@pytest.mark.parametrize("width", [40, 80])
def test_wide_columns_give_way(width: int) -> None:
    found = Answer(("short", "long", "lang"), (("x", "y" * 500, "历史" * 100), ("\x1b[31m", True, 1.5)))
    shown = list(lines(found, view(width=width)))
    assert all(cells(line) <= width for line in shown)
    assert "\x1b" not in "".join(shown)
