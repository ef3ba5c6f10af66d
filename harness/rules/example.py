"""Examples: the smallest captures that pass or fail a rule; tests run them, the docs print them.

Builders make v1.0 JSON-RPC frames unless told otherwise. An example is data: `harness.pipeline`
judges it like any capture (see `tests/rules/examples.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from harness.model.scenario import Scenario

TASK = "t-1"
CONTEXT = "c-1"
REQUEST_ID = "r-1"
STAMP = "2026-11-30T11:20:12.031Z"

type Json = Any


class Model(NamedTuple):
    """A call of the model that was recorded in the example's round: chat completions, not streamed."""

    messages: tuple[Json, ...]
    answer: Json = "ok"
    """The message that the model answered; a str is its text."""
    tools: tuple[str, ...] = ()
    at_ms: tuple[int, int] = (0, 1)
    """When it was asked and when the answer was there."""


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
    models: tuple[Model, ...] = ()
    plan: Scenario | None = None
    """The scenario by which it is judged, rounds in `then` included."""
    then: tuple[Example, ...] = ()
    """Further rounds, other legs, scenarios or topologies, recorded in the same run folder."""


def said(role: str, text: str, **more: Json) -> Json:
    """A message of a model request; `tool_call_id="call_00_Ex"` for a tool's result."""
    return {"role": role, "content": text, **more}


def tool_calls(*calls: tuple[str, str, str]) -> Json:
    """A model's message that calls tools: id, name and prompt of each."""
    listed = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": json_text({"input": prompt})}}
        for id, name, prompt in calls
    ]
    return {"role": "assistant", "content": "", "tool_calls": listed}


def asking(text: str = "hello", context: str = CONTEXT, *, task: str | None = None) -> Json:
    """A request that sends `text`, and continues `task` if there is one."""
    sent = {"messageId": "m-0", "role": "ROLE_USER", "contextId": context, "parts": [{"text": text}]}
    if task is not None:
        sent["taskId"] = task
    return {"jsonrpc": "2.0", "id": REQUEST_ID, "method": "SendStreamingMessage", "params": {"message": sent}}


def json_text(value: Json) -> str:
    """A value as JSON text."""
    import json

    return json.dumps(value, ensure_ascii=False)


def plan(*rounds: dict[str, Json], known: dict[str, int] | None = None, topology: str = "") -> Scenario:
    """A scenario S-1: for each round `text`, `steer`, and what is expected (`has=("x",)`, ...)."""
    from harness.model.scenario import Expect, Known, Part, Scenario, ScenarioRound

    made = []
    for number, one in enumerate(rounds, 1):
        expect = Expect(**{name: one[name] for name in Expect._fields if name in one})
        parts = (Part(text=one.get("text", "hello")),)
        made.append(ScenarioRound(number, parts, number == 1, steer=one.get("steer", False), expect=expect))
    found = (Known("as-reported", tuple((known or {}).items())),) if known else ()
    return Scenario("S-1", "S-1.scenario.yaml", 2, topology, tuple(made), "examples", known=found)


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
