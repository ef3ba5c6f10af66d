"""An exchange as an entry of an HTTP archive (HAR 1.2). Pure: values in, text out.

An archive knows an exchange, not a stream. What it has no place for goes into custom members,
whose names begin with an underscore: `_harness` holds name, ending and times of chunks, `_events`
when each event of the stream was whole. `har_entries` reads archives, of other tools too.
"""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import harness
from harness.capture.adopt import Foreign
from harness.model.capture import Head, Request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MS = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class EventTime(NamedTuple):
    """When an event of the stream was whole, and which bytes of the body it is."""

    at_ns: int | None
    start: int
    end: int


def document(entries: Iterable[str]) -> Iterator[str]:
    """The text of an archive around entries that are JSON already, in pieces."""
    creator = f'{{"name": "harness", "version": "{harness.__version__}"}}'
    yield f'{{"log": {{"version": "1.2", "creator": {creator}, "entries": ['
    for number, text in enumerate(entries):
        yield ("," if number else "") + "\n" + text
    yield "\n]}}\n"


def entry(foreign: Foreign, events: Sequence[EventTime] = ()) -> dict[str, Any]:
    """One exchange as an entry. Times that are not known are 0, as the format wants numbers."""
    chunks = list(foreign.body)
    body = b"".join(data for _, data in chunks)
    start, head, end = _known_times(foreign, chunks)
    return {
        "startedDateTime": _written(start),
        "time": _ms(start, end),
        "request": _request_out(foreign.request or Request()),
        "response": _response_out(foreign, body),
        "cache": {},
        "timings": {"send": 0, "wait": _ms(start, head), "receive": _ms(head, end)},
        "_events": [_event_out(event, start) for event in events],
        "_harness": _ours(foreign, chunks),
    }


def _known_times(foreign: Foreign, chunks: list[tuple[int | None, bytes]]) -> tuple[int, int, int]:
    """Start, head and end; each at least the one before it."""
    start = foreign.started_ns or 0
    head = max(start, foreign.head_ns or start)
    last = max((at for at, _ in chunks if at is not None), default=head)
    return start, head, max(last, foreign.ended_ns or head)


def _ms(start_ns: int, end_ns: int) -> float:
    return round((end_ns - start_ns) / _MS, 6)


def _written(at_ns: int) -> str:
    return (_EPOCH + timedelta(microseconds=at_ns // 1000)).isoformat(timespec="microseconds")


def _event_out(event: EventTime, start_ns: int) -> dict[str, Any]:
    time = None if event.at_ns is None else _ms(start_ns, event.at_ns)
    return {"time": time, "start": event.start, "end": event.end}


def _ours(foreign: Foreign, chunks: list[tuple[int | None, bytes]]) -> dict[str, Any]:
    name = foreign.name
    return {
        "scenario": name.scenario,
        "protocol": name.protocol,
        "round": name.round,
        "leg": name.leg,
        "stream": foreign.stream,
        "ending": foreign.ending,
        "ending_text": foreign.ending_text,
        "started_ns": foreign.started_ns,
        "head_ns": foreign.head_ns,
        "ended_ns": foreign.ended_ns,
        "has_request": foreign.request is not None,
        "method": foreign.request.method if foreign.request else None,
        "target": foreign.request.target if foreign.request else None,
        "chunks": [[at_ns, len(data)] for at_ns, data in chunks if at_ns is not None],
        "known": foreign.known,
    }


def _request_out(request: Request) -> dict[str, Any]:
    made: dict[str, Any] = {
        "method": request.method or ("POST" if request.body else "GET"),
        "url": url(request),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs_out(request.headers),
        "queryString": [],
        "headersSize": -1,
        "bodySize": len(request.body.encode("utf-8", "replace")) if request.body else 0,
    }
    if request.body is not None:
        media = next((value for name, value in request.headers if name == "content-type"), "")
        made["postData"] = {"mimeType": media, "text": request.body}
    return made


def url(request: Request) -> str:
    """The address that a request went to, as far as it tells."""
    target = request.target or "/"
    if "://" in target:
        return target
    host = next((value for name, value in request.headers if name == "host"), "localhost")
    return f"http://{host}{target if target.startswith('/') else '/' + target}"


def _response_out(foreign: Foreign, body: bytes) -> dict[str, Any]:
    head = foreign.head or Head()
    media = next((value for name, value in head.headers if name == "content-type"), None)
    return {
        "status": head.status or 0,
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs_out(head.headers),
        "content": _content_out(body, media or ("text/event-stream" if foreign.stream else "")),
        "redirectURL": next((value for name, value in head.headers if name == "location"), ""),
        "headersSize": -1,
        "bodySize": len(body),
        **({"_error": foreign.ending_text} if foreign.ending not in ("clean", "unknown") else {}),
    }


def _content_out(body: bytes, media: str) -> dict[str, Any]:
    """The body as text; what is no UTF-8 as base64."""
    try:
        text = {"text": body.decode("utf-8")}
    except UnicodeDecodeError:
        text = {"text": base64.b64encode(body).decode("ascii"), "encoding": "base64"}
    return {"size": len(body), "mimeType": media, **text}


def _pairs_out(headers: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]
