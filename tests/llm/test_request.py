"""The request of a chat completion, as OpenAI's API reference writes it, and as real agents send it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.llm.request import MOST, request
from harness.llm.values import Message, ToolCall

RECORDED = Path(__file__).resolve().parents[2] / "captures/golden/openjiuwen-python/fake_llm_requests.jsonl"


def asked(*messages: object, **more: object) -> str:
    return json.dumps({"model": "m", "messages": list(messages), **more})


def test_roles_texts_and_ids() -> None:
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "search-agent", "arguments": '{"q":"A"}'},
    }
    read = request(
        asked(
            {"role": "system", "content": "You are a test."},
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "image_url"}, {"text": "b"}],
            },
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "content": "A costs 1", "tool_call_id": "call_1"},
        )
    )
    assert read.flaw is None
    assert read.model == "m"
    assert read.messages == (
        Message("system", "You are a test."),
        Message("user", "a\nb"),
        Message("assistant", "", None, (ToolCall("call_1", "search-agent", '{"q":"A"}'),)),
        Message("tool", "A costs 1", "call_1"),
    )


def test_tools_that_are_offered() -> None:
    tools = [{"type": "function", "function": {"name": "search-agent"}}, {"type": "function"}, 7]
    assert request(asked(tools=tools)).tools == ("search-agent",)
    assert request(asked(tools="search-agent")).tools == ()


def test_arguments_that_are_an_object() -> None:
    call = {"id": "c", "function": {"name": "t", "arguments": {"q": "甲"}}}
    [message] = request(asked({"role": "assistant", "tool_calls": [call]})).messages
    assert message.calls == (ToolCall("c", "t", '{"q": "甲"}'),)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (None, "was not recorded"),
        ("", "was not recorded"),
        (asked({"role": "user", "content": "hello"})[:-9], "no whole JSON"),
        ('{"model":"m","input":"hello"}', "no chat completion (model, input)"),
        ('{"messages":{}}', "no chat completion (messages)"),
        ("[1]", "no chat completion (no object)"),
        (asked("hello"), "a message of the request is no object"),
        (asked(*[{"role": "user"}] * (MOST + 1)), f"over {MOST} are not read"),
    ],
)
def test_what_can_not_be_read_is_told(body: str | None, told: str) -> None:
    assert told in (request(body).flaw or "")


@pytest.mark.parametrize(
    "value", [7, None, "x", [], {"role": 7, "content": 7, "tool_calls": 7}, {"tool_calls": [7, {}]}]
)
def test_nothing_raises(value: object) -> None:
    request(asked(value))


def test_the_recorded_requests_of_a_real_agent() -> None:
    """openjiuwen.md section 7: three delegations of one turn, and what was told of each."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    read = [request(line) for line in lines]
    assert all(one.flaw is None for one in read)
    calls = [call for one in read for message in one.messages for call in message.calls]
    delegated = [call for call in calls if call.name == "search-agent"]
    assert {call.arguments for call in delegated} >= {
        '{"remoteInput": "vendor A price"}',
        '{"remoteInput": "vendor B price"}',
        '{"remoteInput": "vendor C price"}',
    }
    results = {m.tool_call_id: m.text for one in read for m in one.messages if m.role == "tool"}
    assert {results[call.id] for call in delegated} <= {
        "remote result text", *(f"res {call.id}" for call in delegated)
    }  # fmt: skip
    assert not any(m.text.startswith("[STEERING]") for one in read for m in one.messages)
