"""A diff as JSON: byte-identical for equal input, one line a pair; the HTML report embeds the same form.

Members and their order are those of `harness.report.diffschema`. As safe to show as the JSON report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.report.json import _line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff.values import Change, Difference, Pair, Row, Side
    from harness.model.interaction import Place


def pieces(found: Difference) -> Iterator[str]:
    """The whole text, piece by piece; it ends with a line feed."""
    head = {
        "diff": 1,
        "version": found.version,
        "contract": found.contract,
        "exit": found.exit,
        "a": found.a,
        "b": found.b,
        "counts": found.counts(),
    }
    yield _line(head)[:-1]
    yield ',\n"pairs": ['
    for at, one in enumerate(found.pairs):
        yield (",\n" if at else "\n") + _line(pair(one))
    yield "\n],\n" if found.pairs else "],\n"
    yield '"undecided": ' + _line([one._asdict() for one in found.undecided]) + "\n}\n"  # type: ignore[arg-type]


def text(found: Difference) -> str:
    """All pieces."""
    return "".join(pieces(found))


def pair(one: Pair) -> dict[str, Any]:
    """One pair of rounds as a JSON value."""
    return {
        "scenario": one.scenario,
        "round": one.round,
        "leg": one.leg,
        "protocol": one.protocol,
        "topology": one.topology,
        "a": _side(one.a),
        "b": _side(one.b),
        "changes": [_change(each) for each in one.changes],
        "rows": [_row(each) for each in one.rows],
        "undecided": list(one.undecided),
        "notes": list(one.notes),
    }


def _side(one: Side | None) -> dict[str, Any] | None:
    return None if one is None else one._asdict()


def _change(one: Change) -> dict[str, Any]:
    return {
        "rank": one.rank,
        "subject": one.subject,
        "operation": one.operation,
        "name": one.name,
        "before": one.before,
        "after": one.after,
        "a": _place(one.a),
        "b": _place(one.b),
        "count": one.times,
    }


def _place(one: Place) -> dict[str, Any]:
    span = None if one.span is None else [one.span.start, one.span.end]
    return {"event": one.event, "pointer": one.pointer, "span": span}


def _row(one: Row) -> dict[str, Any]:
    return {
        "mark": one.mark,
        "rank": one.rank,
        "a": one.a,
        "b": one.b,
        "event_a": one.event_a,
        "event_b": one.event_b,
        "count": one.times,
    }
