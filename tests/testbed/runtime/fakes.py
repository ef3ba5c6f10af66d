"""A core that plays given chunks, remote agents that give given answers, and a client without sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import httpx

from harness.testbed.core.chunks import Turn, interaction
from harness.testbed.plan import Plan
from harness.testbed.runtime.orchestrator import Orchestrator, Profile
from harness.testbed.runtime.projection import Remote
from harness.testbed.runtime.remote import Question, RemoteAgents, Reply
from harness.testbed.runtime.server import Agent

CONTEXT = "ctx-demo-01"


class FakeCore:
    """Plays one list of chunks a turn, and remembers the turns."""

    def __init__(self, *turns: Sequence[Any]) -> None:
        self.turns: list[Turn] = []
        self._scripts = list(turns)

    async def stream(self, turn: Turn, plan: Plan) -> AsyncIterator[dict[str, Any]]:
        self.turns.append(turn)
        for step in self._scripts.pop(0):
            if isinstance(step, asyncio.Event):
                await step.wait()
            elif isinstance(step, Exception):
                raise step
            else:
                yield step

    async def close(self) -> None:
        pass


class Asked(NamedTuple):
    agent: str
    question: Question
    headers: Mapping[str, str]


class FakeRemotes(RemoteAgents):
    """Gives the next of its replies to each question, output first."""

    def __init__(self, *replies: Reply, output: Sequence[Remote] = (), together: int = 0) -> None:
        super().__init__({})
        self.asked: list[Asked] = []
        self.canceled: list[str] = []
        self.open = self.most = 0
        self.pause = 0.0
        self.until_canceled = False
        self._replies, self._output = list(replies), output
        self._together = asyncio.Barrier(together) if together else None

    async def ask(
        self,
        agent: str,
        question: Question,
        headers: Mapping[str, str],
        started: Callable[[str], None],
        output: Callable[[Remote], None],
    ) -> Reply:
        self.asked.append(Asked(agent, question, headers))
        reply = self._replies.pop(0)
        self.open += 1
        self.most = max(self.most, self.open)
        if reply.task_id:
            started(reply.task_id)
        for one in self._output:
            output(one)
        await asyncio.sleep(self.pause)
        if self.until_canceled:
            while not self.canceled:
                await asyncio.sleep(0)
        if self._together:
            await self._together.wait()
        self.open -= 1
        return reply

    async def cancel(self, agent: str, task_id: str) -> None:
        self.canceled.append(task_id)


def delegation(call: str, agent: str, text: str) -> dict[str, Any]:
    context = {"agentName": agent, "_interrupt_kind": "a2a_delegate"}
    return interaction(0, call, {"toolCallId": call, "toolName": agent, "message": text, "context": context})


def question(call: str, text: str) -> dict[str, Any]:
    value = {"toolCallId": call, "toolName": "request_user_input", "message": text}
    return interaction(0, call, value)


class Client:
    """Speaks to an agent that plays `core`; its streams are read to their end."""

    def __init__(
        self,
        core: FakeCore,
        remotes: RemoteAgents | None = None,
        plan: Plan | None = None,
        *,
        name: str = "deep-research",
        streamed: Sequence[str] = ("versatile-adapter",),
    ) -> None:
        profile = Profile(name, "deepagent", frozenset(streamed))
        plans = {CONTEXT: plan or Plan()}
        self.orchestrator = Orchestrator(profile, lambda kind: core, remotes or FakeRemotes(), plans)
        self._http = httpx.AsyncClient(
            transport=httpx.ASGITransport(Agent(self.orchestrator).app()), base_url="http://agent.test:1234"
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.aclose()
        await self.orchestrator.aclose()

    async def get(self, path: str) -> httpx.Response:
        return await self._http.get(path)

    async def post(self, content: str, **headers: str) -> httpx.Response:
        return await self._http.post("/a2a", content=content, headers=headers)

    async def call(self, method: str, params: Any, **headers: str) -> httpx.Response:
        body = {"jsonrpc": "2.0", "id": "req-7", "method": method, "params": params}
        return await self.post(json.dumps(body), **headers)

    async def stream(self, *parts: Any, task: str | None = None, **headers: str) -> httpx.Response:
        return await self.call("SendStreamingMessage", message(*parts, task=task), **headers)

    async def results(self, *parts: Any, task: str | None = None) -> list[dict[str, Any]]:
        return results(await self.stream(*parts, task=task))


def message(*parts: Any, task: str | None = None, metadata: Any = None) -> dict[str, Any]:
    shown = [{"text": part} if isinstance(part, str) else part for part in parts or ("go",)]
    one: dict[str, Any] = {"messageId": "u-1", "role": "ROLE_USER", "parts": shown, "contextId": CONTEXT}
    if task:
        one["taskId"] = task
    if metadata:
        one["metadata"] = metadata
    return {"message": one}


def results(response: httpx.Response) -> list[dict[str, Any]]:
    assert response.headers["content-type"] == "text/event-stream", response.text
    frames = response.text.removesuffix("\n\n").split("\n\n")
    return [json.loads(frame.removeprefix("event:jsonrpc\ndata:"))["result"] for frame in frames]


def states(got: list[dict[str, Any]]) -> list[str]:
    updates = [one["statusUpdate"]["status"]["state"] for one in got if "statusUpdate" in one]
    return [state.removeprefix("TASK_STATE_") for state in updates]


def task_of(got: list[dict[str, Any]]) -> str:
    return str(got[0]["statusUpdate"]["taskId"])


def interrupt(got: list[dict[str, Any]]) -> dict[str, Any]:
    return dict(got[-1]["statusUpdate"]["status"]["message"]["metadata"]["_interrupt"])


def texts(got: list[dict[str, Any]]) -> list[str]:
    updates = [one["artifactUpdate"]["artifact"]["parts"] for one in got if "artifactUpdate" in one]
    return [part["text"] for parts in updates for part in parts if "text" in part]
