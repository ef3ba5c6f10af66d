"""A2A v1.0 results and their SSE frames, with the member order of the Java runtime.

A *result* is what stands in the JSON-RPC envelope: exactly one of `task`, `message`, `statusUpdate`,
`artifactUpdate`. There is no `kind` and no `final`; what is not set is absent. Shapes:
captures/golden/openjiuwen-on-java-sdk.
"""

from __future__ import annotations

import time
import uuid
from typing import Any, NamedTuple

from harness.testbed.runtime.javatext import text_of

type Json = dict[str, Any]

TERMINAL = frozenset({"COMPLETED", "FAILED", "CANCELED", "REJECTED"})
"""States that end a task."""


class Place(NamedTuple):
    """Which task of which conversation an event belongs to."""

    task_id: str
    context_id: str


def now() -> str:
    """UTC with six to nine digits of the second, `2026-11-30T13:14:25.318160791Z`: noughts at the end go."""
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    digits = f"{nanoseconds:09d}"
    fraction = digits[:6] + digits[6:].rstrip("0")
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{fraction}Z"


def new_id() -> str:
    """A random UUID."""
    return str(uuid.uuid4())


def text_part(text: str, metadata: Json | None = None) -> Json:
    """`{"text"[,"metadata"]}`."""
    return {"text": text, "metadata": metadata}


def data_part(data: Any) -> Json:
    """`{"data"}`."""
    return {"data": data}


def agent_message(place: Place, text: str, metadata: Json | None = None) -> Json:
    """A message of the agent: one text part."""
    return {
        "role": "ROLE_AGENT",
        "parts": [text_part(text)],
        "messageId": new_id(),
        "contextId": place.context_id,
        "taskId": place.task_id,
        "metadata": metadata,
    }


def status_update(place: Place, state: str, message: Json | None = None) -> Json:
    """A result that says the task's new state, named without `TASK_STATE_`."""
    status = {"state": f"TASK_STATE_{state}", "message": message, "timestamp": now()}
    return {"statusUpdate": {"taskId": place.task_id, "status": status, "contextId": place.context_id}}


def artifact(parts: list[Json], metadata: Json | None = None, artifact_id: str | None = None) -> Json:
    """An artifact; without an id it gets a new one."""
    return {"artifactId": artifact_id or new_id(), "parts": parts, "metadata": metadata}


def artifact_update(
    place: Place, made: Json, *, append: bool | None = None, last_chunk: bool | None = None
) -> Json:
    """A result that carries content; None leaves a flag out."""
    update = {
        "taskId": place.task_id,
        "artifact": made,
        "contextId": place.context_id,
        "append": append,
        "lastChunk": last_chunk,
    }
    return {"artifactUpdate": update}


def envelope(request_id: Any, result: Json) -> str:
    """The JSON-RPC answer as text. A number in the id becomes a double, an absent id null."""
    return f'{{"jsonrpc":"2.0","id":{_id(request_id)},"result":{text_of(result)}}}'


def error_envelope(request_id: Any, code: int, message: str, details: Json | None = None) -> str:
    """The JSON-RPC error as text; what else there is to say stands under `details`, not `data`."""
    error = text_of({"code": code, "message": message, "details": details})
    if request_id is None:
        return f'{{"jsonrpc":"2.0","error":{error},"id":null}}'
    return f'{{"jsonrpc":"2.0","id":{_id(request_id)},"error":{error}}}'


def sse(envelope_text: str) -> bytes:
    """One SSE event: name `jsonrpc`, no space after the colon."""
    return f"event:jsonrpc\ndata:{envelope_text}\n\n".encode()


def _id(request_id: Any) -> str:
    number = isinstance(request_id, int) and not isinstance(request_id, bool)
    return text_of(float(request_id) if number else request_id)
