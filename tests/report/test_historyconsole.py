"""A history on the terminal."""

from __future__ import annotations

import pytest

from harness.report.cells import UNSAFE, cells
from harness.report.historyconsole import console
from tests.report.historyvalues import EMPTY, history, hostile, view
from tests.report.hostile import TEXTS


def test_what_is_shown() -> None:
    lines = list(console(history(), view(width=120)))
    assert lines[:4] == [
        "Contract masked: 4 runs, 2026-08-11 to 2026-08-14; the newest stands on the right",
        "7 older runs are not shown; --last 11 shows them",
        "",
        "deep-research  in 3 of 4 runs",
    ]
    leak = next(line for line in lines if "LEAK101" in line)
    assert leak.split() == ["LEAK101", "2/3", "flaky", "run-20260811-093000", "run-20260814-093000", "█-·▂"]
    mask = next(line for line in lines if "MASK201" in line)
    assert mask.split()[2:] == [
        "fixed", "run-20260811-093000", "run-20260811-093000", "run-20260813-093000", "█-··",
    ]  # fmt: skip
    assert any(line.split() == ["events", "▁-█▁", "last", "40,", "median", "40"] for line in lines)
    assert "edpa  in 3 of 4 runs" in lines and "  no finding in these runs" in lines
    assert "(no topology)  in 0 of 4 runs" in lines
    assert "Rules broken now: 1, waived: 1, clean again: 1, flaky: 1." in lines
    assert "Also in the index, by other contracts: a2a (3)" in lines
    assert "left out: notes.txt: is no file of a history index: move it elsewhere" in lines


def test_a_narrow_terminal_has_dates() -> None:
    leak = next(line for line in console(history(), view()) if "LEAK101" in line)
    assert leak.split()[3:] == ["2026-08-11", "2026-08-14", "█-·▂"]


def test_sizes_that_nobody_measured_are_left_out() -> None:
    lines = list(console(history(), view()))
    assert sum("seconds" in line for line in lines) == 1


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "text", ["deep-research", "拓扑" * 60, *TEXTS.values()], ids=["plain", "chinese", *TEXTS]
)
def test_it_fits_and_is_harmless(width: int, lang: str, text: str) -> None:
    import re

    for line in console(hostile(text), view(lang, width)):
        assert cells(line) <= max(width, 80), line
        assert not re.search(UNSAFE, line)


def test_an_empty_window() -> None:
    assert "Contract masked: no run in this window" in list(console(EMPTY, view()))
