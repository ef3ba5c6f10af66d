"""What a client sees of each topology, so that two can stand side by side. Counts interactions. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.model.verdict import OUTCOMES
from harness.report.html.values import called

if TYPE_CHECKING:
    from harness.model.verdict import Report, Round

_KINDS = ("user_input", "confirmation", "client_tool", "delegation", "unknown")
_CHANNELS = ("control", "content")
_EXPOSURES = ("native", "masked", "leaked", "declared")


def surface(report: Report) -> list[dict[str, Any]]:
    """For each topology (a scenario where there is none) its kinds and channels by exposure."""
    made: dict[str, _Surface] = {}
    for one in report.rounds:
        if one.leg == "client":
            made.setdefault(called(one.topology or one.scenario), _Surface()).take(one)
    return [{"name": name, **made[name].value()} for name in sorted(made)]


class _Surface:
    """Of one topology."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str], dict[str, int]] = {}
        self._shapes: dict[str, int] = {}
        self._outcomes: dict[str, int] = {}
        self._rounds = 0

    def take(self, one: Round) -> None:
        """One round of a client."""
        self._rounds += 1
        self._outcomes[one.outcome] = self._outcomes.get(one.outcome, 0) + 1
        for asked in one.interactions:
            cell = self._cells.setdefault((asked.kind, asked.channel), {})
            cell[asked.exposure] = cell.get(asked.exposure, 0) + 1
            self._shapes[asked.shape] = self._shapes.get(asked.shape, 0) + 1

    def value(self) -> dict[str, Any]:
        """Members of the page's data."""
        cells = [
            [kind, channel, [[name, cell[name]] for name in _EXPOSURES if name in cell]]
            for kind in _KINDS
            for channel in _CHANNELS
            if (cell := self._cells.get((kind, channel)))
        ]
        outcomes = [[name, self._outcomes[name]] for name in OUTCOMES if name in self._outcomes]
        return {
            "rounds": self._rounds,
            "outcomes": outcomes,
            "cells": cells,
            "shapes": sorted(self._shapes.items()),
        }
