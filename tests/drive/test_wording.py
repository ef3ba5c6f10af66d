"""Requests of both versions, member by member (A2A 1.0 section 9.4, A2A 0.3 section 7)."""

from __future__ import annotations

import json
import re

import pytest

from harness.drive.wording import Wording, traceparent
from harness.model.scenario import Part

PARTS = ((Part("hi"), None), (Part(data='{"n":1.50}'), "call_1"), (Part(url="http://x/a"), None))


@pytest.mark.parametrize(
    ("protocol", "method", "head", "parts"),
    [
        (
            "v1.0",
            "SendStreamingMessage",
            {"role": "ROLE_USER"},
            [
                {"text": "hi"},
                {"data": {"n": 1.5}, "metadata": {"toolCallId": "call_1"}},
                {"url": "http://x/a"},
            ],
        ),
        (
            "v0.3",
            "message/stream",
            {"kind": "message", "role": "user"},
            [
                {"kind": "text", "text": "hi"},
                {"kind": "data", "data": {"n": 1.5}, "metadata": {"toolCallId": "call_1"}},
                {"kind": "file", "file": {"uri": "http://x/a"}},
            ],
        ),
    ],
)
def test_a_message(protocol: str, method: str, head: dict, parts: list) -> None:
    text = Wording(protocol).message("r1", PARTS, context_id="c", task_id="t")
    read = json.loads(text)
    message = read["params"].pop("message")
    assert re.fullmatch("[0-9a-f]{32}", message.pop("messageId"))
    assert read == {"jsonrpc": "2.0", "id": "r1", "method": method, "params": {}}
    assert message == {**head, "contextId": "c", "taskId": "t", "parts": parts}
    assert '"n":1.50' in text


@pytest.mark.parametrize(("protocol", "method"), [("v1.0", "SendMessage"), ("v0.3", "message/send")])
def test_a_steering_text(protocol: str, method: str) -> None:
    read = json.loads(Wording(protocol).message("r1", PARTS[:1], context_id="c", task_id="t", steer=True))
    assert read["method"] == method
    assert read["params"]["message"]["metadata"] == {"steer": True}


@pytest.mark.parametrize(("protocol", "method"), [("v1.0", "CancelTask"), ("v0.3", "tasks/cancel")])
def test_cancelling(protocol: str, method: str) -> None:
    assert json.loads(Wording(protocol).cancel("r1", "t")) == {
        "jsonrpc": "2.0", "id": "r1", "method": method, "params": {"id": "t"},
    }  # fmt: skip


def test_a_new_task_has_no_task_id() -> None:
    read = json.loads(Wording("v1.0").message("r1", PARTS[:1], context_id="c", task_id=None))
    assert "taskId" not in read["params"]["message"]
    assert "metadata" not in read["params"]["message"]


def test_traces_are_new_each_time() -> None:
    assert re.fullmatch("00-[0-9a-f]{32}-[0-9a-f]{16}-01", traceparent())
    assert traceparent() != traceparent()
