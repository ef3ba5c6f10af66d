"""The model over HTTP, in the words of OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from harness.testbed.model.server import app
from tests.testbed.model.serving import model_server

TOOLS = [{"type": "function", "function": {"name": "search-agent", "parameters": {}}}]
USER = [{"role": "user", "content": "hi"}]


def post(body, content=None):
    async def run():
        transport = httpx.ASGITransport(app())
        async with httpx.AsyncClient(transport=transport, base_url="http://model") as client:
            sent = content if content is not None else json.dumps(body)
            return await client.post("/v1/chat/completions", content=sent)

    return asyncio.run(run())


def ask(model, **members):
    return post({"model": model, "messages": USER, "tools": TOOLS, **members})


def events(answer):
    *told, rest = answer.text.split("\n\n")
    assert rest == ""
    return [one.removeprefix("data: ") for one in told]


def test_models_are_the_scripts():
    async def run():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app()), base_url="http://model") as client:
            return await client.get("/v1/models")

    names = [one["id"] for one in asyncio.run(run()).json()["data"]]
    assert {"plain", "research"} <= set(names)


def test_a_stream_has_role_text_reason_usage_and_an_end():
    answer = ask("plain", stream=True, stream_options={"include_usage": True})
    assert answer.headers["content-type"].startswith("text/event-stream")
    *told, done = events(answer)
    assert done == "[DONE]"
    chunks = [json.loads(one) for one in told]
    assert {one["object"] for one in chunks} == {"chat.completion.chunk"}
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    deltas = [one["choices"][0]["delta"] for one in chunks if one["choices"]]
    assert "".join(delta.get("content", "") for delta in deltas) == "The answer is 42."
    assert "".join(delta.get("reasoning_content", "") for delta in deltas)
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] > 0


def test_usage_is_told_only_on_wish():
    assert not any("usage" in json.loads(one) for one in events(ask("plain", stream=True))[:-1])


def test_tool_calls_come_in_pieces():
    chunks = [json.loads(one) for one in events(ask("parallel?calls=2", stream=True))[:-1]]
    parts = [p for c in chunks for p in c["choices"][0]["delta"].get("tool_calls", ())]
    assert [part["index"] for part in parts if "id" in part] == [0, 1]
    for number in (0, 1):
        own = [part for part in parts if part["index"] == number]
        assert len(own) > 2
        assert own[0]["function"] == {"name": "search-agent", "arguments": ""}
        assert json.loads("".join(part["function"]["arguments"] for part in own)).keys() == {"remoteInput"}
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_without_stream_the_answer_is_one_json():
    told = ask("single").json()
    assert told["object"] == "chat.completion"
    message = told["choices"][0]["message"]
    assert message["tool_calls"][0]["function"]["name"] == "search-agent"
    assert told["choices"][0]["finish_reason"] == "tool_calls"
    assert set(told["usage"]) == {"prompt_tokens", "completion_tokens", "total_tokens"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"model": "nobody", "messages": USER}, 404, "model_not_found"),
        ({"model": "plain"}, 400, None),
        ({"model": "plain", "messages": ["x"]}, 400, None),
        ({"model": "plain?calls=many", "messages": USER}, 400, "invalid_parameter"),
        ({"model": "plain?speed=1", "messages": USER}, 400, "invalid_parameter"),
    ],
)
def test_what_can_not_be_served_is_an_openai_error(body, status, code):
    answer = post(body)
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "query",
    ["pace=nan", "pace=61", "pace=-1", "status=99", "calls=65", "tokens=-5", "order=up&tokens=x", "x=1"],
)
def test_numbers_that_no_script_takes_are_refused(query):
    answer = ask(f"research?{query}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_parameter")


@pytest.mark.parametrize(
    "members", [{"tools": 7}, {"tools": [5, {"function": 5}, {"function": {}}]}, {"stream_options": [1]}]
)
def test_members_of_another_form_are_as_absent(members):
    assert ask("research", **members).status_code == 200


def test_a_body_that_is_no_json_is_told():
    assert post(None, content=b"{").status_code == 400


@pytest.mark.parametrize("status", [400, 429, 500, 503])
def test_the_model_can_fail(status):
    answer = ask(f"fail?status={status}", stream=True)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


def test_the_model_can_fail_in_mid_stream():
    told = events(ask("fail-midstream", stream=True))
    assert "error" in json.loads(told[-1])
    assert "[DONE]" not in told


def test_the_model_can_answer_garbage():
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(events(ask("garbage", stream=True))[-1])


def test_over_a_socket_each_token_is_a_chunk_of_its_own(no_hang):
    """With a pace, as real servers stream."""
    with model_server() as serving, httpx.Client() as client:
        body = {"model": "plain?pace=0.005", "messages": USER, "stream": True}
        with client.stream("POST", f"{serving.url}/chat/completions", json=body) as answer:
            reads = list(answer.iter_raw())
    assert len(reads) > 3


def test_a_client_that_leaves_ends_a_hanging_answer(no_hang):
    with model_server() as serving, httpx.Client() as client:
        body = {"model": "hang", "messages": USER, "stream": True}
        with client.stream("POST", f"{serving.url}/chat/completions", json=body) as answer:
            assert next(answer.iter_raw()).startswith(b"data: ")
