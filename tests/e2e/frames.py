"""Frames of a v1.0 JSON-RPC stream, as the SDK's server writes them, for upstreams that misbehave."""

from __future__ import annotations

import json
from typing import Any

TASK = "8af5e5f5-1a72-4ef1-a704-5c86f94739a1"


def frame(result: dict[str, Any], request_id: str = "req-1") -> bytes:
    """One SSE frame around `result`."""
    told = {"jsonrpc": "2.0", "id": request_id, "result": result}
    return b"data: " + json.dumps(told, ensure_ascii=False).encode() + b"\r\n\r\n"


def task(context: str) -> bytes:
    """The opening Task."""
    return frame({"task": {"id": TASK, "contextId": context, "status": {"state": "TASK_STATE_SUBMITTED"}}})


def status(context: str, state: str, text: str = "") -> bytes:
    """A status update, with a message where there is a text."""
    told: dict[str, Any] = {"state": f"TASK_STATE_{state}", "timestamp": "2026-11-30T11:20:12.706212Z"}
    if text:
        told["message"] = {
            "messageId": f"m-{state}", "contextId": context, "taskId": TASK, "role": "ROLE_AGENT",
            "parts": [{"text": text}],
        }  # fmt: skip
    return frame({"statusUpdate": {"taskId": TASK, "contextId": context, "status": told}})


def artifact(context: str, text: str, *, append: bool = False, last: bool = False) -> bytes:
    """A piece of the artifact."""
    told: dict[str, Any] = {
        "taskId": TASK, "contextId": context,
        "artifact": {"artifactId": "art-1", "name": "answer", "parts": [{"text": text}]},
    }  # fmt: skip
    told |= {"append": True} if append else {}
    told |= {"lastChunk": True} if last else {}
    return frame({"artifactUpdate": told})


def stream(context: str, end: str = "COMPLETED", text: str = "你好 😀") -> list[bytes]:
    """A whole stream: Task, WORKING, two pieces, the end."""
    return [
        task(context),
        status(context, "WORKING"),
        artifact(context, text),
        artifact(context, "done", append=True, last=True),
        status(context, end, "which city?" if end == "INPUT_REQUIRED" else ""),
    ]
