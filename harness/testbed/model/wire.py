"""Replies in the words of OpenAI's chat completions: chunks of a stream, one whole answer, errors."""

import json
import secrets
import time
from collections.abc import Iterator
from typing import Any

from harness.testbed.model.reply import Reply, ToolCall, split

type Json = dict[str, Any]

DONE = b"data: [DONE]\n\n"
ARGUMENT_PIECES = 3


def event(value: Json) -> bytes:
    """One SSE event."""
    return b"data: " + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"


def chunks(reply: Reply, model: str, *, with_usage: bool) -> Iterator[Json]:
    """The chunks of a streamed reply, up to its fault if it has one."""
    head = _head(model, "chat.completion.chunk")
    for delta in _deltas(reply):
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    if reply.fault:
        return
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": _reason(reply)}]}
    if with_usage:
        yield head | {"choices": [], "usage": _usage(reply)}


def whole(reply: Reply, model: str) -> Json:
    """The reply in one piece."""
    message: Json = {"role": "assistant", "content": "".join(reply.content)}
    if reply.reasoning:
        message["reasoning_content"] = "".join(reply.reasoning)
    if reply.calls:
        message["tool_calls"] = [_call(call, call.arguments) for call in reply.calls]
    choice = {"index": 0, "message": message, "finish_reason": _reason(reply)}
    return _head(model, "chat.completion") | {"choices": [choice], "usage": _usage(reply)}


def error(message: str, kind: str, code: str | None = None) -> Json:
    """The body of an error."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _deltas(reply: Reply) -> Iterator[Json]:
    yield {"role": "assistant", "content": ""}
    for text in reply.reasoning:
        yield {"reasoning_content": text}
    for text in reply.content:
        yield {"content": text}
    for number, call in enumerate(reply.calls):
        yield {"tool_calls": [{"index": number} | _call(call, "")]}
        for piece in split(call.arguments, ARGUMENT_PIECES):
            yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


def _call(call: ToolCall, arguments: str) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _head(model: str, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{secrets.token_hex(12)}",
        "object": kind,
        "created": int(time.time()),
        "model": model,
    }


def _reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _usage(reply: Reply) -> Json:
    total = reply.tokens_in + reply.tokens_out
    return {"prompt_tokens": reply.tokens_in, "completion_tokens": reply.tokens_out, "total_tokens": total}
