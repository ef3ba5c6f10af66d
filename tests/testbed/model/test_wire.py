"""Replies as OpenAI's chunks."""

from __future__ import annotations

import json

from harness.testbed.model import wire
from harness.testbed.model.reply import Reply, ToolCall

REPLY = Reply(("Let ", "me. "), ("Hi",), (ToolCall("call_00_x", "t", '{"a": "b c d"}'),), None, 9)


def deltas(reply):
    return [one["choices"][0]["delta"] for one in wire.chunks(reply, "m", with_usage=False)]


def test_deltas_are_role_then_reasoning_then_text_then_calls_then_none():
    kinds = [next(iter(delta), None) for delta in deltas(REPLY)]
    assert kinds[:4] == ["role", "reasoning_content", "reasoning_content", "content"]
    assert set(kinds[4:-1]) == {"tool_calls"}
    assert kinds[-1] is None


def test_a_reply_with_a_fault_has_no_finish_reason():
    told = list(wire.chunks(REPLY._replace(fault="midstream"), "m", with_usage=True))
    assert all(one["choices"][0]["finish_reason"] is None for one in told)


def test_whole_and_streamed_say_the_same():
    message = wire.whole(REPLY, "m")["choices"][0]["message"]
    parts = [part for delta in deltas(REPLY) for part in delta.get("tool_calls", ())]
    assert message["tool_calls"][0]["function"]["arguments"] == "".join(
        p["function"]["arguments"] for p in parts
    )
    assert message["reasoning_content"] == "Let me. "


def test_an_event_is_one_line_of_json():
    event = wire.event({"text": "a\nb 🙂"})
    assert event.startswith(b"data: {")
    assert event.endswith(b"}\n\n")
    assert event.count(b"\n") == 2
    assert json.loads(event[6:]) == {"text": "a\nb 🙂"}
