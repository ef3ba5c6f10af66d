"""The HTML report: one file that opens offline, asks for nothing, and obeys nothing that was captured.

    pieces(report, lang) -> the text of the page

`data` makes one JSON value of a report, reading its captures once more; `page` puts it, the
style and the script of `assets/` into one template. The script builds the page with DOM calls
only (a strict policy, checked by hash, forbids anything else). Rank 4, part of `report`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.wire import MAX_LINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.verdict import Report


def pieces(report: Report, lang: str = "en", max_line: int = MAX_LINE) -> Iterable[str]:
    """The page of `report`, byte-identical for equal input. `max_line`: longest line that is read."""
    from harness.report.html.data import data
    from harness.report.html.page import page

    return page(data(report, max_line), lang)
