"""A history as Markdown."""

from __future__ import annotations

import pytest

from harness.history.sql import Answer
from harness.report.historymarkdown import answer, markdown
from tests.report.historyvalues import EMPTY, history, hostile, view


def test_the_page() -> None:
    lines = list(markdown(history(), view()))
    assert lines[0] == "## History" and "### `deep-research`" in lines and "### (no topology)" in lines
    assert (
        "| `LEAK101` | error | 2/3 | flaky | broken | `run-20260811-093000` 2026-08-11 | "
        "`run-20260814-093000` 2026-08-14 |  | `█-·▂` |"
    ) in lines
    assert "- events: `▁-█▁` last 40, median 40" in lines
    assert "- left out: `notes.txt`: `is no file of a history index: move it elsewhere`" in lines


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "a|b`c", "[x](http://y)", "@team", "\n# head", "![i](u)"]
)
def test_what_others_named_is_no_markup(text: str) -> None:
    """Outside code spans nothing of it is left."""
    import re

    page = "\n".join(markdown(hostile(text), view()))
    outside = re.sub(r"(`+)(?:(?!\1).)*?\1(?!`)", "", page.replace("\\|", ""))
    for part in ("script", "http://y", "@team", "# head\n", "](u)"):
        assert part not in outside


def test_an_empty_window() -> None:
    assert "Contract `masked`: no run in this window" in list(markdown(EMPTY, view()))


def test_an_answer() -> None:
    assert list(answer(Answer(("a", "b|c"), ((1, None), ("x|y", [2]))))) == [
        "| `a` | `b\\|c` |", "|---|---|", "| `1` |  |", "| `x\\|y` | `[2]` |",
    ]  # fmt: skip
