"""Calls of remote agents: what a stream says, of any generation, and the names of what can go wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from harness.testbed.core.chunks import answer, token, workflow_final
from harness.testbed.runtime.frames import (
    Place,
    agent_message,
    artifact,
    artifact_update,
    envelope,
    sse,
    status_update,
    text_part,
)
from harness.testbed.runtime.projection import Failure, Mapper, Remote, failed
from harness.testbed.runtime.remote import Question, RemoteAgents, Reply

PLACE = Place("rt-1", "c-1")
STARTED = [status_update(PLACE, "SUBMITTED"), status_update(PLACE, "WORKING")]
COMPLETED = status_update(PLACE, "COMPLETED")


class Body(httpx.AsyncByteStream):
    """The given pieces; then the end, a fault, or silence."""

    def __init__(self, pieces, then=None):
        self._pieces, self._then = pieces, then

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        if isinstance(self._then, Exception):
            raise self._then
        if self._then:
            await asyncio.sleep(3600)


def stream(*results, then=None):
    pieces = [sse(envelope("r", result)) for result in results]
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Body(pieces, then))


class Seen:
    def __init__(self) -> None:
        self.started: list[str] = []
        self.output: list[Remote] = []
        self.requests: list[httpx.Request] = []


HELLO = Question("hello", "c-1")


def ask(response, question=HELLO, agent="a") -> tuple[Reply, Seen]:
    seen = Seen()

    def handle(request: httpx.Request) -> httpx.Response:
        seen.requests.append(request)
        if isinstance(response, Exception):
            raise response
        return response

    async def act() -> Reply:
        agents = RemoteAgents({"a": "http://a.test/a2a"}, transport=httpx.MockTransport(handle))
        headers = {"traceparent": "00-1-2-01"}
        reply = await agents.ask(agent, question, headers, seen.started.append, seen.output.append)
        await agents.aclose()
        return reply

    return asyncio.run(asyncio.wait_for(act(), 60)), seen


def content(*parts):
    return artifact_update(PLACE, artifact(list(parts)))


@pytest.mark.parametrize("generation", ["G1", "G2", "G3"])
@pytest.mark.parametrize("end", [answer, workflow_final])
def test_the_answer_is_read_and_only_output_is_shown(generation, end):
    mapper = Mapper(PLACE, generation)
    chunks = [
        token("llm_reasoning", 0, "hm"),
        token("llm_output", 1, "He"),
        token("llm_output", 2, "y"),
        end("Hey"),
    ]
    reply, seen = ask(stream(*STARTED, *map(mapper.chunk, chunks), COMPLETED))
    assert reply == Reply("COMPLETED", "rt-1", value="Hey")
    assert seen.started == ["rt-1"]
    assert [one.text for one in seen.output] == ["He", "y"]
    assert {(one.task_id, one.append, one.last_chunk) for one in seen.output} == {("rt-1", False, True)}


@pytest.mark.parametrize(
    ("results", "value"),
    [
        ([content(text_part("a")), content(text_part("b")), COMPLETED], "ab"),
        ([content(text_part('{"x":1}')), COMPLETED], '{"x":1}'),
        ([content({"data": {"x": 1}}), COMPLETED], '{"x":1}'),
        ([status_update(PLACE, "COMPLETED", agent_message(PLACE, "all done"))], "all done"),
        ([{"message": agent_message(PLACE, "direct")}], "direct"),
        ([{"task": {"id": "rt-1", "contextId": "c-1", "status": COMPLETED["statusUpdate"]["status"]}}], ""),
    ],
)
def test_other_agents_answers_are_read_too(results, value):
    reply, _ = ask(stream(*results))
    assert (reply.state, reply.value) == ("COMPLETED", value)


def test_the_request_is_a_streamed_message_that_continues_its_task():
    _, seen = ask(stream(COMPLETED), Question("4 star", "c-1_b_x", "rt-1"))
    [request] = seen.requests
    body = json.loads(request.content)
    message = body["params"]["message"]
    assert body["method"] == "SendStreamingMessage"
    assert (message["contextId"], message["taskId"], message["parts"]) == (
        "c-1_b_x",
        "rt-1",
        [{"text": "4 star"}],
    )
    assert (request.headers["A2A-Version"], request.headers["traceparent"]) == ("1.0", "00-1-2-01")


@pytest.mark.parametrize("then", [None, "silence"])
def test_a_question_is_read_and_a_stream_that_stays_open_is_left(then):
    asked = status_update(PLACE, "INPUT_REQUIRED", agent_message(PLACE, "Which?"))
    reply, _ = ask(stream(*STARTED, asked, then=then))
    assert reply == Reply("INPUT_REQUIRED", "rt-1", prompt="Which?")


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (httpx.ConnectError("refused"), "REMOTE_UNAVAILABLE"),
        (httpx.ReadTimeout("slow"), "REMOTE_TIMEOUT"),
        (httpx.Response(429, text="slow down"), "REMOTE_RATE_LIMITED"),
        (httpx.Response(503, json={"error": {"code": -32603}}), "REMOTE_OVERLOADED"),
        (httpx.Response(500, text="oops"), "REMOTE_PROTOCOL_ERROR"),
        (httpx.Response(200, text="<html>"), "REMOTE_PROTOCOL_ERROR"),
        (
            httpx.Response(200, json={"jsonrpc": "2.0", "id": "r", "error": {"code": -32001}}),
            "REMOTE_PROTOCOL_ERROR",
        ),
        (stream(*STARTED), "REMOTE_STREAM_CLOSED"),
        (stream(*STARTED, then=httpx.RemoteProtocolError("cut")), "REMOTE_STREAM_CLOSED"),
        (stream(*STARTED, failed(PLACE, Failure())), "REMOTE_BUSINESS_FAILURE"),
        (stream(*STARTED, status_update(PLACE, "REJECTED")), "REMOTE_BUSINESS_FAILURE"),
    ],
    ids=str,
)
def test_what_goes_wrong_has_a_name(response, code):
    reply, _ = ask(response)
    assert isinstance(reply.value, dict)
    assert list(reply.value) == ["ok", "code", "message", "remoteAgentId"]
    assert (reply.value["ok"], reply.value["code"], reply.value["remoteAgentId"]) == (False, code, "a")


def test_garbage_in_a_stream_has_a_name():
    body = Body([b"data:{}\n\n", b"data: [DONE]\n\n"])
    reply, _ = ask(httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=body))
    assert reply.value["code"] == "REMOTE_PROTOCOL_ERROR"


def test_an_agent_that_nobody_knows_has_a_name():
    reply, seen = ask(stream(COMPLETED), agent="nobody")
    assert (reply.value["code"], seen.requests) == ("REMOTE_UNAVAILABLE", [])
