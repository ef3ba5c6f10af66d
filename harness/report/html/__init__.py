"""The HTML report: one file that opens offline, asks for nothing, and obeys nothing that was captured.

    pieces(report, lang) -> the text of the page
    diff_pieces(difference, lang) -> that of a page that shows a diff alone

`data` makes one JSON value of a report, reading its captures once more; `page` puts it, the
style and the script of `assets/` into one template. The script builds the page with DOM calls
only (a strict policy, checked by hash, forbids anything else). Rank 4, part of `report`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.wire import MAX_LINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.diff.values import Difference
    from harness.model.verdict import Report


def pieces(
    report: Report, lang: str = "en", max_line: int = MAX_LINE, diff: Difference | None = None
) -> Iterable[str]:
    """The page of `report`, byte-identical for equal input. `max_line`: longest line that is read.

    `diff`: what changed since another run, as a part of the page.
    """
    from harness.report.html.data import data
    from harness.report.html.page import page

    if diff is None:
        return page(data(report, max_line), lang)
    from harness.report.html.changes import BESIDE, changes
    from harness.report.html.room import Room

    return page(data(report, max_line, BESIDE) | {"diff": changes(diff, Room(BESIDE))}, lang)


def diff_pieces(found: Difference, lang: str = "en") -> Iterable[str]:
    """The page of a diff alone."""
    from harness.report.html.changes import ALONE, changes
    from harness.report.html.page import page
    from harness.report.html.room import Room

    return page({"version": found.version, "diff": changes(found, Room(ALONE))}, lang)
