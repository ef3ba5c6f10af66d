"""A capture of any form as an exchange that can be written down elsewhere: for import and export.

The body goes over byte for byte; of a wire log, which has none, its JSON as SSE events, and the
fact that it was rebuilt goes along.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness import wire
from harness.capture.adopt import Foreign
from harness.capture.files import Body, opened, prefix
from harness.capture.moments import journal_of, moments
from harness.capture.naming import Name
from harness.replay.projection import answered_whole, events, frames
from harness.replay.recorded import Cutter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Capture

_KEPT = ("upstream", "client")
_SENT = re.compile(r"^# sent: (\S+)(?:\s+duration: (\d{1,12})ms)?", re.MULTILINE)


def foreign_of(capture: Capture) -> Foreign:
    """The exchange that `capture` holds. Raises OSError where its journal can not be read."""
    started, head, ended, known = _told(capture)
    known |= {"imported": capture.source}
    known |= {"rebuilt": True} if capture.rebuilt else {}
    known |= {
        name: value
        for name, value in (("task_id", capture.task_id), ("context_id", capture.context_id))
        if value
    }
    return Foreign(
        Name(capture.scenario, capture.protocol, capture.round, capture.leg),
        capture.request,
        capture.head,
        _body(capture),
        capture.framing == "sse" or (capture.framing == "wirelog" and not answered_whole(capture)),
        capture.ending,
        capture.ending_text,
        started,
        head,
        ended,
        known,
    )


def whole(capture: Capture) -> bool:
    """Whether nothing is lost when the body is carried over: not so of a log that is cut or torn."""
    if capture.framing != "wirelog":
        return True
    decoder = wire.decoder("wirelog", capture.start)
    sound = not capture.unread
    for chunk in Body(capture).chunks():
        sound = all(frame.flaw is None for frame in decoder.feed(chunk)) and sound
    return all(frame.flaw is None for frame in decoder.finish()[0]) and not decoder.told and sound


def _told(capture: Capture) -> tuple[int | None, int | None, int | None, dict[str, Any]]:
    """When the request, the head and the ending came; what else the recorder knew of the exchange."""
    if capture.framing == "wirelog":
        started, ended = _printed(capture)
        return started, None, ended, {}
    journal = journal_of(capture)
    times: dict[str, int | None] = {}
    known: dict[str, Any] = {}
    for moment in moments(journal) if journal else ():
        if moment.kind in ("request", "response", "ending"):
            times.setdefault(moment.kind, moment.at_ns)
        if moment.kind == "request":
            known = {name: moment.line[name] for name in _KEPT if name in moment.line}
    return times.get("request"), times.get("response"), times.get("ending"), known


def _printed(capture: Capture) -> tuple[int | None, int | None]:
    """The `# sent:` line of a wire log: when, and when it was over."""
    import os
    from datetime import UTC, datetime

    source = opened(capture.path)
    try:
        first = prefix(source, 4096).raw
    finally:
        os.close(source.fd)
    match = _SENT.search(str(first, "utf-8", "replace"))
    try:
        moment = datetime.fromisoformat(match[1]) if match else None
    except ValueError:
        return None, None
    if match is None or moment is None or moment.tzinfo is None:
        return None, None
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    ns = (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000
    return ns, ns + int(match[2]) * 1_000_000 if match[2] else None


def _body(capture: Capture) -> Iterator[tuple[int | None, bytes]]:
    if capture.framing == "wirelog":
        if answered_whole(capture):
            return ((None, frame.data.encode("utf-8", "replace")) for frame in frames(capture))
        return ((None, data) for data in events(capture))
    journal = journal_of(capture) if capture.timed else None
    if journal is None:
        return ((None, data) for data in Body(capture).chunks())
    return _timed(capture, journal)


def _timed(capture: Capture, journal: str) -> Iterator[tuple[int | None, bytes]]:
    body, last = Cutter(Body(capture).chunks()), 0
    for moment in moments(journal):
        if moment.kind == "chunk" and (data := body.take(moment.length)):
            last = moment.at_ns or last
            yield last, data
    for data in body.rest():
        yield last, data
