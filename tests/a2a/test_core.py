"""Core chunks: what ends their rounds, and on which channel they speak (semantics sections 1 and 3)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.a2a.frames import read


def chunk(kind: str, payload: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "index": 0, "payload": payload, **more}


ASK = {"id": "call_1", "value": {"toolCallId": "call_1", "toolName": "ask_user", "message": "City?"}}


@pytest.mark.parametrize(
    ("value", "state", "channel"),
    [
        (chunk("llm_output", {"content": "a"}), None, "content"),
        (chunk("llm_output", {"content": "a"}, _py="OutputSchema", last_chunk=True), None, "content"),
        (chunk("__interaction__", ASK), "input-required", "content"),
        (chunk("__interaction__", ASK, message="City?", toolCallId="call_1"), "input-required", "control"),
        (
            {"type": "__interaction__", "message": "interaction batch", "items": []},
            "input-required",
            "control",
        ),
        ({"message": "Which?", "items": [{"toolCallId": "c"}]}, "input-required", "control"),
        ({"message": "Which?", "_interrupt": {"targetAgentId": "x"}}, "input-required", "control"),
        (chunk("answer", {"output": "42", "result_type": "answer"}), "completed", "content"),
        (chunk("answer", {"output": "42", "error": ""}), "completed", "content"),
        (chunk("answer", {"output": "x", "result_type": "error"}), "failed", "content"),
        (chunk("answer", {"output": "", "result_type": "", "error": "boom"}), "failed", "content"),
        (
            chunk("controller_output", {"type": "task_failed", "data": [{"text": "boom"}]}),
            "failed",
            "content",
        ),
        (chunk("controller_output", {"type": "task_completion", "data": []}), None, "content"),
        ({"_exception": "FrameworkError('boom')"}, "failed", "content"),
        ({"type": "error", "error": {"message": "boom"}}, "failed", "content"),
        ({"content": "x", "metadata": {"agentEvent": {"type": "output"}}}, None, "content"),
        ({"content": "x", "projection": {}}, None, "content"),
        ({"result": {"role": "assistant", "content": "42"}, "conversation_id": "c"}, "completed", "content"),
        (
            {"result": {"content": "?", "_interrupt": {"message": "?"}}, "conversation_id": "c"},
            "input-required",
            "control",
        ),
    ],
)
def test_a_chunk_says_how_its_round_stands(value: Any, state: str | None, channel: str) -> None:
    event = read(value)
    assert (event.kind, event.dialect, event.state) == ("chunk", "openjiuwen-core", state)
    (region,) = event.regions
    assert region.channel == channel


@pytest.mark.parametrize(
    "value",
    [
        chunk("answer", {"error": "boom"}),
        chunk("controller_output", {"type": "task_failed", "data": [{"type": "text", "text": "boom"}]}),
        {"_exception": "boom"},
        {"type": "error", "error": "boom"},
    ],
)
def test_a_failure_keeps_its_words(value: Any) -> None:
    assert read(value).error_message == "boom"


def test_the_resume_marker_is_no_chunk() -> None:
    assert read({"_marker": "RESUME", "ids": []}, framing="jsonl").kind == "resume"


@pytest.mark.parametrize(
    "value", [{"type": "text-delta", "id": "1", "delta": "x"}, {"type": "error", "errorText": "x"}]
)
def test_other_protocols_are_foreign(value: Any) -> None:
    assert read(value).kind == "foreign"
