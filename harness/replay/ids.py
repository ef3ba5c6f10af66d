"""Ids that a client chose, put where the recorded answer has those of the recorded client.

`--rewrite-ids`: the JSON-RPC id of each frame, and taskId, contextId and messageId wherever they
stand as whole JSON strings (JSON inside strings included). An id that the client did not name stays
as recorded: then it is the server's to choose.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from harness import jsontext
from harness.replay.edits import Edit
from harness.replay.projection import projected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Request
    from harness.replay.known import Known

_NAMES = (("messageId", "message_id"), ("taskId", "task_id"), ("contextId", "context_id"))
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)
_VALUE = re.compile(rb'\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|null|true|false)', re.DOTALL)


def id_edits(known: Known, request: Request) -> list[Edit]:
    """The edits that make the answer of `known` one to `request`. Reads the whole body."""
    if projected(known.capture):
        return []
    rpc, pairs = wanted(known, request)
    if rpc is None and not pairs:
        return []
    from harness.capture.files import Body
    from harness.replay.spans import spanned

    found: list[Edit] = []
    for at, raw in spanned(known.capture, Body(known.capture)):
        found += sorted(_of_frame(at, raw, rpc, pairs))
    return found


def event_edited(data: str, rpc: bytes | None, pairs: dict[bytes, bytes]) -> str:
    """The same for one frame that has no bytes of its own (a wire log's)."""
    raw, out, done = data.encode("utf-8", "replace"), bytearray(), 0
    for edit in sorted(_of_frame(0, raw, rpc, pairs)):
        out += raw[done : edit.at] + edit.new
        done = edit.at + edit.old
    return str(bytes(out + raw[done:]), "utf-8", "replace")


def wanted(known: Known, request: Request) -> tuple[bytes | None, dict[bytes, bytes]]:
    """The JSON-RPC id to write, as JSON, and old ids with the new ones."""
    now, then = _object(request.body), _object(known.capture.request.body if known.capture.request else None)
    rpc = json.dumps(now["id"], default=str).encode() if "jsonrpc" in now and "id" in now else None
    old, new = _ids(then), _ids(now)
    if known.key.context and "contextId" not in old:
        old["contextId"] = known.key.context
    if known.capture.task_id:
        old.setdefault("taskId", known.capture.task_id)
    pairs = {_bytes(old[name]): _bytes(new[name]) for name in new if name in old and old[name] != new[name]}
    return rpc, pairs


def _bytes(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")


def _object(text: str | None) -> dict[str, Any]:
    value = jsontext.read(text) if text else None
    return value if isinstance(value, dict) else {}


def _ids(body: dict[str, Any]) -> dict[str, str]:
    """The ids that a request names, by their JSON-RPC names."""
    params = body.get("params") if "jsonrpc" in body else body
    params = params if isinstance(params, dict) else {}
    message = params.get("message") or params.get("request")
    message = message if isinstance(message, dict) else {}
    found = {}
    for names in _NAMES:
        value = next((message[name] for name in names if message.get(name)), None)
        if isinstance(value, str):
            found[names[0]] = value
    task = params.get("id") or params.get("taskId")
    if "taskId" not in found and isinstance(task, str):
        found["taskId"] = task
    conversation = body.get("conversation_id")
    if isinstance(conversation, str):
        found["contextId"] = conversation
    return found


def _of_frame(at: int, raw: bytes, rpc: bytes | None, pairs: dict[bytes, bytes]) -> Iterator[Edit]:
    taken: tuple[int, int] | None = None
    if rpc is not None and (taken := rpc_id(raw)) is not None:
        yield Edit(at + taken[0], taken[1] - taken[0], rpc)
    if not pairs:
        return
    either = re.compile(b'(?<=")(' + b"|".join(map(re.escape, pairs)) + b')(?=\\\\*"(?!\\s*:))')
    for match in either.finditer(raw):
        if taken is None or not taken[0] <= match.start() < taken[1]:
            yield Edit(at + match.start(), len(match[0]), pairs[match[0]])


def rpc_id(raw: bytes) -> tuple[int, int] | None:
    """Where the `id` of a JSON-RPC envelope stands in a frame's bytes; None if it is no envelope."""
    depth, found, enveloped = 0, None, False
    start = raw.find(b"{")
    for token in _TOKEN.finditer(raw, max(start, 0)):
        word = token[0]
        if word in b"{[":
            depth += 1
        elif word in b"}]":
            depth -= 1
        elif depth == 1 and word in (b'"id"', b'"jsonrpc"') and (value := _VALUE.match(raw, token.end())):
            enveloped = enveloped or word == b'"jsonrpc"'
            found = value.span(1) if word == b'"id"' else found
    return found if enveloped else None
