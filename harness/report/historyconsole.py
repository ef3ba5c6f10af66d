"""A history for the terminal: each topology with its rules, times and sizes, a sparkline to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.cells import cells, fit, harmless, pad, wrap
from harness.report.historyspark import median, numbers, shown, states
from harness.report.table import Cell, Column, table, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.history.values import History, Sizes, Trend, When
    from harness.report.view import View

MEASURES = ("errors", "leaked", "events", "bytes", "seconds")
"""What is shown as a trend of each topology."""
LONGEST = 60
"""Runs of a sparkline at most."""
_SHORTEST = 8
_ROLES = {"broken": "error", "waived": "dim", "clean": "good"}


def console(history: History, view: View) -> Iterator[str]:
    """The lines of the whole answer, without line ends."""
    yield from _prose(head(history, view), view)
    if history.before:
        more = history.before + len(history.runs)
        yield from _prose(view.say("history.before", count=history.before, more=more), view)
    yield ""
    names = dict.fromkeys([one.topology for one in history.topologies])
    names.update(dict.fromkeys(one.topology for one in history.trends))
    for name in names:
        yield from _topology(name, history, view)
    yield from _end(history, view)


def _prose(text: str, view: View) -> Iterator[str]:
    """Lines of prose; a word that has no room is cut."""
    yield from (fit(line, view.prose) for line in wrap(text, view.prose, "  "))


def head(history: History, view: View) -> str:
    """What was asked: contract, number of runs, from when to when."""
    contract = harmless(history.contract, 200)
    if not history.runs:
        return view.say("history.empty", contract=contract)
    first, last = history.runs[0].started, history.runs[-1].started
    return view.say(
        "history.head", contract=contract, runs=len(history.runs), first=first[:10], last=last[:10]
    )


def named(topology: str | None, view: View) -> str:
    """A topology's name; rounds of none are one group."""
    return view.words["history.no_topology"] if topology is None else harmless(topology, 200)


def _topology(name: str | None, history: History, view: View) -> Iterator[str]:
    sizes = next((one for one in history.topologies if one.topology == name), None)
    runs = view.say("history.of_runs", count=sizes.runs if sizes else 0, of=len(history.runs))
    yield view.paint("head", fit(f"{named(name, view)}  {runs}", view.width))
    trends = [one for one in history.trends if one.topology == name]
    if trends:
        yield from ("  " + line for line in _rules(trends, view))
    else:
        yield "  " + view.paint("good", view.words["history.clean"])
    if sizes:
        yield ""
        yield from ("  " + line for line in _sizes(sizes, view))
    yield ""


def _rules(trends: Sequence[Trend], view: View) -> Iterator[str]:
    columns = [
        Column(view.words[f"history.{name}"]) for name in ("rule", "seen", "course", "first", "last", "fixed")
    ]
    rows = [_row(one, view, by_date=False) for one in trends]
    room = view.width - 4
    if width(columns, rows, 2) + _SHORTEST > room:
        rows = [_row(one, view, by_date=True) for one in trends]
    left = min(LONGEST, room - width(columns, rows, 2))
    rows = [
        [*row, Cell((states(one, left),), _ROLES.get(one.now, ""))]
        for row, one in zip(rows, trends, strict=True)
    ]
    yield from table([*columns, Column("")], rows, 2, view.paint)


def _row(one: Trend, view: View, *, by_date: bool) -> list[Cell]:
    course = view.words[f"history.course.{one.course}"]
    moments = [_when(when, by_date=by_date) for when in (one.first, one.last)]
    fixed = "" if one.fixed is None else fit(harmless(one.fixed.run, 200), 19 if by_date else 30)
    texts = [fit(harmless(one.rule, 200), 10), f"{one.seen}/{one.known}", course, *moments, fixed]
    return [Cell((text,), _ROLES.get(one.now, "") if at == 2 else "") for at, text in enumerate(texts)]


def _when(when: When, *, by_date: bool) -> str:
    return when.started[:10] if by_date else fit(harmless(when.run, 200), 30)


def _sizes(one: Sizes, view: View) -> Iterator[str]:
    shown_ones = [name for name in MEASURES if any(value is not None for value in getattr(one, name))]
    labels = {name: view.words[f"history.{name}"] for name in shown_ones}
    longest = max(map(cells, labels.values()), default=0)
    for name in shown_ones:
        values: Sequence[float | None] = getattr(one, name)
        last = next((value for value in reversed(values) if value is not None), None)
        text = view.say("history.latest", last=shown(last), median=shown(median(values)))
        room = min(LONGEST, view.width - 2 - longest - 4 - cells(text))
        yield f"{pad(labels[name], longest)}  {numbers(values, room)}  {view.paint('dim', text)}"


def _end(history: History, view: View) -> Iterator[str]:
    yield from _prose(view.words["history.legend"], view)
    yield from _prose(summary(history, view), view)
    if history.others:
        yield from _prose(others(history, view), view)
    for one in history.skipped:
        told = view.say("history.skipped", file=harmless(one.file, 200), reason=harmless(one.reason, 300))
        yield from (view.paint("warning", line) for line in _prose(told, view))


def summary(history: History, view: View) -> str:
    """How many rules are what."""
    now = [one.now for one in history.trends]
    flaky = sum(one.course == "flaky" for one in history.trends)
    counts = {name: now.count(name) for name in ("broken", "waived", "clean")}
    return view.say("history.summary", flaky=flaky, **counts)


def others(history: History, view: View) -> str:
    """Runs that were judged by other contracts."""
    names = ", ".join(f"{harmless(one.contract, 200)} ({one.runs})" for one in history.others)
    return view.say("history.others", names=names)
