"""Agents of the package `openjiuwen` as an application builds them: factory, rail, tool, handler, server.

The package's `A2AServer` publishes the results that its handler yields, and a handler is the application's: where
the package wires an agent to the server by itself (`enable_a2a`), it hands over chunks, which are no results
(`raw` here). The handler here adds and leaves out nothing: each chunk becomes an artifact with one data part, and
the interactions, which end the agent's stream, one artifact with a part each and the state INPUT_REQUIRED.

An entry that coordinates does before that what the Java runtime's orchestrator does: delegations are not given
to the client; the remote agents are called for all of them at once, through the package's own A2A client, and
the results go back into the agent as one answer. Chunks on the content channel pass in both cases.
"""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from openjiuwen.core.common.logging.log_config import configure_log_config
from openjiuwen.core.controller.schema.task import TaskStatus
from openjiuwen.core.foundation.llm import Model, ModelClientConfig, ModelRequestConfig
from openjiuwen.core.foundation.tool import LocalFunction, ToolCard
from openjiuwen.core.runner import Runner
from openjiuwen.core.runner.drunner.remote_client.remote_agent import RemoteAgent
from openjiuwen.core.runner.drunner.remote_client.remote_client_config import ProtocolEnum
from openjiuwen.core.session import InteractiveInput
from openjiuwen.core.single_agent.interrupt.response import InterruptRequest
from openjiuwen.core.single_agent.schema.agent_card import AgentCard
from openjiuwen.core.single_agent.schema.agent_result import AgentResult, Artifact, Part
from openjiuwen.extensions.a2a.a2a_server import A2AServer
from openjiuwen.harness.factory import create_deep_agent
from openjiuwen.harness.rails.interrupt.interrupt_base import BaseInterruptRail

if TYPE_CHECKING:
    from system import Entry

DELEGATE, INTERACTION = "a2a_delegate", "__interaction__"
ANSWER = "answer"
TIMEOUT = 20
"""Seconds that a call of the remote agent may take."""

configure_log_config({"level": "ERROR", "output": ["file"]})


class DelegateRequest(InterruptRequest):
    """The package's request of an interrupt, and the context that the Java runtime's rail gives it."""

    context: dict[str, str] = {}  # noqa: RUF012  pydantic copies it


class DelegateRail(BaseInterruptRail):
    """A call of the remote-agent tool interrupts the agent; what comes back for it is the tool's result."""

    async def resolve_interrupt(
        self, ctx: Any, tool_call: Any, user_input: Any, auto_confirm_config: dict[str, Any] | None = None
    ) -> Any:
        if user_input is not None:
            return self.reject(tool_result=user_input)
        context = {"agentName": tool_call.name, "_interrupt_kind": DELEGATE}
        return self.interrupt(DelegateRequest(message=_asked(tool_call.arguments), context=context))


def _asked(arguments: str) -> str:
    """The text for the remote agent in a tool call's arguments, whatever the argument is called."""
    return next((str(value) for value in json.loads(arguments).values()), "")


def _remote_tool(name: str) -> LocalFunction:
    """A remote agent as a tool; the rail answers for it, and the function never runs."""
    text = {"remoteInput": {"type": "string"}}
    schema = {"type": "object", "properties": text, "required": [*text]}
    card = ToolCard(id=name, name=name, description=f"Asks {name}.", input_params=schema)
    return LocalFunction(card=card, func=_never)


def _never(remoteInput: str) -> str:
    raise NotImplementedError(remoteInput)


