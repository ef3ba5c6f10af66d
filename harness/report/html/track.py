"""One round of one capture as lines of a drawing: its steps, how dense its events are, its kept frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.verdict import Round
    from harness.report.html.clock import Axis
    from harness.report.html.room import Room
    from harness.report.timeline import Step

BUCKETS = 120
"""Columns of a density strip."""
ALONE = 100
"""Steps of one round that never flow together."""
_TEXT = 160
"""Characters of a step's text."""


class Order(NamedTuple):
    """What is wanted of one round of a capture."""

    round: Round
    axis: Axis


class Track:
    """The drawing of one round of one capture, as the page's data."""

    def __init__(self, order: Order, most: int) -> None:
        self.order = order
        self._most = most
        self._steps: list[list[Any]] = []
        self._alone = 0
        self.strips = {"control": [0] * BUCKETS, "content": [0] * BUCKETS}
        self.at: dict[int, int] = {}
        """Places of frames on the axis."""
        self.frames: list[dict[str, Any]] = []

    def step(self, step: Step, places: tuple[int, int], *, alone: bool) -> None:
        """One more line of the timeline."""
        alone = alone and self._alone < ALONE
        self._alone += alone
        text = step.text if len(step.text) <= _TEXT else step.text[:_TEXT] + "…"
        said = step.kind, step.label[:80], step.state or "", step.chars, text
        self._steps.append([step.first, step.last, step.size, *said, *places, alone])
        while len(self._steps) > 2 * self._most:
            self._steps = list(_flowed(self._steps))

    def value(self, room: Room) -> dict[str, Any]:
        """Members of the page's data; without room for the steps their texts are left out, then they are."""
        while len(self._steps) > self._most and len(flowed := list(_flowed(self._steps))) < len(self._steps):
            self._steps = flowed
        lines = [line[:-1] for line in self._steps]
        if not room.takes(lines):
            lines = [[*line[:4], "", line[5], line[6], "", *line[8:]] for line in lines]
            lines = lines if room.takes(lines) else []
        return {
            "steps": lines,
            "strips": {name: strip for name, strip in self.strips.items() if any(strip)},
            "at": sorted(self.at.items()),
            "frames": sorted(self.frames, key=lambda frame: frame["n"]),
        }


def _flowed(lines: list[list[Any]]) -> Iterator[list[Any]]:
    """`lines`, neighbours that carry nothing of their own joined by twos."""
    before: list[Any] | None = None
    for line in lines:
        if before is not None and not (before[-1] or line[-1]):
            yield _joined(before, line)
            before = None
            continue
        if before is not None:
            yield before
        before = line
    if before is not None:
        yield before


def _joined(before: list[Any], line: list[Any]) -> list[Any]:
    same = before[3:6] == line[3:6]
    kind = before[3] if before[3] == line[3] else "mixed"
    said = [kind, *(before[4:6] if same else ("", "")), before[6] + line[6], ""]
    return [before[0], line[1], before[2] + line[2], *said, before[8], line[9], False]
