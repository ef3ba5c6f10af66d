"""A history as Markdown: a table of rules for each topology. What others named stands in code spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.diffmarkdown import code
from harness.report.historyconsole import MEASURES, head, named, others, summary
from harness.report.historyspark import median, numbers, shown, states

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.history.sql import Answer
    from harness.history.values import History, Sizes, Trend, When
    from harness.report.view import View

_RUNS = 30
_HEADS = ("rule", "severity", "seen", "course", "now", "first", "last", "fixed")


def markdown(history: History, view: View) -> Iterator[str]:
    """The lines of the page, without line ends."""
    yield f"## {view.words['history.title']}"
    yield ""
    yield head(history._replace(contract=code(history.contract)), view)
    yield ""
    names = dict.fromkeys([one.topology for one in history.topologies])
    names.update(dict.fromkeys(one.topology for one in history.trends))
    for name in names:
        yield f"### {named(None, view) if name is None else code(name)}"
        yield ""
        yield from _rules([one for one in history.trends if one.topology == name], view)
        yield from _sizes(next((one for one in history.topologies if one.topology == name), None), view)
    yield view.words["history.legend"] + "  "
    yield summary(history, view)
    yield ""
    if history.others:
        yield others(
            history._replace(
                others=tuple(one._replace(contract=code(one.contract)) for one in history.others)
            ),
            view,
        )
        yield ""
    for one in history.skipped:
        yield "- " + view.say("history.skipped", file=code(one.file), reason=code(one.reason))


def answer(found: Answer) -> Iterator[str]:
    """The rows of an answer to SQL as one table."""
    yield "| " + " | ".join(code(name, table=True) for name in found.columns) + " |"
    yield "|" + "---|" * len(found.columns)
    for row in found.rows:
        cells = ("" if value is None else code(str(value), table=True) for value in row)
        yield "| " + " | ".join(cells) + " |"


def _rules(trends: Sequence[Trend], view: View) -> Iterator[str]:
    if not trends:
        yield view.words["history.clean"]
        yield ""
        return
    yield "| " + " | ".join(view.words[f"history.{name}"] for name in _HEADS) + " | |"
    yield "|" + "---|" * (len(_HEADS) + 1)
    for one in trends:
        course, now = view.words[f"history.course.{one.course}"], view.words[f"history.state.{one.now}"]
        cells = [code(one.rule, table=True), one.severity, f"{one.seen}/{one.known}", course, now]
        cells += [_when(when) for when in (one.first, one.last, one.fixed)]
        yield "| " + " | ".join([*cells, code(states(one, _RUNS), table=True)]) + " |"
    yield ""


def _when(when: When | None) -> str:
    return "" if when is None else f"{code(when.run, table=True)} {when.started[:10]}"


def _sizes(one: Sizes | None, view: View) -> Iterator[str]:
    for name in MEASURES if one else ():
        values: Sequence[float | None] = getattr(one, name)
        known = [value for value in values if value is not None]
        if known:
            text = view.say("history.latest", last=shown(known[-1]), median=shown(median(values)))
            yield f"- {view.words[f'history.{name}']}: `{numbers(values, _RUNS)}` {text}"
    yield ""
