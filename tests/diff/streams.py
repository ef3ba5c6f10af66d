"""Small streams for the diff: frames as text, put together without the code under test."""

from __future__ import annotations

import json
from typing import Any

from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.diff.ids import Ids
from harness.diff.load import load
from harness.diff.normal import Normal
from harness.diff.units import Unit, Units
from harness.model.capture import Capture
from harness.model.frame import Frame, Span

TASK, CONTEXT = "3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11", "ctx-demo-01"


def status(state: str, task: str = TASK, context: str = CONTEXT, **more: Any) -> dict[str, Any]:
    told = {"state": f"TASK_STATE_{state}", "timestamp": "2026-08-11T09:30:01.137Z", **more}
    return {"statusUpdate": {"taskId": task, "status": told, "contextId": context}}


def artifact(
    part: dict[str, Any], name: str, task: str = TASK, context: str = CONTEXT, **more: Any
) -> dict[str, Any]:
    held = {"artifactId": name, "parts": [part]}
    return {"artifactUpdate": {"taskId": task, "artifact": held, "contextId": context, **more}}


def token(text: str, index: int = 0, kind: str = "llm_output", **ids: str) -> dict[str, Any]:
    payload = {"content": text, "result_type": "answer"}
    return artifact(
        {"data": {"type": kind, "index": index, "payload": payload}}, f"art-{index}-{text}", **ids
    )


def mirror(calls: list[tuple[str, str, str]], **ids: str) -> dict[str, Any]:
    """The content mirror of a delegation; a call is (toolCallId, tool, prompt)."""
    data = [
        {"data": {"type": "__interaction__", "payload": {"id": call, "value": {
            "toolCallId": call, "toolName": tool, "message": prompt,
            "context": {"_interrupt_kind": "a2a_delegate", "agentName": tool}}}}}
        for call, tool, prompt in calls
    ]  # fmt: skip
    context = ids.get("context", CONTEXT)
    payload = {
        "type": "task_interaction",
        "data": data,
        "metadata": {"task_id": f"deep_agent_task_{context}_1"},
    }
    return artifact(
        {"data": {"type": "controller_output", "index": 4, "payload": payload}}, "art-mirror", **ids
    )


def sse(results: list[dict[str, Any]], rpc_id: Any = "req-7") -> bytes:
    frames = ({"jsonrpc": "2.0", "id": rpc_id, "result": result} for result in results)
    return b"".join(b"data: " + json.dumps(frame).encode() + b"\n\n" for frame in frames)


def units(results: list[dict[str, Any]], *, loose: bool = False) -> tuple[list[Unit], Ids]:
    """The units of a stream, frames counted from 1."""
    capture = Capture("s.sse", "s.sse", "sse")
    reader, volatile = Reader(capture, asked(capture)), load()
    ids = Ids(volatile)
    taker = Units(Normal(volatile, ids, loose=loose))
    for number, result in enumerate(results, 1):
        data = json.dumps({"jsonrpc": "2.0", "id": "r", "result": result})
        taker.take(reader.read(Frame(number, Span(number, number + 1), data)))
    return taker.close(), ids
