"""The reference agent: an executor of the official SDK whose behaviour is the first word of the message.

complete, ask, fail, reject, raise, raise0, drop, msg, echo, hold, wait, secret, delegate; any other word is
answered like `complete`. The words and what they say are those of captures/golden/a2a-sdk-1.3.0.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Role, SendMessageRequest

PIECES = ("你好,", "line1\nline2\r\n", "emoji 😀 done")
HELD = 6
"""Pieces of `hold` in all: two before the gate opens, four behind it."""


class ReferenceAgent(AgentExecutor):
    """One agent. `remotes` are the base addresses of the agents that it delegates to, by name."""

    def __init__(self, name: str = "entry") -> None:
        self.name = name
        self.remotes: dict[str, str] = {}
        self.gates: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        """What `hold NAME` waits for."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Do what the first word says."""
        said = context.get_user_input()
        word, _, rest = said.partition(" ")
        if word == "msg":
            await event_queue.enqueue_event(self._message(context, "just a message"))
            return
        if word == "raise0":
            raise ValueError("boom at once")
        if context.current_task is None:
            assert context.message is not None
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
        assert context.task_id is not None
        assert context.context_id is not None
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work(self._message(context, "thinking…"))
        await self._act(word, rest, context, updater)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Stop the task."""
        assert context.task_id is not None
        assert context.context_id is not None
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.cancel(self._message(context, "stopped"))

    async def _act(self, word: str, rest: str, context: RequestContext, updater: TaskUpdater) -> None:
        if word == "drop":
            return
        if word == "delegate":
            await self._delegate(rest, context, updater)
        elif word == "hold":
            await self._hold(rest, updater)
        elif word in ("echo", "secret"):
            await self._pieces(updater, (rest,))
        else:
            await self._pieces(updater, PIECES)
        await self._end(word, context, updater)

    async def _end(self, word: str, context: RequestContext, updater: TaskUpdater) -> None:
        if word == "raise":
            raise ValueError("boom mid stream")
        if word == "wait":
            await asyncio.Event().wait()
        ends = {
            "ask": (updater.requires_input, "which city?"),
            "fail": (updater.failed, "could not do it"),
            "reject": (updater.reject, "not for me"),
        }
        end, text = ends.get(word, (updater.complete, "all done"))
        await end(self._message(context, text))

    async def _pieces(self, updater: TaskUpdater, pieces: tuple[str, ...]) -> None:
        for number, piece in enumerate(pieces):
            await self._piece(updater, piece, first=number == 0, last=number == len(pieces) - 1)

    async def _piece(self, updater: TaskUpdater, text: str, *, first: bool, last: bool) -> None:
        await updater.add_artifact(
            [new_text_part(text)], "art-1", name="answer", append=None if first else True, last_chunk=last
        )

    async def _hold(self, name: str, updater: TaskUpdater) -> None:
        for number in range(HELD):
            if number == 2:
                await self.gates[name].wait()
            await self._piece(updater, f"s{number} ", first=number == 0, last=number == HELD - 1)

    async def _delegate(self, said: str, context: RequestContext, updater: TaskUpdater) -> None:
        """`delegate NAME TEXT`: send TEXT to the remote by its card, with a child context id, and pass it on."""
        name, _, text = said.partition(" ")
        child = f"{context.context_id}_batch-1_call-{name}"
        message = Message(
            message_id=f"m-{child}", role=Role.ROLE_USER, context_id=child, parts=[new_text_part(text)]
        )
        answers: list[str] = []
        async with httpx.AsyncClient(timeout=20) as http:
            client = await ClientFactory(ClientConfig(httpx_client=http)).create_from_url(self.remotes[name])
            async for event in client.send_message(SendMessageRequest(message=message)):
                parts = event.artifact_update.artifact.parts
                answers += [part.text for part in parts if part.text]
        await self._pieces(updater, (f"{name} says: ", *answers))

    def _message(self, context: RequestContext, text: str) -> Message:
        return new_text_message(text, context_id=context.context_id, task_id=context.task_id)
