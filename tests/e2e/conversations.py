"""What a client does with the reference agent, case by case, with the official SDK's client.

`play` gives the events that the client yields, as JSON values; an exception of the SDK is an event too. Ids are
replaced by the order of their first appearance and times by a constant, so that two runs can be compared.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import httpx
from a2a.client import A2AClientError, Client, ClientConfig, ClientFactory
from a2a.helpers import new_text_part
from a2a.types import (
    CancelTaskRequest,
    Message,
    Role,
    SendMessageRequest,
    StreamResponse,
    SubscribeToTaskRequest,
)
from a2a.utils.errors import A2AError
from google.protobuf.json_format import MessageToDict

DEADLINE = 30
"""Seconds for one conversation."""


class Way(NamedTuple):
    """One binding of one protocol version, as the card at `path` offers it."""

    name: str
    path: str
    binding: str


WAYS = (
    Way("v1.0-jsonrpc", "/v10", "JSONRPC"),
    Way("v1.0-rest", "/v10", "HTTP+JSON"),
    Way("v0.3-jsonrpc", "/v03", "JSONRPC"),
    Way("v0.3-rest", "/v03", "HTTP+JSON"),
)
SINGLE = ("complete", "fail", "reject", "raise", "raise0", "drop", "msg")
CASES = (*SINGLE, "ask", "cancel", "subscribe", "parallel")
GATES = ("gate-1", "gate-2", "gate-3")


class Talk(NamedTuple):
    """A client, the prefix of its context ids, and how it lets `hold` go on."""

    client: Client
    name: str
    open: Callable[[str], None]

    def message(self, text: str, context: str = "", task: str = "") -> SendMessageRequest:
        """A user's message; the context is named after the talk where none is given."""
        context = context or f"{self.name}-{text.split()[1]}"
        message = Message(
            message_id=f"m-{text}", role=Role.ROLE_USER, context_id=context, task_id=task,
            parts=[new_text_part(text)],
        )  # fmt: skip
        return SendMessageRequest(message=message)


async def play(
    case: str,
    base: str,
    way: Way,
    opener: Callable[[str], None],
    transport: httpx.AsyncBaseTransport | None = None,
) -> list[Any]:
    """The events of `case`, a word of CASES or a whole message, at the agent whose card is below `base`."""
    async with asyncio.timeout(DEADLINE), httpx.AsyncClient(timeout=DEADLINE, transport=transport) as http:
        config = ClientConfig(httpx_client=http, supported_protocol_bindings=[way.binding])
        client = await ClientFactory(config).create_from_url(base + way.path)
        talk = Talk(client, f"{case.replace(' ', '-')}-{way.name}", opener)
        return compared(await _PLAYS.get(case, _single(case))(talk))


def run(case: str, base: str, way: Way, opener: Callable[[str], None], transport: Any = None) -> list[Any]:
    """`play` for those who have no event loop."""
    return asyncio.run(play(case, base, way, opener, transport))


async def told(stream: AsyncIterator[StreamResponse]) -> list[Any]:
    """All events of one stream; the SDK's exception is the last one."""
    return [event async for event in _events(stream)]


async def _events(stream: AsyncIterator[StreamResponse]) -> AsyncIterator[dict[str, Any]]:
    try:
        async for event in stream:
            yield MessageToDict(event)
    except (A2AError, A2AClientError) as error:
        yield {"exception": f"{type(error).__name__}: {error}"}


def _single(case: str) -> Callable[[Talk], Any]:
    async def conversation(talk: Talk) -> list[Any]:
        text = case if " " in case else f"{case} please"
        return await told(talk.client.send_message(talk.message(text)))

    return conversation


async def _ask(talk: Talk) -> list[Any]:
    first = await told(talk.client.send_message(talk.message("ask please")))
    status = first[-1]["statusUpdate"]
    answer = talk.message("complete Beijing", status["contextId"], status["taskId"])
    return [*first, *await told(talk.client.send_message(answer))]


