"""The model as the agent calls it, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest

from harness.testbed.core.model_client import ModelClient, ModelError, Said, ToolCall
from harness.testbed.core.rails import cards
from tests.testbed.model.serving import model_server

USER = [{"role": "user", "content": "hi"}]


def call(url, model, headers=None):
    async def run():
        client = ModelClient(url)
        try:
            return [one async for one in client.stream(model, USER, cards(["search-agent"]), headers or {})]
        finally:
            await client.close()

    return asyncio.run(run())


def test_pieces_then_the_whole():
    with model_server() as model:
        *pieces, said = call(model.url, "plain?tokens=6")
    assert isinstance(said, Said)
    assert (
        said.content == "".join(one.text for one in pieces if one.kind == "llm_output") == "The answer is 42."
    )
    assert said.reasoning == "".join(one.text for one in pieces if one.kind == "llm_reasoning")
    assert said.tokens[0] > 0


def test_calls_are_put_together_and_sent_back_as_they_came():
    with model_server() as model:
        said = call(model.url, "parallel?calls=2")[-1]
    assert [one.name for one in said.calls] == ["search-agent", "search-agent"]
    assert all(one.given["remoteInput"] for one in said.calls)
    told = said.message["tool_calls"][1]
    assert told["id"] == said.calls[1].id
    assert told["function"]["arguments"] == said.calls[1].arguments


def test_headers_are_passed_on():
    with model_server() as model:
        call(model.url, "plain", {"traceparent": "00-1-2-01"})
    assert model.asked[0].headers["traceparent"] == "00-1-2-01"
    assert model.asked[0].body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("script", "word"),
    [
        ("fail", "500 - model overloaded"),
        ("fail?status=429", "429"),
        ("fail-midstream", "model overloaded"),
        ("garbage", "no completion chunk"),
        ("nobody", "does not exist"),
    ],
)
def test_faults_are_told(script, word):
    with model_server() as model, pytest.raises(ModelError, match=word):
        call(model.url, script)


def test_a_model_that_is_not_there_is_told():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(ModelError, match="ConnectError"):
        call(f"http://127.0.0.1:{port}/v1", "plain")


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_arguments_that_are_no_object_are_none(text):
    assert ToolCall("c", "t", text).given == {}
    assert ToolCall("c", "t", json.dumps({"a": 1})).given == {"a": 1}
