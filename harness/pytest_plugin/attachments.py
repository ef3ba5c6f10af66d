"""What is attached to a result in Allure: bodies, journals, timelines, verdicts, findings with frames.

All of it is plain text or JSON: what stood on a wire is shown and never interpreted.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.pytest_plugin import texts
from harness.pytest_plugin.shares import Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.model.capture import Capture
    from harness.model.finding import Finding
    from harness.model.frame import Span
    from harness.model.verdict import Group, Report, Round
    from harness.report.timeline import Seen

LONGEST = 8 << 20
"""Bytes of one attachment."""
_LINES = 5000
_FRAME = 256 << 10


class Attachment(NamedTuple):
    """One file of a result."""

    name: str
    body: bytes | str
    type: str = "text/plain"
    extension: str = "txt"


def json_of(value: Any) -> str:
    """A value as JSON text that a person can read."""
    return json.dumps(value, indent=1, ensure_ascii=True)


def verdict(share: Share, report: Report) -> str:
    """The JSON report of what an item answers for."""
    from harness.report.json import pieces

    mine = report._replace(rounds=share.rounds, findings=share.groups, not_checked=(), unread=(), matrix=())
    return "".join(pieces(mine._replace(baseline=None)))


def of_round(one: Round) -> Iterator[Attachment]:
    """The files of a round: body, journal, timeline."""
    capture = _capture(one.source)
    if capture is None:
        return
    from harness.capture.moments import journal_of

    yield Attachment("body", _read(capture), extension="sse" if capture.framing == "sse" else "txt")
    journal = journal_of(capture)
    if journal is not None:
        with open(journal, "rb") as file:
            yield Attachment("journal", file.read(LONGEST), extension="jsonl")
    yield Attachment("timeline", "\n".join(_timeline(capture)))


def _capture(source: str) -> Capture | None:
    from harness.capture import find

    if source == "-":
        return None
    known = source if os.path.exists(source) else _journal(source)
    return next((one for one in find([known]).captures if one.source == source), None)


def _journal(source: str) -> str:
    """The journal of an exchange without a body: one that nobody answered."""
    return os.path.splitext(source)[0] + ".jsonl"


def _read(capture: Capture, longest: int = LONGEST) -> bytes:
    from harness.capture import Body

    kept = bytearray()
    for chunk in Body(capture).chunks():
        kept += chunk
        if len(kept) > longest:
            return bytes(kept[:longest]) + f"\n... cut after {longest} bytes\n".encode()
    return bytes(kept)


def _timeline(capture: Capture) -> Iterator[str]:
    from harness.report.timeline import lines, steps

    view = texts.view()
    for number, step in enumerate(steps(_seen(capture))):
        if number == _LINES:
            yield f"... cut after {_LINES} lines"
            return
        yield from lines(step, view)


def _seen(capture: Capture) -> Iterable[Seen]:
    """Events with the interactions in them; frames without a marker of the mapping are not looked into."""
    from harness.legs.reading import events
    from harness.mapping.engine import Mapper
    from harness.mapping.load import load
    from harness.model.event import INTERRUPTED
    from harness.report.timeline import Seen
    from harness.wire import MAX_LINE

    mapper = Mapper(load(()))
    markers = ["\\u00", *(one.decode() for one in mapper.markers or ())]
    for event in events(capture, MAX_LINE):
        asks = mapper.markers is None or event.state in INTERRUPTED
        if event.regions and (asks or any(marker in event.frame.data for marker in markers)):
            sightings, marks = mapper.read(event)
            yield Seen(event, tuple(sightings), tuple(marks))
        else:
            yield Seen(event)


def finding(one: Round, found: Finding, report: Report) -> str:
    """A finding as the console tells it, and the frame in which it stands."""
    lines = texts.findings(Share((one._replace(findings=(found,)),)), report)
    span = found.place.span
    if span is not None:
        lines += ["", _frame(one.source, span)]
    return "\n".join(lines)


def _frame(source: str, span: Span) -> str:
    capture = _capture(source)
    if capture is None:
        return ""
    return _read(capture._replace(start=span.start, end=span.end), _FRAME).decode("utf-8", "replace")


def group(one: Group, report: Report) -> str:
    """A finding of several rounds, and which they are."""
    return "\n".join(texts.findings(Share((), (one,)), report))
