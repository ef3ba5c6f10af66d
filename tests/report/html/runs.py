"""Run folders written by hand: a delegation that leaks, with the remote call and the model call behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.model.capture import Head, Request

BEGAN_NS = 1_700_000_000_000_000_000
MS = 1_000_000
CALL = "call_00_Zx0AbC"
SSE = Head(200, (("content-type", "text/event-stream"),))


def frame(result: dict[str, Any]) -> bytes:
    """One SSE frame of a JSON-RPC stream."""
    return f"data: {json.dumps({'jsonrpc': '2.0', 'id': 'r1', 'result': result})}\n\n".encode()


def status(state: str, task: str = "t-1") -> bytes:
    found = {"taskId": task, "contextId": "c-1", "status": {"state": f"TASK_STATE_{state}"}}
    return frame({"statusUpdate": found})


def artifact(part: dict[str, Any], name: str = "a-1", task: str = "t-1") -> bytes:
    held = {"artifactId": name, "parts": [part]}
    return frame({"artifactUpdate": {"taskId": task, "contextId": "c-1", "artifact": held}})


def token(text: str, at: int = 0) -> bytes:
    chunk = {"type": "llm_output", "index": at, "payload": {"content": text}}
    return artifact({"data": chunk}, f"a-{at}")


def leak(
    prompt: str = "price of A", call: str = CALL, tool: str = "search-agent", *, as_text: bool = False
) -> bytes:
    """The mirror of an internal delegation on the content channel: LEAK101. `as_text`: as JSON in a text part."""
    value = {
        "toolCallId": call,
        "toolName": tool,
        "context": {"_interrupt_kind": "a2a_delegate", "agentName": tool},
        "message": prompt,
    }
    inner = {"type": "__interaction__", "payload": {"id": call, "value": value}}
    chunk = {
        "type": "controller_output",
        "index": 4,
        "payload": {"type": "task_interaction", "data": [{"data": inner}]},
    }
    return artifact({"text": json.dumps(chunk)} if as_text else {"data": chunk}, "a-leak")


def ask(text: str, context: str = "c-1") -> Request:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": text}], "contextId": context}
    body = json.dumps(
        {"jsonrpc": "2.0", "id": "r1", "method": "SendStreamingMessage", "params": {"message": message}}
    )
    return Request("POST", "/a2a", (("a2a-version", "1.0"), ("content-type", "application/json")), body)


def exchange(
    folder: Path, name: Name, request: Request, frames: list[bytes], at_ms: int, step_ms: int
) -> None:
    """One recorded exchange: a frame a chunk, `step_ms` between two."""
    at_ns = BEGAN_NS + at_ms * MS
    with Writer(str(folder), name, request, at_ns) as writer:
        writer.response(SSE, at_ns + MS)
        for number, one in enumerate(frames, 1):
            writer.chunk(at_ns + number * step_ms * MS, one)
        writer.seal("clean", at_ns + len(frames) * step_ms * MS)


def model_answer(tool: str) -> list[bytes]:
    call = {"index": 0, "id": CALL, "function": {"name": tool, "arguments": "{}"}}
    delta = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    return [f"data: {json.dumps(delta)}\n\n".encode(), b"data: [DONE]\n\n"]


def leaking(folder: Path, text: str = "price of A", tokens: int = 12) -> Path:
    """DA-09 as it leaks: client, one remote agent, one model call. `text` stands wherever a peer may write."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps({"run": folder.name, "legs": []}), encoding="utf-8")
    frames = [status("SUBMITTED"), status("WORKING")]
    frames += [token(f"{text} {at}", at) for at in range(tokens)]
    frames += [
        leak(text),
        leak(text, "call_01_Zx1", "verify-agent", as_text=True),
        token("after", 99),
        artifact({"text": text}, "a-text"),
        status("COMPLETED"),
    ]
    exchange(folder, Name("DA-09", "A2A_STREAM"), ask(text), frames, 0, 10)
    remote = [status("WORKING", "t-2"), artifact({"text": text}, "b-1", "t-2"), status("COMPLETED", "t-2")]
    called = ask(text, f"c-1_batch_{CALL}")
    exchange(folder, Name("DA-09", "A2A_STREAM", 1, "search-agent"), called, remote, 60, 10)
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})
    model = Request("POST", "/v1/chat/completions", (("content-type", "application/json"),), body)
    exchange(folder, Name("DA-09", "LLM", 1, "llm"), model, model_answer("search-agent"), 20, 10)
    return folder


def asking(folder: Path) -> Path:
    """An edpa round that stops with a proxy interrupt, masked as it must be; without journal, so without times."""
    folder.mkdir(parents=True, exist_ok=True)
    item = {"toolCallId": "call_01_Ab", "toolName": "versatile-adapter", "message": "go on?"}
    message = {
        "messageId": "m-1",
        "role": "ROLE_AGENT",
        "taskId": "t-3",
        "contextId": "c-3",
        "parts": [{"text": "go on?"}],
        "metadata": {"_interrupt": {"message": "go on?", "items": [item]}},
    }
    found = {
        "taskId": "t-3",
        "contextId": "c-3",
        "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": message},
    }
    body = status("WORKING", "t-3").replace(b"c-1", b"c-3") + frame({"statusUpdate": found})
    (folder / "EDPA-03-A2A_STREAM-r1.sse").write_bytes(body)
    return folder
