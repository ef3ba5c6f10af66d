"""From a body's first bytes to its framing: by what they hold, not by what they are called.

The name and the content type only decide where the bytes leave it open. Also told here: known
forms that hold no stream of ours (requests, other protocols), where the first records make
it certain.
"""

import re
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any, NamedTuple

from harness.jsontext import Flaw, read
from harness.model.capture import Framing

WINDOW = 64 << 10
"""Bytes of a body that are looked at."""
_LOOKED = 5
"""Records that must agree before a body is told to be of another protocol."""
_FIELD = re.compile(rb"^(?:(?:data|event|id|retry)(?::|\r|\n|\Z)|:)", re.MULTILINE)
_LONE_CR_FIELD = re.compile(rb"\r(?:data|event|id|retry):")
_DATA = re.compile(rb"^data: ?([^\r\n]*)", re.MULTILINE)
_SENTINEL = b"[DONE]"
_BLANK = b" \t\r\n"
_UI_STREAM = frozenset({
    "start", "start-step", "finish-step", "finish", "abort", "text-start", "text-delta", "text-end",
    "reasoning-start", "reasoning-delta", "reasoning-end", "tool-input-start", "tool-input-delta",
    "tool-input-available", "tool-input-error", "tool-output-available", "tool-output-error",
    "source-url", "source-document", "file", "a2a-task-started", "done",
})  # fmt: skip


class Sniffed(NamedTuple):
    """How a body marks off its frames (None: its bytes do not tell), and what it is instead."""

    framing: Framing | None
    told: str | None = None


def sniff(raw: bytes, whole: bool, media: str | None = None) -> Sniffed:
    """Framing of a body that begins with `raw`; `whole` says that there is no more.

    `media` is the response's media type, where known.
    """
    body = raw.removeprefix(b"\xef\xbb\xbf").lstrip(_BLANK)
    if body[:1] in (b"{", b"["):
        framing = _json_framing(body, whole)
        if framing is not None:
            return Sniffed(framing, _told(_json_records(body, framing, whole)))
    if _FIELD.search(raw.removeprefix(b"\xef\xbb\xbf")) or _LONE_CR_FIELD.search(raw):
        return Sniffed("sse", _told(_sse_records(raw)))
    if media == "text/event-stream":
        return Sniffed("sse")
    if media is not None and media.endswith("json"):
        return Sniffed("document")
    return Sniffed(None)


def _json_framing(body: bytes, whole: bool) -> Framing | None:
    """JSON lines or one document; None if the bytes only look like JSON."""
    first, newline, rest = body.partition(b"\n")
    if not newline:
        return "document" if whole else "jsonl"
    if _value(first) is not None:
        return "jsonl" if rest.strip(_BLANK) or not whole else "document"
    if any(_record(line) for line in rest.split(b"\n")[:200]):
        return "jsonl"
    return None if _FIELD.search(rest) else "document"


def _record(line: bytes) -> bool:
    """Whether a line by itself is a JSON object (of a pretty-printed text none is)."""
    return line[:2] in (b'{"', b"{}") and _value(line) is not None


def _value(raw: bytes) -> dict[str, Any] | list[Any] | None:
    value = read(str(raw, "utf-8", "replace").strip())
    return value if isinstance(value, (dict, list)) and not isinstance(value, Flaw) else None


def _json_records(body: bytes, framing: Framing, whole: bool) -> Iterator[Any]:
    """The first records; of a document that is not whole, none."""
    if framing == "document":
        if whole:
            yield _value(body)
        return
    at = 0
    while (stop := body.find(b"\n", at)) >= 0:
        if body[at:stop].strip(_BLANK):
            yield _value(body[at:stop])
        at = stop + 1
    if whole and body[at:].strip(_BLANK):
        yield _value(body[at:])


def _sse_records(raw: bytes) -> Iterator[Any]:
    """Data lines up to the `[DONE]` that other protocols end with."""
    lines = (match[1].strip() for match in _DATA.finditer(raw))
    return (_value(line) for line in takewhile(_SENTINEL.__ne__, lines))


def _told(records: Iterator[Any]) -> str | None:
    """Why these first records are no stream of ours; None unless all agree."""
    first = next(records, None)
    if not isinstance(first, dict):
        return None
    for fits, reason in _FORMS:
        if fits(first):
            more = islice(records, _LOOKED - 1)
            return reason if all(isinstance(record, dict) and fits(record) for record in more) else None
    return None


def _is_request(record: dict[str, Any]) -> bool:
    return isinstance(record.get("method"), str) and "result" not in record and "error" not in record


def _is_model_request(record: dict[str, Any]) -> bool:
    return isinstance(record.get("messages"), list) and not record.keys() & {"choices", "result", "jsonrpc"}


def _is_completion(record: dict[str, Any]) -> bool:
    return isinstance(record.get("choices"), list) and "result" not in record


def _is_ui_stream(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    known = isinstance(kind, str) and (kind in _UI_STREAM or kind.startswith("data-"))
    return known and not record.keys() & {"payload", "jsonrpc", "result"}


def _is_gateway(record: dict[str, Any]) -> bool:
    bare = (
        isinstance(record.get("event"), str)
        and "data" in record
        and not record.keys() & {"jsonrpc", "result"}
    )
    return bare or "custom_rsp_data" in record


_FORMS = (
    (_is_request, "JSON-RPC requests, no responses: nothing was streamed here"),
    (_is_model_request, "requests to a model, no responses: nothing was streamed here"),
    (_is_completion, "an OpenAI chat completions stream: no dialect of ours reads it"),
    (_is_ui_stream, "an AI SDK UI message stream: no dialect of ours reads it"),
    (_is_gateway, "a Versatile gateway stream of {event, data}: no dialect of ours reads it"),
)