class System:
    """All that the servers of one process share: addresses, and the folder for their workspaces."""

    def __init__(self, folder: str, *, model_url: str, remotes: dict[str, str]) -> None:
        self._folder = folder
        self._model_url = model_url
        self._remotes = remotes
        self._agents: dict[tuple[int, str], Any] = {}
        self._waiting: dict[tuple[int, str], list[str]] = {}
        """The interactions that a conversation's client was left with."""

    def server(self, told: Entry) -> A2AServer:
        """The package's own server around one entry's agents."""
        handlers = {"answer": self._as_remote, "raw": self._as_it_is}
        answer = handlers.get(told.delivers, self._as_entry)
        return A2AServer(
            agent_card=_card(told.name),
            stream_handler=lambda inputs: answer(told, inputs),
            interface_url=f"{told.url}/a2a/jsonrpc/",
        )

    async def _as_entry(self, told: Entry, inputs: dict[str, Any]) -> AsyncIterator[AgentResult]:
        context_id, query = inputs["sessionId"], self._said(told, inputs)
        while True:
            interactions = []
            async for chunk in self._stream(told, context_id, query):
                if chunk.type == INTERACTION:
                    interactions.append(chunk)
                else:
                    yield _published(chunk)
            delegated = _delegations(interactions) if told.delivers == "coordinate" else []
            if not delegated:
                break
            query = await self._call_all(delegated, context_id)
        if interactions:
            self._waiting[told.port, context_id] = [one.payload.id for one in interactions]
            yield _published(*interactions, status=TaskStatus.INPUT_REQUIRED)

    def _said(self, told: Entry, inputs: dict[str, Any]) -> Any:
        """The client's text: a new one, or the answer to all that the conversation waits for."""
        text = inputs.get("query", "")
        waiting = self._waiting.pop((told.port, inputs["sessionId"]), None)
        return _resumed(dict.fromkeys(waiting, text)) if waiting else text

    async def _as_remote(self, told: Entry, inputs: dict[str, Any]) -> AsyncIterator[AgentResult]:
        """Only the answer, as text: the package's A2A client makes protobuf text of data parts."""
        async for chunk in self._stream(told, inputs["sessionId"], inputs.get("query", "")):
            if chunk.type == ANSWER:
                part = Part(text=str(chunk.payload["output"]))
                yield AgentResult(artifacts=[Artifact(artifactId=uuid.uuid4().hex, parts=[part])])

    def _as_it_is(self, told: Entry, inputs: dict[str, Any]) -> AsyncIterator[Any]:
        """Chunks, as the package's own `AgentAdapter` gives them to the server."""
        return self._stream(told, inputs["sessionId"], inputs.get("query", ""))

    def _stream(self, told: Entry, context_id: str, query: Any) -> AsyncIterator[Any]:
        inputs = {"query": query, "conversation_id": context_id}
        return Runner.run_agent_streaming(self._agent(told, context_id), inputs)

    def _agent(self, told: Entry, context_id: str) -> Any:
        """One agent a conversation: a new one that gets two requests at once answers none of them."""
        key = told.port, context_id
        if key not in self._agents:
            self._agents[key] = self._new(told, f"{told.port}-{len(self._agents)}")
        return self._agents[key]

    def _new(self, told: Entry, id: str) -> Any:
        """A DeepAgent as the package's factory builds it."""
        remotes = [] if told.delivers == "answer" else [*self._remotes]
        client = ModelClientConfig(client_provider="OpenAI", api_key="none", api_base=self._model_url)
        return create_deep_agent(
            Model(client, ModelRequestConfig(model=told.model)),
            card=_card(told.name, id),
            system_prompt=f"You are {told.name}.",
            tools=[_remote_tool(name) for name in remotes],
            rails=[DelegateRail(remotes)] if remotes else [],
            enable_task_loop=told.loop,
            enable_read_image_multimodal=False,
            max_iterations=10,
            workspace=os.path.join(self._folder, id),
        )

    async def _call_all(self, delegated: list[Any], context_id: str) -> InteractiveInput:
        """Call the remote agents once for each delegation, at once; what the agent resumes with."""
        batch = uuid.uuid4().hex[:8]
        answers = await asyncio.gather(
            *(self._call(one, f"{context_id}_{batch}_{one.tool_call_id}") for one in delegated)
        )
        return _resumed(dict(zip((one.tool_call_id for one in delegated), answers, strict=True)))

    async def _call(self, asked: Any, context_id: str) -> str:
        """What the remote agent answers, called through the package's own client."""
        name = asked.tool_name
        config = {"url": self._remotes[name], "kwargs": {"card": _card(name)}}
        remote = RemoteAgent(name, protocol=ProtocolEnum.A2A, config=config)
        inputs = {"query": asked.message, "conversation_id": context_id}
        try:
            result = await remote.invoke(inputs, timeout=TIMEOUT)
        finally:
            await remote.client.stop()
        texts = [part.text for artifact in result.artifacts for part in artifact.parts if part.text]
        return texts[-1]


def _published(*chunks: Any, status: TaskStatus = TaskStatus.WORKING) -> AgentResult:
    """Chunks for the package's server: one artifact with a data part each."""
    parts = [Part(data=chunk.model_dump(mode="json")) for chunk in chunks]
    return AgentResult(status=status, artifacts=[Artifact(artifactId=uuid.uuid4().hex, parts=parts)])


def _resumed(answers: dict[str, str]) -> InteractiveInput:
    """What an agent goes on with, by interaction."""
    resumed = InteractiveInput()
    for call, answer in answers.items():
        resumed.update(call, answer)
    return resumed


def _delegations(interactions: list[Any]) -> list[Any]:
    """The requests of the agent's delegations; empty unless all that it asks is one."""
    asked = [one.payload.value for one in interactions]
    kinds = {getattr(one, "context", {}).get("_interrupt_kind") for one in asked}
    return asked if kinds == {DELEGATE} else []


def _card(name: str, id: str | None = None) -> AgentCard:
    return AgentCard(id=id or name, name=name, description="A DeepAgent.")
