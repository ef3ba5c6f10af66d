"""Streams to measure with: token chunks as the Java runtime prints them, a leak, an end."""

from __future__ import annotations

import json
import random
import uuid
from pathlib import Path
from typing import Any

TASK = "3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11"
CONTEXT = "ctx-demo-01"
WORDS = "the quick brown fox compares prices of 模型 对比 价格 and says so, line\nby line".split(" ")


def _frame(result: dict[str, Any]) -> bytes:
    body = {"jsonrpc": "2.0", "id": "req-7", "result": result}
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return b"event:jsonrpc\ndata:" + text.encode() + b"\n\n"


def _status(state: str) -> bytes:
    status = {"state": f"TASK_STATE_{state}", "timestamp": "2026-08-11T09:30:01.137Z"}
    return _frame({"statusUpdate": {"taskId": TASK, "status": status, "contextId": CONTEXT}})


def _artifact(data: dict[str, Any], artifact_id: str) -> bytes:
    artifact = {"artifactId": artifact_id, "parts": [{"data": data}]}
    return _frame({"artifactUpdate": {"taskId": TASK, "artifact": artifact, "contextId": CONTEXT}})


def _leak(index: int) -> dict[str, Any]:
    call = f"call_{index:02d}_Zx"
    value = {
        "toolCallId": call,
        "payloadSchema": {},
        "context": {"_interrupt_kind": "a2a_delegate", "agentName": "search-agent"},
        "message": "price of A",
        "toolName": "search-agent",
    }
    inner = {"type": "__interaction__", "payload": {"id": call, "value": value}}
    metadata = {"stream_kind": "inner_agent"}
    payload = {"type": "task_interaction", "data": [{"data": inner}], "metadata": metadata}
    return {"type": "controller_output", "index": index, "payload": payload}


def write_stream(path: Path, events: int, seed: int = 1) -> None:
    """A stream of `events` frames, about 490 bytes each, with four leaked delegations spread over it."""
    pick = random.Random(seed)
    leaks = {events * k // 5 for k in range(1, 5)}
    with path.open("wb") as out:
        out.write(_status("SUBMITTED") + _status("WORKING"))
        for index in range(events - 3):
            artifact_id = str(uuid.UUID(int=pick.getrandbits(128)))
            if index in leaks:
                out.write(_artifact(_leak(index), artifact_id))
                continue
            words = " ".join(pick.choices(WORDS, k=30))
            payload = {"content": words, "result_type": "answer"}
            out.write(_artifact({"type": "llm_output", "index": index, "payload": payload}, artifact_id))
        out.write(_status("COMPLETED"))
