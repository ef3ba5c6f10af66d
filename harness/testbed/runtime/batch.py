"""The delegations of one turn: called at once, kept until all have answered, answered by toolCallId."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.testbed.core.chunks import Chunk, interaction_of
from harness.testbed.runtime.interrupts import Refused
from harness.testbed.runtime.projection import Call, Mapper, Remote
from harness.testbed.runtime.remote import Question, RemoteAgents, Reply

type Json = dict[str, Any]

MAX_CONCURRENCY = 16


class Member:
    """One delegation and how far it is."""

    def __init__(self, call: Call, text: str, *, forwards: bool) -> None:
        self.call = call
        self.text: str | None = text
        """What the remote agent is to be sent next."""
        self.forwards = forwards
        self.task_id: str | None = None
        self.reply: Reply | None = None

    @property
    def prompt(self) -> str:
        """What the remote agent asks."""
        return self.reply.prompt if self.reply else ""

    @property
    def waits(self) -> bool:
        """The remote agent asked and has no answer yet."""
        return self.text is None and self.reply is not None and self.reply.state == "INPUT_REQUIRED"


class Wire:
    """What a batch needs of the agent that it belongs to."""

    def __init__(
        self,
        agents: RemoteAgents,
        mapper: Mapper,
        publish: Callable[[Json], None],
        headers: Mapping[str, str],
        gate: asyncio.Semaphore,
    ) -> None:
        self.agents, self.mapper, self.publish = agents, mapper, publish
        self.headers, self.gate = headers, gate


class Batch:
    """All delegations of one turn."""

    def __init__(self, batch_id: str, members: Sequence[Member]) -> None:
        self.batch_id = batch_id
        self.members = members

    @property
    def waiting(self) -> list[Member]:
        """Those whose remote agent asked."""
        return [one for one in self.members if one.waits]

    def results(self) -> dict[str, object]:
        """What the core is resumed with: toolCallId to value."""
        return {one.call.tool_call_id: one.reply.value for one in self.members if one.reply}

    def answer(self, answers: Mapping[str, str]) -> None:
        """Take the client's answers, all or none, by toolCallId; `""` answers the only one that waits."""
        waiting = {one.call.tool_call_id: one for one in self.waiting}
        if "" in answers and len(waiting) > 1:
            raise Refused("REMOTE_TOOL_INPUT_TARGET_MISSING")
        if not waiting or not waiting.keys() >= answers.keys() - {""}:
            raise Refused("REMOTE_TOOL_INPUT_TARGET_UNKNOWN")
        for call_id, text in answers.items():
            waiting[call_id or next(iter(waiting))].text = text

    async def run(self, wire: Wire, *, serial: bool = False) -> None:
        """Send every member what it is to be sent; returns when each has answered, asked or failed."""
        ready = [one for one in self.members if one.text is not None]
        if serial:
            for member in ready:
                await self._send(member, wire)
            return
        async with asyncio.TaskGroup() as group:
            for member in ready:
                group.create_task(self._send(member, wire))

    async def cancel(self, agents: RemoteAgents) -> None:
        """Ask the remote agents that work to stop."""
        open_ = [one for one in self.members if one.task_id and (one.reply is None or one.waits)]
        await asyncio.gather(*(agents.cancel(one.call.target, str(one.task_id)) for one in open_))

    async def _send(self, member: Member, wire: Wire) -> None:
        call, text = member.call, member.text or ""
        context = f"{wire.mapper.place.context_id}_{self.batch_id}_{call.tool_call_id}"
        question = Question(text, context, member.task_id)
        member.text, is_new = None, member.task_id is None

        def started(task_id: str) -> None:
            member.task_id = task_id
            if is_new:
                _publish(wire, wire.mapper.delegation(call, task_id))

        def output(got: Remote) -> None:
            if member.forwards or wire.mapper.generation == "G3":
                wire.publish(wire.mapper.remote_output(call, got))

        async with wire.gate:
            reply = await wire.agents.ask(call.target, question, wire.headers, started, output)
        member.reply = reply
        if member.task_id:
            _publish(wire, wire.mapper.remote_status(call, member.task_id, reply.state))


def _publish(wire: Wire, result: Json | None) -> None:
    if result is not None:
        wire.publish(result)


def member_of(chunk: Chunk, batch_id: str, streamed: frozenset[str]) -> Member:
    """The delegation that a core raised; the client is shown the output of agents that are `streamed`."""
    said = interaction_of(chunk)
    target = str((said.context or {}).get("agentName") or said.tool)
    call = Call(batch_id, str(said.call_id), str(said.tool or target), target, said.message)
    return Member(call, said.message, forwards=target in streamed)
