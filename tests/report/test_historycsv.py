"""A history as CSV, that a spreadsheet takes for text."""

from __future__ import annotations

import csv
import io

import pytest

from harness.history.sql import Answer
from harness.report.historycsv import HEADS, answer, pieces
from tests.report.historyvalues import history, hostile


def rows(made) -> list[list[str]]:
    return list(csv.reader(io.StringIO("".join(made))))


def test_a_line_for_each_rule() -> None:
    head, leak, mask, sym = rows(pieces(history()))
    assert tuple(head) == HEADS
    assert dict(zip(head, leak, strict=True)) == {
        "contract": "masked", "topology": "deep-research", "rule": "LEAK101", "slug": "delegation-on-content",
        "severity": "error", "course": "flaky", "now": "broken", "first_run": "run-20260811-093000",
        "first_started": "2026-08-11T09:30:00Z", "last_run": "run-20260814-093000",
        "last_started": "2026-08-14T09:30:00Z", "since_run": "run-20260814-093000",
        "since_started": "2026-08-14T09:30:00Z", "fixed_run": "", "fixed_started": "", "seen": "2", "known": "3",
        "states": "broken unknown clean broken", "findings": "4 0 0 1",
    }  # fmt: skip
    assert mask[head.index("fixed_run")] == "run-20260813-093000"
    assert sym[head.index("topology")] == ""


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_acts_as_a_formula(text: str) -> None:
    for row in rows(pieces(hostile(text)))[1:]:
        assert not any(cell.startswith(tuple("=+-@\t\r")) for cell in row)


def test_commas_quotes_and_line_ends_stay_in_their_cell() -> None:
    text = 'a,"b"\nc'
    assert rows(pieces(hostile(text)))[1][1] == text


def test_an_answer() -> None:
    made = rows(answer(Answer(("a", "b"), ((1, ["x", "y"]), (None, True), (-2, 1.5)))))
    assert made == [["a", "b"], ["1", '["x", "y"]'], ["", "true"], ["-2", "1.5"]]
