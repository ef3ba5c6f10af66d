"""The exchanges of an HTTP archive (HAR 1.2), of whatever tool wrote it. Pure; nothing in it raises.

What `har.entry` wrote comes back whole. Archives of browsers and proxies tell the times of an
exchange, not of its chunks, and no ending but an error's text.
"""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from harness import jsontext
from harness.capture.adopt import Foreign
from harness.capture.faults import ending_of
from harness.capture.naming import Name
from harness.model.capture import Ending, Head, Request

_MS = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KNOWN = ("task_id", "context_id", "imported", "upstream", "client")
_ENDINGS: tuple[Ending, ...] = (
    "clean", "upstream_cut", "client_left", "proxy_stopped", "refused", "timeout", "unsealed", "unknown",
)  # fmt: skip


class Flawed(NamedTuple):
    """An entry that holds no exchange which can be judged, and why."""

    number: int
    reason: str


def read(text: str) -> list[Foreign | Flawed] | str:
    """The exchanges of an archive, in its order; a sentence if it is none."""
    value = jsontext.read(text.removeprefix("\ufeff"))
    if isinstance(value, jsontext.Flaw):
        return f"no JSON: {value.reason} at character {value.at}"
    log = _dict(_dict(value).get("log"))
    entries = log.get("entries")
    if not isinstance(entries, list):
        return "no HAR archive: it has no $.log.entries"
    maker = _text(_dict(log.get("creator")).get("name")) or ""
    return [_entry_in(number, _dict(one), maker) for number, one in enumerate(entries, 1)]


def _entry_in(number: int, one: dict[str, Any], maker: str) -> Foreign | Flawed:
    answered, ours = _dict(one.get("response")), one.get("_harness")
    body = _content_in(_dict(answered.get("content")))
    if body is None:
        return Flawed(
            number, "the archive kept no body; export it with bodies (`Save all as HAR with content`)"
        )
    head = _head_in(answered)
    if not body and maker == "mitmproxy" and head is not None and _is_sse(head):
        return Flawed(
            number, "mitmproxy streamed this body and kept nothing of it; record it with `harness record`"
        )
    request = _request_in(_dict(one.get("request")))
    if isinstance(ours, dict):
        return _restored(ours, request, _pairs_in(_dict(one.get("request")).get("headers")), head, body)
    start = _time_in(one.get("startedDateTime"))
    timings = _dict(one.get("timings"))
    before = sum(_duration(timings.get(name)) for name in ("blocked", "dns", "connect", "send", "wait"))
    error = _text(answered.get("_error")) or ""
    return Foreign(
        Name(""),
        request,
        head,
        [(None, body)],
        _is_sse(head),
        ending_of(error) if error else "unknown",
        error,
        start,
        None if start is None or head is None else start + before,
        None if start is None else start + _duration(one.get("time")),
    )


def _restored(
    ours: dict[str, Any],
    request: Request,
    headers: tuple[tuple[str, str], ...],
    head: Head | None,
    body: bytes,
) -> Foreign:
    """An entry that `entry` wrote: nothing was lost."""
    ending: Ending = next((known for known in _ENDINGS if known == ours.get("ending")), "unknown")
    asked = Request(_text(ours.get("method")), _text(ours.get("target")), headers, request.body)
    return Foreign(
        Name(
            _text(ours.get("scenario")) or "",
            _text(ours.get("protocol")),
            _count(ours.get("round"), 1) or 0,
            _text(ours.get("leg")) or "client",
        ),
        asked if ours.get("has_request") is not False else None,
        head,
        _cut(body, ours.get("chunks")),
        ours.get("stream") is True,
        ending,
        _text(ours.get("ending_text")) or "",
        _count(ours.get("started_ns"), None),
        _count(ours.get("head_ns"), None),
        _count(ours.get("ended_ns"), None),
        _known_in(_dict(ours.get("known"))),
    )


def _known_in(value: dict[str, Any]) -> dict[str, Any]:
    """Of what the archive says is to stand in the journal: what may."""
    texts = {name: value[name] for name in _KNOWN if isinstance(value.get(name), str)}
    return {"rebuilt": True, **texts} if value.get("rebuilt") is True else texts


def _cut(body: bytes, chunks: Any) -> list[tuple[int | None, bytes]]:
    """The body in its chunks, if they fit it."""
    pairs = (
        [one for one in chunks if isinstance(one, list) and len(one) == 2] if isinstance(chunks, list) else []
    )
    times = [(_count(at, None), _count(length, None)) for at, length in pairs]
    borders, at = [0], 0
    for at_ns, length in times:
        if at_ns is None or length is None:
            return [(None, body)]
        at += length
        borders.append(at)
    if not times or at != len(body):
        return [(None, body)]
    return [(at_ns, body[a:b]) for (at_ns, _), (a, b) in zip(times, pairwise(borders), strict=True)]


def _content_in(content: dict[str, Any]) -> bytes | None:
    """The body; None if the archive holds none though there was one."""
    text = _text(content.get("text"))
    if text is None:
        return None if (_count(content.get("size"), 0) or 0) > 0 else b""
    if content.get("encoding") == "base64":
        try:
            return base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            return None
    return text.encode("utf-8", "surrogatepass")


def _head_in(answered: dict[str, Any]) -> Head | None:
    status = _count(answered.get("status"), 0)
    headers = _pairs_in(answered.get("headers"))
    return Head(status or None, headers) if status or headers else None


def _request_in(asked: dict[str, Any]) -> Request:
    address = _text(asked.get("url")) or ""
    rest = address.partition("://")[2] or address
    host, slash, path = rest.partition("/")
    headers = _pairs_in(asked.get("headers"))
    if host and not any(name == "host" for name, _ in headers):
        headers = (("host", host), *headers)
    body = _text(_dict(asked.get("postData")).get("text"))
    return Request(_text(asked.get("method")), "/" + path.partition("#")[0] if slash else "/", headers, body)


def _pairs_in(value: Any) -> tuple[tuple[str, str], ...]:
    """Headers, names in lower case; HTTP/2's `:authority` is the host, its others are none."""
    found = []
    for one in value if isinstance(value, list) else ():
        name, text = _text(_dict(one).get("name")), _text(_dict(one).get("value"))
        if name is None or text is None:
            continue
        name = "host" if name.lower() == ":authority" else name.lower()
        if not name.startswith(":"):
            found.append((name, text))
    return tuple(found)


def _is_sse(head: Head | None) -> bool:
    headers = head.headers if head else ()
    media = next((value for name, value in headers if name == "content-type"), "")
    return media.partition(";")[0].strip().lower() == "text/event-stream"


def _time_in(value: Any) -> int | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if moment is None:
        return None
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH
    ns = (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000
    return ns if ns > 0 else None


def _duration(value: Any) -> int:
    """Milliseconds as ns; -1 means that there were none."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e12
    return int(value * _MS) if good else 0


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Any, otherwise: int | None) -> int | None:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if good else otherwise
