"""Small pictures of a history as plain SVG: bars for sizes, cells for states. All text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from harness.report.cells import harmless
from harness.report.historyspark import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.history.values import Run, Trend
    from harness.report.view import View

_STEP = 10
"""Units of a run; the picture is stretched to the room there is."""
_HIGH = 60
_ROW = 20


def safe(text: str, limit: int = 400) -> str:
    """Text from outside, made visible and escaped for elements and quoted attributes."""
    return escape(harmless(text, limit), quote=True)


def bars(values: Sequence[float | None], runs: Sequence[Run], label: str, kind: str) -> str:
    """One bar a run, from 0 to the greatest; a run without a value has a gap."""
    most = max((one for one in values if one is not None), default=0)
    return _picture(_HIGH, len(runs), label, "".join(_bars(values, runs, most or 1, kind)))


def _bars(values: Sequence[float | None], runs: Sequence[Run], most: float, kind: str) -> Iterator[str]:
    for at, (value, run) in enumerate(zip(values, runs, strict=True)):
        if value is not None:
            high = max(1.0, round((_HIGH - 2) * value / most, 2)) if value else 1.0
            yield _cell(at, _HIGH - high, high, kind if value else "zero", f"{_run(run)}: {shown(value)}")


def strip(one: Trend, runs: Sequence[Run], view: View) -> str:
    """One cell a run, coloured by its state, the higher the more findings."""
    most = max(one.findings, default=0) or 1
    parts: list[str] = []
    for at, (state, count, run) in enumerate(zip(one.states, one.findings, runs, strict=True)):
        high = max(4.0, round(_ROW * count / most, 2)) if count else 3.0
        word = view.words[f"history.state.{state}"]
        text = view.say("history.findings", state=word, count=count) if count else word
        parts.append(_cell(at, _ROW - high, high, state, f"{_run(run)}: {text}"))
    words = ", ".join(view.words[f"history.state.{state}"] for state in one.states[-5:])
    return _picture(_ROW, len(runs), f"{one.rule}: {words}", "".join(parts))


def _run(run: Run) -> str:
    return f"{run.run} ({run.started})"


def _cell(at: int, top: float, high: float, kind: str, title: str) -> str:
    return (
        f'<rect class="{kind}" x="{at * _STEP + 1}" y="{top:g}" width="{_STEP - 2}" height="{high:g}">'
        f"<title>{safe(title)}</title></rect>"
    )


def _picture(high: int, runs: int, label: str, inside: str) -> str:
    return (
        f'<svg viewBox="0 0 {max(runs, 1) * _STEP} {high}" preserveAspectRatio="none" role="img" '
        f'aria-label="{safe(label)}">{inside}</svg>'
    )