async def _cancel(talk: Talk) -> list[Any]:
    seen: list[Any] = []
    answer: dict[str, Any] = {}
    async for event in _events(talk.client.send_message(talk.message("wait please"))):
        seen.append(event)
        if event.get("artifactUpdate", {}).get("lastChunk"):
            task = event["artifactUpdate"]["taskId"]
            answer = MessageToDict(await talk.client.cancel_task(CancelTaskRequest(id=task)))
    return [*seen, {"canceled": answer["status"]["state"]}]


async def _subscribe(talk: Talk) -> list[Any]:
    """A second stream of a running task; what it gets behind its snapshot, the first one gets too."""
    first: list[Any] = []
    second: list[Any] = []
    task: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def follow() -> None:
        request = SubscribeToTaskRequest(id=await task)
        async for event in _events(talk.client.subscribe(request)):
            second.append(event)
            if len(second) == 1:
                talk.open("gate-1")

    async with asyncio.TaskGroup() as group:
        group.create_task(follow())
        async for event in _events(talk.client.send_message(talk.message("hold gate-1"))):
            first.append(event)
            if event.get("artifactUpdate", {}).get("artifact", {}).get("parts") == [{"text": "s1 "}]:
                task.set_result(event["artifactUpdate"]["taskId"])
    return [*first, *second]


async def _parallel(talk: Talk) -> list[Any]:
    """Three streams at once; none goes on before all have begun, and they end last to first."""
    begun: set[str] = set()
    ended = {gate: asyncio.Event() for gate in GATES}

    async def one(gate: str) -> list[Any]:
        seen = []
        async for event in _events(talk.client.send_message(talk.message(f"hold {gate}"))):
            seen.append(event)
            if event.get("artifactUpdate", {}).get("artifact", {}).get("parts") == [{"text": "s1 "}]:
                begun.add(gate)
                if len(begun) == len(GATES):
                    talk.open(GATES[-1])
        ended[gate].set()
        return seen

    async def open_in_turn() -> None:
        for gate, following in zip(GATES[:0:-1], GATES[-2::-1], strict=True):
            await ended[gate].wait()
            talk.open(following)

    streams, _ = await asyncio.gather(asyncio.gather(*map(one, GATES)), open_in_turn())
    return [event for stream in streams for event in stream]


_PLAYS: dict[str, Callable[[Talk], Any]] = {
    "ask": _ask, "cancel": _cancel, "subscribe": _subscribe, "parallel": _parallel,
}  # fmt: skip


def told_by(events: list[Any]) -> str:
    """The text of the artifact that the events make."""
    updates = [event["artifactUpdate"]["artifact"] for event in events if "artifactUpdate" in event]
    return "".join(part["text"] for update in updates for part in update["parts"])


_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


def compared(value: list[Any]) -> list[Any]:
    """`value` with ids numbered as they appear and times made equal. Iterative: depth is no matter."""
    numbers: dict[str, str] = {}

    def plain(text: str) -> str:
        text = _ADDRESS.sub("<address>", text)
        return _UUID.sub(lambda found: numbers.setdefault(found[0], f"<id {len(numbers) + 1}>"), text)

    copy: list[Any] = []
    todo: list[tuple[Any, Any, Any]] = [(copy, None, item) for item in reversed(value)]
    while todo:
        target, key, item = todo.pop()
        if isinstance(item, dict | list):
            inner: Any = {} if isinstance(item, dict) else []
            _put(target, key, inner)
            pairs = sorted(item.items()) if isinstance(item, dict) else [(None, one) for one in item]
            todo += [(inner, name, one) for name, one in reversed(pairs)]
        else:
            _put(
                target,
                key,
                "<time>" if key == "timestamp" else plain(item) if isinstance(item, str) else item,
            )
    return copy


def _put(target: Any, key: Any, value: Any) -> None:
    if key is None:
        target.append(value)
    else:
        target[key] = value
