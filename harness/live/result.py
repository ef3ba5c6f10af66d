"""What a live run hands back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from harness.drive import Driven
    from harness.model.verdict import Report


class Ran(NamedTuple):
    """A run that is over."""

    report: Report
    run_dir: str
    driven: tuple[Driven, ...]
    """What the driver saw, in the order of the scenarios; the report does not know it."""
