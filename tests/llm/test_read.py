"""A recorded model call: what the recorder writes, read back."""

from __future__ import annotations

import json
from pathlib import Path

from harness.capture import find
from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.llm import Message, ToolCall, read
from harness.model.capture import Capture, Head, Request

JSON = (("content-type", "application/json"),)
SSE = (("content-type", "text/event-stream"),)
ASKED = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hello"}]})
STREAM = (
    b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c0",'
    b'"function":{"name":"t","arguments":"{}"}}]}}]}\n\n'
    b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n'
    b"data: [DONE]\n\n"
)


def recorded(folder: Path, body: bytes | None, *, status: int = 200, ending: str = "clean") -> Capture:
    headers = SSE if body is None or body.startswith(b"data") else JSON
    with Writer(
        str(folder), Name("DA-09", "LLM", 2, "llm"), Request("POST", "/v1/chat/completions", (), ASKED), 5
    ) as it:
        if body is not None:
            it.response(Head(status, headers), 6)
            it.chunk(7, body)
        it.seal(ending, 9)  # type: ignore[arg-type]
    [found] = find([str(folder)]).captures
    return found


def test_a_streamed_call(tmp_path: Path) -> None:
    call = read(recorded(tmp_path, STREAM), 5, 9)
    assert (call.scenario, call.round, call.group, call.model) == ("DA-09", 2, str(tmp_path), "m")
    assert call.messages == (Message("user", "hello"),)
    assert call.calls == (ToolCall("c0", "t", "{}"),)
    assert (call.began_ns, call.ended_ns) == (5, 9)
    assert (call.request_flaw, call.answer_flaw) == (None, None)


def test_a_call_that_is_not_streamed(tmp_path: Path) -> None:
    call = read(recorded(tmp_path, b'{"choices":[{"message":{"content":"ok"}}]}'))
    assert (call.text, call.answer_flaw) == ("ok", None)


def test_a_model_that_fails_calls_nothing(tmp_path: Path) -> None:
    call = read(recorded(tmp_path, b'{"error":"no"}', status=500))
    assert (call.calls, call.answer_flaw) == ((), None)


def test_a_model_that_refuses_calls_nothing(tmp_path: Path) -> None:
    assert read(recorded(tmp_path, None, ending="refused")).answer_flaw is None


def test_a_stream_that_is_cut(tmp_path: Path) -> None:
    call = read(recorded(tmp_path, STREAM[:150], ending="upstream_cut"))
    assert call.request_flaw is None
    assert call.answer_flaw


def test_a_body_that_is_gone(tmp_path: Path) -> None:
    capture = recorded(tmp_path, STREAM)
    Path(capture.path).unlink()
    assert read(capture).answer_flaw
