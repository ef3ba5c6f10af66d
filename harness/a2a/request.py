"""The request of a round, read as A2A: what was asked, for which task, in which version.

Pure: a capture in, a value out. Everything that the capture does not tell is None.
"""

import re
from typing import Any, NamedTuple

from harness import jsontext
from harness.a2a.dialects import METHODS, STREAMING, Operation
from harness.model.capture import Capture, Request
from harness.model.event import Binding, Dialect

_REST = r"(?P<v1>/v1)?/(?:message:(?P<message>stream|send)|tasks(?:/(?P<task>[^/:]+)(?::(?P<verb>\w+))?)?)/?$"
_REST_TASK: dict[str, Operation] = {"subscribe": "subscribe", "cancel": "cancel", "": "get"}
_OF_VERSION: dict[str, Dialect] = {"1.": "v1.0", "0.": "v0.3"}
_OPENJIUWEN = r"/query(?:/reactive)?/?$"


class Asked(NamedTuple):
    """One request as A2A. `known` False: the capture holds no request that can be read."""

    known: bool = False
    method: str | None = None
    """As written in JSON-RPC; for REST the path without its query."""
    operation: Operation | None = None
    streaming: bool | None = None
    """The request asked for a stream; None: not known."""
    rpc_id: Any = None
    """The JSON-RPC id; numbers are Decimal with all their digits."""
    has_id: bool = False
    task_id: str | None = None
    context_id: str | None = None
    version: str | None = None
    """`A2A-Version` of the header or the query, as written."""
    has_headers: bool = False
    """The request's headers were recorded."""
    dialect: Dialect | None = None
    """The version that method name, path or body belong to."""
    binding: Binding | None = None
    targeted: tuple[str, ...] = ()
    """`metadata.toolCallId` of the parts that answer one call."""
    untargeted: int = 0
    """Parts that answer no call by name."""


def asked(capture: Capture) -> Asked:
    """The request of `capture`, with what the capture's own head adds."""
    request = capture.request
    found = Asked() if request is None else _read(request)
    if found.operation is None and capture.protocol == "A2A_SUBSCRIBE":
        found = found._replace(operation="subscribe")
    return found._replace(
        task_id=found.task_id or capture.task_id,
        context_id=found.context_id or capture.context_id,
        streaming=_by_protocol(capture.protocol) if found.streaming is None else found.streaming,
    )


def _by_protocol(protocol: str | None) -> bool | None:
    if protocol in ("A2A_STREAM", "A2A_SUBSCRIBE"):
        return True
    return False if protocol == "A2A_SYNC" else None


def _read(request: Request) -> Asked:
    body = jsontext.read_exact(request.body) if request.body else None
    version = _version(request)
    has_headers = bool(request.headers)
    if isinstance(body, dict) and ("method" in body or "jsonrpc" in body):
        found = _rpc(body)
    else:
        found = _rest(request, body if isinstance(body, dict) else {})
    dialect = found.dialect or (_OF_VERSION.get(version[:2]) if version else None)
    return found._replace(version=version, has_headers=has_headers, dialect=dialect)


def _version(request: Request) -> str | None:
    query = _split(request.target)[1]
    for name, value in (*request.headers, *_pairs(query)):
        if name.lower() == "a2a-version" and value.strip():
            return value.strip()
    return None


def _split(target: str | None) -> tuple[str, str]:
    """Path and query of a request's target, which may be a whole URL."""
    path, _, query = (target or "").partition("#")[0].partition("?")
    if "://" in path:
        path = "/" + path.partition("://")[2].partition("/")[2]
    return path, query


def _pairs(query: str) -> list[tuple[str, str]]:
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    return [(_decoded(name), _decoded(value)) for name, _, value in pairs]


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


def _rpc(body: dict[str, Any]) -> Asked:
    method = body.get("method")
    params = _dict(body.get("params"))
    operation, dialect = METHODS.get(method, (None, None)) if isinstance(method, str) else (None, None)
    message = _dict(params.get("message"))
    task = message.get("taskId") if message else params.get("id") or params.get("taskId")
    targeted, untargeted = _targets(message.get("parts"))
    return Asked(
        known=True,
        method=method if isinstance(method, str) else None,
        operation=operation,
        streaming=None if operation is None else operation in STREAMING,
        rpc_id=body.get("id"),
        has_id="id" in body,
        task_id=_text(task),
        context_id=_text(message.get("contextId")),
        dialect=dialect,
        binding="jsonrpc",
        targeted=targeted,
        untargeted=untargeted,
    )


def _rest(request: Request, body: dict[str, Any]) -> Asked:
    path = _split(request.target)[0]
    match = re.search(_REST, path)
    if match is None and (re.search(_OPENJIUWEN, path) or "conversation_id" in body):
        return _openjiuwen(path, body)
    old = "request" in body or (match is not None and match["v1"] is not None)
    message = _dict(body.get("request") or body.get("message"))
    if match is None and not message:
        return Asked(known=False)
    operation, task = _rest_operation(match)
    targeted, untargeted = _targets(message.get("content" if old else "parts"))
    return Asked(
        known=True,
        method=path if match is not None else None,
        operation=operation,
        streaming=None if operation is None else operation in STREAMING,
        task_id=task or _text(message.get("taskId") or message.get("task_id")),
        context_id=_text(message.get("contextId") or message.get("context_id")),
        dialect="v0.3" if old or "content" in message else "v1.0",
        binding="rest",
        targeted=targeted,
        untargeted=untargeted,
    )


def _rest_operation(match: re.Match[str] | None) -> tuple[Operation | None, str | None]:
    if match is None:
        return None, None
    if match["message"]:
        return ("stream" if match["message"] == "stream" else "send"), None
    task = match["task"]
    if task is None:
        return "list", None
    return _REST_TASK.get(match["verb"] or ""), _decoded(task)


def _openjiuwen(path: str, body: dict[str, Any]) -> Asked:
    streaming = body.get("stream", True)
    return Asked(
        known=True,
        method=path or None,
        streaming=streaming if isinstance(streaming, bool) else None,
        context_id=_text(body.get("conversation_id")),
        dialect="openjiuwen-core",
        binding="rest",
        untargeted=1,
    )


def _targets(parts: Any) -> tuple[tuple[str, ...], int]:
    calls: list[str] = []
    untargeted = 0
    for part in parts if isinstance(parts, list) else ():
        call = _text(_dict(_dict(part).get("metadata")).get("toolCallId"))
        if call is None:
            untargeted += 1
        else:
            calls.append(call)
    return tuple(calls), untargeted


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
