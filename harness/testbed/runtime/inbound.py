"""What a client sends, read strictly: JSON-RPC requests, and the messages in them.

Of a client's metadata only `steer` and a part's `toolCallId` are read: `runtime.*` and `_interrupt`
are the runtime's own and never get further, whoever sends them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from harness import jsontext
from harness.testbed.runtime.javatext import text_of

type Json = dict[str, Any]

CONTENT = ("text", "raw", "url", "data")


class RpcError(Exception):
    """A request that gets a JSON-RPC error."""

    def __init__(self, code: int, message: str, details: Json | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, details


class Request(NamedTuple):
    """One JSON-RPC request."""

    id: Any
    method: str
    params: Json


class Message(NamedTuple):
    """One message of a client: `answers` by toolCallId, `""` where it names none."""

    answers: dict[str, str]
    context_id: str | None
    task_id: str | None
    steer: bool

    @property
    def text(self) -> str:
        """All its text."""
        return "\n".join(self.answers.values())


def parsed(body: bytes) -> Any:
    """The JSON value of a request body."""
    value = jsontext.read(body.decode(errors="replace"))
    if isinstance(value, jsontext.Flaw):
        raise RpcError(-32700, f"Parse error: {value.reason}")
    return value


def request_of(value: Any) -> Request:
    """The request in a JSON value."""
    is_request = isinstance(value, dict) and value.get("jsonrpc") == "2.0"
    if not is_request or not isinstance(value.get("method"), str):
        raise RpcError(-32600, "Invalid request")
    params = value.get("params")
    if not isinstance(params, dict):
        raise RpcError(-32602, "Invalid params")
    return Request(value.get("id"), value["method"], params)


def message_of(params: Json) -> Message:
    """The message of SendMessage and SendStreamingMessage."""
    message = params.get("message")
    if not isinstance(message, dict) or message.get("role") != "ROLE_USER":
        raise _invalid("message.role must be ROLE_USER")
    parts = message.get("parts")
    if not isinstance(parts, list) or not parts or not all(map(_is_part, parts)):
        raise _invalid("message.parts must hold parts of one of text, raw, url, data each")
    metadata = message.get("metadata") or {}
    return Message(
        _answers(parts),
        _name(message, "contextId"),
        _name(message, "taskId"),
        isinstance(metadata, dict) and metadata.get("steer") is True,
    )


def task_id_of(params: Json) -> str:
    """The task that GetTask, SubscribeToTask and CancelTask name."""
    if not isinstance(task_id := params.get("id"), str) or not task_id:
        raise _invalid("id must name a task")
    return task_id


def _answers(parts: list[Json]) -> dict[str, str]:
    answers: dict[str, str] = {}
    for part in parts:
        call_id = str((part.get("metadata") or {}).get("toolCallId") or "")
        text = part["text"] if "text" in part else text_of(next(part[key] for key in CONTENT if key in part))
        answers[call_id] = f"{answers[call_id]}\n{text}" if call_id in answers else str(text)
    if "" in answers and len(answers) > 1:
        raise RpcError(-32602, "Invalid params", {"businessCode": "REMOTE_TOOL_INPUT_TARGET_MIXED"})
    return answers


def _is_part(part: Any) -> bool:
    return isinstance(part, dict) and sum(key in part for key in CONTENT) == 1


def _name(message: Json, key: str) -> str | None:
    """An id; an empty one counts as absent, as the Java client prints it."""
    value = message.get(key)
    if value is not None and not isinstance(value, str):
        raise _invalid(f"message.{key} must be text")
    return value or None


def _invalid(what: str) -> RpcError:
    return RpcError(-32602, f"Invalid params: {what}")
