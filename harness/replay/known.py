"""A recorded exchange as a request is matched against it; and a request in the same words.

What a capture does not tell is None and fits everything: a body with only `.request.json`
beside it has no path, a wire log often no request at all.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from harness import jsontext
from harness.a2a.request import asked
from harness.capture.files import Body
from harness.model.capture import Capture, Request

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOOKED = 64 << 10
_IDS = 200
_CONTEXT = re.compile(rb'"(?:contextId|context_id|conversation_id)"\s*:\s*"([^"\\]{1,300})"')
_ID = re.compile(rb'"(?:id|taskId|task_id)"\s*:\s*"([^"\\]{1,300})"')
_VOLATILE = frozenset({"messageId", "message_id", "taskId", "task_id", "contextId", "context_id"})


class Key(NamedTuple):
    """What a request asks for, and in which conversation."""

    method: str | None
    path: str | None
    """Without query and trailing slash."""
    rpc: str | None
    """The JSON-RPC method."""
    context: str | None
    task: str | None
    content: str | None
    """What was said, without ids: equal for the same question asked again."""


class Known(NamedTuple):
    """One recorded exchange."""

    capture: Capture
    key: Key
    conversation: tuple[str, ...]
    ids: frozenset[str]
    """Task ids (and other ids) that its response tells."""
    order: tuple[int, int, int]
    """Round, time of the request, place in the list of captures."""
    has_request: bool
    opens: bool
    """Its request named neither a context nor a task."""


def key_of(request: Request) -> Key:
    """The key of a recorded or of a live request."""
    read = asked(Capture(source="", path="", framing="none", request=request))
    path, _, query = (request.target or "").partition("?")
    body = jsontext.read(request.body) if request.body else None
    rpc = body.get("method") if isinstance(body, dict) else None
    return Key(
        request.method,
        (_path(path) or None) if request.target else None,
        rpc if isinstance(rpc, str) else None,
        read.context_id,
        read.task_id,
        _content(body, request.body, query),
    )


def _path(target: str) -> str:
    if "://" in target:
        target = "/" + target.partition("://")[2].partition("/")[2]
    return target.rstrip("/") or "/"


def _content(body: Any, text: str | None, query: str) -> str | None:
    if isinstance(body, dict):
        params = body.get("params", body)
        if isinstance(params, dict):
            return query + json.dumps(_without_ids(params), sort_keys=True, default=str)
    return query + (text or "")


def _without_ids(params: dict[str, Any]) -> dict[str, Any]:
    """`params` and its message, the ids that every client makes anew left out."""
    kept = {
        name: value for name, value in params.items() if name not in _VOLATILE | {"id", "conversation_id"}
    }
    for name in ("message", "request"):
        inner = kept.get(name)
        if isinstance(inner, dict):
            kept[name] = {key: value for key, value in inner.items() if key not in _VOLATILE}
    return kept


def known(captures: Iterable[Capture], times: dict[str, int] | None = None) -> tuple[Known, ...]:
    """The exchanges that can be served, in the order in which they were recorded.

    `times`: when the request of a capture came, by its source. Files that hold no response
    (requests to a model, empty logs) are left out.
    """
    times = times or {}
    found = [
        _known(capture, times.get(capture.source, 0), place)
        for place, capture in enumerate(captures)
        if not (capture.told is not None and capture.head is None)
    ]
    return tuple(sorted(found, key=lambda one: (one.order[1], one.order[2])))


def _known(capture: Capture, at_ns: int, place: int) -> Known:
    asked_at_all = capture.request is not None and capture.request != Request()
    key = key_of(capture.request or Request())
    first = _first(capture)
    context = key.context or capture.context_id or _one(_CONTEXT.search(first))
    ids = frozenset(str(match[1], "utf-8", "replace") for match in islice(_ID.finditer(first), _IDS))
    task = key.task or capture.task_id
    asked_for = (key.context or capture.context_id, task)
    if capture.request is not None and capture.request.method is None and capture.request.body:
        key = key._replace(method="POST")
    return Known(
        capture,
        key._replace(context=context),
        (context,) if context else (capture.group, capture.scenario),
        ids | ({task} if task else set()),
        (capture.round, at_ns, place),
        asked_at_all,
        asked_for == (None, None) and (asked_at_all or capture.round == 1),
    )


def _first(capture: Capture) -> bytes:
    pieces = Body(capture).chunks(_LOOKED)
    return next(pieces, b"")[:_LOOKED]


def _one(match: re.Match[bytes] | None) -> str | None:
    return str(match[1], "utf-8", "replace") if match else None
