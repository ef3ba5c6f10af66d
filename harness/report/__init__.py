"""Reports: values in, text out. Rank 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.history.values import History


def history_page(history: History, lang: str = "en") -> str:
    """The regression report as one HTML file, offline. `harness.history.ask.asked` gives a history."""
    from harness.report import historywords, words
    from harness.report.historyhtml import page
    from harness.report.view import View

    view = View(words={**words.words(lang), **historywords.words(lang)})
    return "".join(page(history, view, lang))
