"""The agent as a client of other agents: one streamed A2A v1.0 call, read to its end.

What can go wrong has the runtime's own names, from REMOTE_TIMEOUT to REMOTE_STREAM_CLOSED; nothing
is raised for what a remote agent does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any, NamedTuple

import httpx

from harness import jsontext
from harness.testbed.runtime.frames import new_id
from harness.testbed.runtime.projection import Remote
from harness.testbed.runtime.reading import Reading
from harness.wire.sse import Decoder

type Json = dict[str, Any]

CONNECT_S = 5.0
IDLE_S = 60.0
"""So long a remote agent may be silent."""
LEAVE_S = {"INPUT_REQUIRED": 0.25, "COMPLETED": 2.0, "FAILED": 2.0, "CANCELED": 2.0, "REJECTED": 2.0}
"""So long a stream may stay open after a state that ends the turn before it is left."""

STATUSES = {429: "REMOTE_RATE_LIMITED", 503: "REMOTE_OVERLOADED"}


class Question(NamedTuple):
    """One message to a remote agent."""

    text: str
    context_id: str
    task_id: str | None = None
    """The task that it continues."""


class Reply(NamedTuple):
    """How a remote turn ended: `value` is what the caller's model gets, `prompt` what it asks."""

    state: str
    task_id: str = ""
    prompt: str = ""
    value: str | Json = ""


class Broken(Exception):
    """A call that gave no outcome; `code` is one of REMOTE_..."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def failure(code: str, message: str, agent: str) -> Json:
    """What the model gets in place of a result."""
    return {"ok": False, "code": code, "message": message, "remoteAgentId": agent}


class RemoteAgents:
    """Calls of one agent to its peers; `urls` by agent name."""

    def __init__(
        self,
        urls: Mapping[str, str],
        idle_s: float = IDLE_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._urls = urls
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        timeout = httpx.Timeout(idle_s, connect=CONNECT_S)
        self._http = httpx.AsyncClient(timeout=timeout, limits=limits, trust_env=False, transport=transport)

    async def aclose(self) -> None:
        """Give the connections back."""
        await self._http.aclose()

    async def ask(
        self,
        agent: str,
        question: Question,
        headers: Mapping[str, str],
        started: Callable[[str], None],
        output: Callable[[Remote], None],
    ) -> Reply:
        """The remote agent's answer. `started` is told its task's id, `output` what it shows on the way."""
        try:
            reading = Reading(started, output)
            async with aclosing(self._results(agent, question, headers)) as results:
                async for result in results:
                    reading.take(result)
            return _reply(reading, agent)
        except Broken as broken:
            return Reply("FAILED", value=failure(broken.code, str(broken), agent))
        except httpx.TimeoutException:
            return Reply("FAILED", value=failure("REMOTE_TIMEOUT", "the remote agent is silent", agent))
        except httpx.ConnectError as error:
            return Reply("FAILED", value=failure("REMOTE_UNAVAILABLE", str(error), agent))
        except httpx.TransportError as error:
            return Reply("FAILED", value=failure("REMOTE_STREAM_CLOSED", str(error), agent))

    async def cancel(self, agent: str, task_id: str) -> None:
        """Ask the remote agent to stop; whether it does shows on its stream."""
        body = {"jsonrpc": "2.0", "id": new_id(), "method": "CancelTask", "params": {"id": task_id}}
        try:
            await self._http.post(self._url(agent), json=body, headers={"A2A-Version": "1.0"})
        except httpx.TransportError:
            return

    def _url(self, agent: str) -> str:
        if agent not in self._urls:
            raise Broken("REMOTE_UNAVAILABLE", f"no remote agent is called {agent}")
        return self._urls[agent]

    async def _results(
        self, agent: str, question: Question, headers: Mapping[str, str]
    ) -> AsyncGenerator[Json]:
        sent = {"A2A-Version": "1.0", "Accept": "text/event-stream", **headers}
        async with self._http.stream(
            "POST", self._url(agent), json=_request(question), headers=sent
        ) as response:
            await _accept(response)
            decoder, chunks = Decoder(), response.aiter_bytes()
            limit: float | None = None
            while chunk := await _next(chunks, limit):
                for frame in decoder.feed(chunk):
                    result = _result(frame.data)
                    limit = LEAVE_S.get(_state(result))
                    yield result


async def _next(chunks: AsyncIterator[bytes], limit: float | None) -> bytes:
    """The next bytes, or nothing at the end or when a stream that asked stays open for `limit` seconds."""
    try:
        async with asyncio.timeout(limit):
            return await anext(chunks, b"")
    except TimeoutError:
        return b""


def _request(question: Question) -> Json:
    message: Json = {
        "messageId": new_id(),
        "role": "ROLE_USER",
        "parts": [{"text": question.text}],
        "contextId": question.context_id,
    }
    if question.task_id:
        message["taskId"] = question.task_id
    params = {"message": message}
    return {"jsonrpc": "2.0", "id": new_id(), "method": "SendStreamingMessage", "params": params}


async def _accept(response: httpx.Response) -> None:
    status, kind = response.status_code, response.headers.get("content-type", "")
    if status == 200 and kind.startswith("text/event-stream"):
        return
    text = (await response.aread()).decode(errors="replace")[:200]
    raise Broken(STATUSES.get(status, "REMOTE_PROTOCOL_ERROR"), f"HTTP {status} {kind}: {text}")


def _result(data: str) -> Json:
    value = jsontext.read(data)
    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        return dict(value["result"])
    if isinstance(value, dict) and isinstance(value.get("error"), dict):
        raise Broken("REMOTE_PROTOCOL_ERROR", str(value["error"].get("message")))
    raise Broken("REMOTE_PROTOCOL_ERROR", f"no A2A event: {data[:200]}")


def _state(result: Json) -> str:
    status = (result.get("statusUpdate") or {}).get("status") or {}
    return str(status.get("state")).removeprefix("TASK_STATE_")


def _reply(reading: Reading, agent: str) -> Reply:
    if reading.state == "COMPLETED":
        return Reply("COMPLETED", reading.task_id, value=reading.answer())
    if reading.state == "INPUT_REQUIRED":
        return Reply("INPUT_REQUIRED", reading.task_id, prompt=reading.message)
    if reading.state in ("FAILED", "REJECTED", "CANCELED"):
        text = reading.message or reading.state
        return Reply(reading.state, reading.task_id, value=failure("REMOTE_BUSINESS_FAILURE", text, agent))
    raise Broken("REMOTE_STREAM_CLOSED", "the stream ended before the task")
