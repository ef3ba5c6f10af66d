"""Examples: the smallest captures that pass or fail a rule; tests run them, the docs print them.

Builders make v1.0 JSON-RPC frames unless told otherwise. An example is data: `harness.pipeline`
judges it like any capture (see `tests/rules/examples.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

TASK = "t-1"
CONTEXT = "c-1"
REQUEST_ID = "r-1"
STAMP = "2026-11-30T11:20:12.031Z"

type Json = Any


class Example(NamedTuple):
    """One capture, written as frames: a dict is printed as JSON in a `data:` line, a str verbatim.

    In a str, U+DC80 to U+DCFF stand for single bytes that are no UTF-8 (`surrogateescape`).
    """

    frames: tuple[Json, ...]
    note: str = ""
    request: Json = "default"
    """JSON body of the request; `"default"`: SendStreamingMessage with id `r-1`; None: unknown."""
    request_headers: tuple[tuple[str, str], ...] = (("a2a-version", "1.0"),)
    target: str = "/"
    status: int | None = 200
    headers: tuple[tuple[str, str], ...] = (
        ("content-type", "text/event-stream"),
        ("cache-control", "no-cache"),
        ("x-accel-buffering", "no"),
    )
    framing: str = "sse"
    ending: str = "clean"
    scenario: str = "S-1"
    topology: str | None = None
    round: int = 1
    leg: str = "client"
    at_ms: tuple[int, ...] = ()
    """When each frame came and, last, when the connection closed; empty: not timed."""
    card: Json = None
    """The agent card that was recorded beside it; None: none was."""
    waivers: str = ""
    """The waivers file that it is judged with."""
    then: tuple[Example, ...] = ()
    """Further rounds, other scenarios or topologies, recorded in the same run folder."""


def rpc(result: Json, id: Json = REQUEST_ID) -> Json:
    """A JSON-RPC frame around `result`."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def rpc_error(code: int = -32603, message: str = "boom", id: Json = REQUEST_ID, **more: Json) -> Json:
    """A JSON-RPC error frame; `data=[...]` goes into the error."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message, **more}}


def state_name(state: str) -> str:
    """`input-required` as v1.0 writes it."""
    return "TASK_STATE_" + state.upper().replace("-", "_")


def message(text: str = "hello", role: str = "ROLE_AGENT", **more: Json) -> Json:
    """A v1.0 Message object."""
    return {"messageId": "m-1", "contextId": CONTEXT, "role": role, "parts": [{"text": text}], **more}


def status(state: str, said: Json = None, *, task: str = TASK, context: str = CONTEXT, **more: Json) -> Json:
    """A v1.0 statusUpdate frame; `said` is a Message or a text."""
    inner: dict[str, Json] = {"state": state_name(state)}
    if said is not None:
        inner["message"] = message(said, taskId=task) if isinstance(said, str) else said
    inner["timestamp"] = STAMP
    return rpc({"statusUpdate": {"taskId": task, "contextId": context, "status": inner, **more}})


def task(state: str = "submitted", *, id: str = TASK, context: str = CONTEXT, **more: Json) -> Json:
    """A v1.0 Task frame."""
    return rpc({"task": {"id": id, "contextId": context, "status": {"state": state_name(state)}, **more}})


def artifact(
    *parts: Json,
    id: str = "a-1",
    task: str = TASK,
    context: str = CONTEXT,
    metadata: Json = None,
    **more: Json,
) -> Json:
    """A v1.0 artifactUpdate frame; a str part is a text part; `append=True, lastChunk=True` at will."""
    inner: dict[str, Json] = {
        "artifactId": id,
        "parts": [{"text": p} if isinstance(p, str) else p for p in parts],
    }
    if metadata is not None:
        inner["metadata"] = metadata
    return rpc({"artifactUpdate": {"taskId": task, "contextId": context, "artifact": inner, **more}})


def interrupt(value: Json, text: str = "Input required", **more: Json) -> Json:
    """A v1.0 input-required statusUpdate with `metadata._interrupt`."""
    return status("input-required", message(text, taskId=TASK, metadata={"_interrupt": value}), **more)


def v03(kind: str, **members: Json) -> Json:
    """A v0.3 JSON-RPC frame: `v03("status-update", status={"state": "working"}, final=False)`."""
    body: dict[str, Json] = {"kind": kind}
    body.update(
        {"id": TASK, "contextId": CONTEXT} if kind == "task" else {"taskId": TASK, "contextId": CONTEXT}
    )
    if kind == "message":
        body = {"kind": kind, "contextId": CONTEXT, "messageId": "m-1", "role": "agent"}
    body.update(members)
    return rpc(body)
