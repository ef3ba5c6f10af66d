"""A row of runs as a row of characters, one a run: the newest that have room, on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.history.values import Trend

BLOCKS = "▁▂▃▄▅▆▇█"
CLEAN, WAIVED, NOTHING = "·", "w", "-"


def numbers(values: Sequence[float | None], room: int) -> str:
    """Sizes from 0 to the greatest; `-` where a run has none."""
    shown = values[-room:] if room > 0 else ()
    most = max((one for one in shown if one is not None), default=0)
    return "".join(NOTHING if one is None else block(one, most) for one in shown)


def states(one: Trend, room: int) -> str:
    """The findings of a rule, and what runs without findings say."""
    shown = list(zip(one.states, one.findings, strict=True))[-room:] if room > 0 else []
    most = max((count for state, count in shown if state == "broken"), default=0)
    fixed = {"waived": WAIVED, "clean": CLEAN, "unknown": NOTHING}
    return "".join(fixed.get(state) or block(count, most) for state, count in shown)


def block(value: float, most: float) -> str:
    """One of eight heights."""
    return BLOCKS[0] if value <= 0 or most <= 0 else BLOCKS[max(0, -int(-8 * value // most) - 1)]


def median(values: Sequence[float | None]) -> float | None:
    """The middle one of those that are known."""
    known = sorted(one for one in values if one is not None)
    if not known:
        return None
    middle = len(known) // 2
    return known[middle] if len(known) % 2 else (known[middle - 1] + known[middle]) / 2


def shown(value: float | None) -> str:
    """A number as people read it; three digits behind the point at most."""
    if value is None:
        return "-"
    return f"{value:,.3f}".rstrip("0").rstrip(".") if value % 1 else f"{int(value):,}"
