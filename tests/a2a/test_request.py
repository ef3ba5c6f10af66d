"""Requests of every version and binding say the same things in the same words (a2a.md section 1.1)."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from harness.a2a.request import Asked, asked
from harness.model.capture import Capture, Request

MESSAGE = {"messageId": "u", "role": "ROLE_USER", "taskId": "t", "contextId": "c", "parts": [{"text": "x"}]}


def ask(body: Any = None, target: str | None = None, headers: tuple[tuple[str, str], ...] = ()) -> Asked:
    text = body if isinstance(body, str) or body is None else json.dumps(body)
    return asked(Capture("c", "c", "sse", request=Request("POST", target, headers, text)))


def rpc(method: str, params: Any, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params, **more}


@pytest.mark.parametrize(
    ("method", "operation", "streaming", "dialect"),
    [
        ("SendStreamingMessage", "stream", True, "v1.0"),
        ("message/stream", "stream", True, "v0.3"),
        ("SendMessage", "send", False, "v1.0"),
        ("message/send", "send", False, "v0.3"),
    ],
)
def test_messages_over_jsonrpc(method: str, operation: str, streaming: bool, dialect: str) -> None:
    found = ask(rpc(method, {"message": MESSAGE}))
    assert (found.known, found.method, found.operation, found.streaming) == (
        True,
        method,
        operation,
        streaming,
    )
    assert (found.dialect, found.binding) == (dialect, "jsonrpc")
    assert (found.task_id, found.context_id, found.rpc_id, found.has_id) == ("t", "c", 7, True)


@pytest.mark.parametrize(
    ("method", "operation"),
    [
        ("SubscribeToTask", "subscribe"),
        ("tasks/resubscribe", "subscribe"),
        ("GetTask", "get"),
        ("tasks/cancel", "cancel"),
    ],
)
def test_task_methods_name_their_task(method: str, operation: str) -> None:
    found = ask(rpc(method, {"id": "t"}))
    assert (found.operation, found.task_id) == (operation, "t")


@pytest.mark.parametrize(
    ("target", "body", "operation", "task", "dialect"),
    [
        ("/message:stream", {"message": MESSAGE}, "stream", "t", "v1.0"),
        ("/tenant/message:send?x=1", {"message": MESSAGE}, "send", "t", "v1.0"),
        ("/v1/message:stream", {"request": {"content": []}}, "stream", None, "v0.3"),
        ("/v1/message:stream", {"request": {"message_id": "u", "task_id": "t"}}, "stream", "t", "v0.3"),
        ("/tasks/t%201:subscribe", None, "subscribe", "t 1", "v1.0"),
        ("/v1/tasks/t:subscribe", None, "subscribe", "t", "v0.3"),
        ("/tasks/t", None, "get", "t", "v1.0"),
        ("/tasks/t:cancel", None, "cancel", "t", "v1.0"),
        ("/tasks", None, "list", None, "v1.0"),
        (None, {"request": {"messageId": "u", "content": [{"text": "x"}]}}, None, None, "v0.3"),
        (None, {"message": MESSAGE}, None, "t", "v1.0"),
    ],
)
def test_rest(target: str | None, body: Any, operation: str | None, task: str | None, dialect: str) -> None:
    found = ask(body, target)
    assert (found.known, found.operation, found.task_id) == (True, operation, task)
    assert (found.dialect, found.binding) == (dialect, "rest")
    assert found.streaming == (None if operation is None else operation in ("stream", "subscribe"))


def test_the_version_stands_in_the_header_or_the_query() -> None:
    body = rpc("Nope", {})
    assert ask(body, "/", (("a2a-version", "1.0"),)).version == "1.0"
    assert ask(body, "/?A2A-Version=0.3").version == "0.3"
    assert ask(body, "/", (("a2a-version", ""),)).version is None
    assert ask(body, "/", (("a2a-version", "1.0"),)).dialect == "v1.0"
    assert not ask(body, "/").has_headers


def test_ids_keep_every_digit() -> None:
    assert ask('{"jsonrpc":"2.0","id":9007199254740993.0,"method":"x"}').rpc_id == Decimal(
        "9007199254740993.0"
    )
    assert ask(rpc("x", {}, id="7")).rpc_id == "7"
    assert not ask({"jsonrpc": "2.0", "method": "x"}).has_id


def test_answers_are_targeted_or_not() -> None:
    parts = [{"text": "a", "metadata": {"toolCallId": "c1"}}, {"text": "b", "metadata": {}}, "junk"]
    found = ask(rpc("SendStreamingMessage", {"message": {**MESSAGE, "parts": parts}}))
    assert (found.targeted, found.untargeted) == (("c1",), 2)


def test_a_capture_may_know_what_the_request_does_not_tell() -> None:
    found = asked(Capture("c", "c", "wirelog", protocol="A2A_STREAM", task_id="t", context_id="c"))
    assert (found.known, found.task_id, found.context_id, found.streaming) == (False, "t", "c", True)


def test_an_openjiuwen_query_is_no_a2a_request() -> None:
    found = ask({"conversation_id": "c", "message": "x"}, "/v1/query")
    assert (found.dialect, found.streaming, found.context_id) == ("openjiuwen-core", True, "c")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        "5",
        '{"jsonrpc":5,"method":[],"params":7}',
        '{"message":{"parts":5}}',
        "[" * 100_000,
    ],
)
@pytest.mark.parametrize("target", [None, "/", "http://[", "/tasks/:::", "/?" + "&" * 5000])
def test_any_request_is_read(body: str, target: str | None) -> None:
    assert isinstance(ask(body, target), Asked)
