"""How many bytes each kind of thing may take, so that a page stays below 5 MB whatever a run holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.report.html.encode import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable


class Room:
    """Bytes that are left for one kind of thing. Used up in the order in which things are offered."""

    def __init__(self, size: int) -> None:
        self.left = size

    def takes(self, value: Any) -> bool:
        """Is there room for `value`, as the page writes it? It is used up if so."""
        cost = len(json_text(value).encode()) + 1
        if cost > self.left:
            return False
        self.left -= cost
        return True

    def fitting(self, values: Iterable[Any]) -> list[Any]:
        """Those of `values` for which there is room."""
        return [value for value in values if self.takes(value)]


class Rooms:
    """The rooms of one page."""

    def __init__(self, beside: int = 0) -> None:
        """`beside`: bytes that are left to something else."""
        self.findings = Room(900_000 - beside // 4)
        self.rounds = Room(500_000)
        self.asked = Room(500_000)
        self.frames = Room(1_200_000 - beside // 2)
        """Frames in which findings and interactions stand."""
        self.spare = Room(350_000)
        """Frames beside them, and requests."""
        self.steps = Room(650_000 - beside // 4)
        self.rest = Room(500_000)
        """Matrix, topologies, model calls, what could not be read or checked."""
