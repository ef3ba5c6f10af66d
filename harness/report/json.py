"""The JSON report: a `Report` as text, byte-identical for equal input.

One line a round, so that two reports can be compared line by line and a thousand rounds cost
no more memory than one. Members and their order are those of `harness.report.schema`.
Neither time nor host stands in it. The text is valid UTF-8 and safe to show on a terminal:
controls, bidirectional marks and line separators are escaped, lone surrogates become U+FFFD.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from harness.model.verdict import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.model.capture import Unread
    from harness.model.finding import Finding
    from harness.model.frame import Span
    from harness.model.interaction import Interaction, Place
    from harness.model.verdict import Group, Report, Round, Row

_SURROGATE = "[\ud800-\udfff]"
_INVISIBLE = "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]"


def text(report: Report) -> str:
    """The whole report as one JSON text that ends with a line feed."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The same text piece by piece, for reports that are large."""
    head = {"report": 1, "version": report.version, "contract": report.contract, "exit": report.exit}
    yield _line(head)[:-1]
    yield from _list("rounds", map(_round, report.rounds))
    yield from _list("findings", map(_group, report.findings))
    yield from _list("unread", map(_unread, report.unread))
    yield from _list("matrix", map(_row, report.matrix))
    yield "\n}\n"


def _list(name: str, values: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield f',\n"{name}": ['
    mark = "\n"
    for value in values:
        yield mark + _line(value)
        mark = ",\n"
    yield "]" if mark == "\n" else "\n]"


def _line(value: dict[str, Any]) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if line.isascii() and "\x7f" not in line:
        return line
    return re.sub(_INVISIBLE, _escape, re.sub(_SURROGATE, "\ufffd", line))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _round(one: Round) -> dict[str, Any]:
    return {
        "source": one.source,
        "scenario": one.scenario,
        "topology": one.topology,
        "protocol": one.protocol,
        "round": one.round,
        "leg": one.leg,
        "dialect": one.dialect,
        "binding": one.binding,
        "http_status": one.http_status,
        "events": one.events,
        "ending": one.ending,
        "outcome": one.outcome,
        "unread": len(one.unread),
        "interactions": [_interaction(each) for each in one.interactions],
        "findings": [_finding(each) for each in one.findings],
        "not_checked": [{"rule": each.rule, "reason": each.reason} for each in one.not_checked],
    }


def _interaction(one: Interaction) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "channel": one.channel,
        "exposure": one.exposure,
        "tool_call_id": one.tool_call_id,
        "tool_name": one.tool_name,
        "agent": one.agent,
        "prompt": one.prompt,
        "shape": one.shape,
        **_place(one.sightings[0].place),
        "sightings": [_place(each.place) for each in one.sightings],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "slug": one.slug,
        "severity": one.severity,
        "message": one.message,
        "count": one.times,
        **_place(one.place),
        "also": [_place(each) for each in one.also],
        "names": list(one.names),
        "waived": one.waived,
    }


def _group(one: Group) -> dict[str, Any]:
    return {**_finding(one.finding), "rounds": list(one.rounds)}


def _unread(one: Unread) -> dict[str, Any]:
    return {"source": one.source, "reason": one.reason, "span": _span(one.span)}


def _place(place: Place) -> dict[str, Any]:
    return {"event": place.event, "pointer": place.pointer, "span": _span(place.span)}


def _span(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]


def _row(one: Row) -> dict[str, Any]:
    members = one._asdict()
    members["outcomes"] = {name: one.outcomes[name] for name in OUTCOMES if one.outcomes.get(name)}
    return members
