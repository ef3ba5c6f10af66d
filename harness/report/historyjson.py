"""A history as JSON: byte-identical for equal input; members and their order are those of `historyschema`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.report.json import _line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.history.sql import Answer
    from harness.history.values import History, Trend, When


def pieces(history: History) -> Iterator[str]:
    """The whole text, one line a run, a rule and a topology; it ends with a line feed."""
    head = {"history": 1, "contract": history.contract, "before": history.before}
    yield _line(head)[:-1]
    yield from _list("runs", (one._asdict() for one in history.runs))
    yield from _list("rules", map(_rule, history.trends))
    yield from _list("topologies", (one._asdict() for one in history.topologies))
    yield from _list("others", (one._asdict() for one in history.others))
    yield from _list("skipped", (one._asdict() for one in history.skipped))
    yield "\n}\n"


def text(history: History) -> str:
    """All pieces."""
    return "".join(pieces(history))


def answer(found: Answer) -> Iterator[str]:
    """The rows of an answer to SQL as a list of objects; of two columns of one name the last counts."""
    yield "["
    for at, row in enumerate(found.rows):
        yield (",\n" if at else "\n") + _line(dict(zip(found.columns, row, strict=True)))
    yield "\n]\n" if found.rows else "]\n"


def _list(name: str, values: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield f',\n"{name}": ['
    mark = "\n"
    for value in values:
        yield mark + _line(value)
        mark = ",\n"
    yield "]" if mark == "\n" else "\n]"


def _rule(one: Trend) -> dict[str, Any]:
    moments = {name: _when(getattr(one, name)) for name in ("first", "last", "since", "fixed")}
    return {**one._asdict(), **moments}


def _when(when: When | None) -> dict[str, str] | None:
    return None if when is None else when._asdict()
