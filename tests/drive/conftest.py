"""A driver that is called like a function, and peers whose every byte is the test's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from harness import scenario as scenarios
from harness.drive import Driven, Step, Target, drive
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.frames import TASK, frame

HEAD = "version: 1\nname: S\ntopology: t\ntimeout: 20\nrounds:\n"
CONTEXT = "ctx-1"


def sent(request: bytes) -> dict[str, Any]:
    """The JSON-RPC body of a request."""
    body: dict[str, Any] = json.loads(request.partition(b"\r\n\r\n")[2])
    return body


def header(request: bytes, name: str) -> str | None:
    lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    found = [line.partition(":")[2].strip() for line in lines if line.lower().startswith(name.lower() + ":")]
    return found[0] if found else None


def run(url: str, rounds: str, *, protocol: str = "v1.0", head: str = HEAD, **more: Any) -> Driven:
    """Drive the rounds of a YAML list."""
    made = scenarios.parse(head + rounds, "s.yaml")
    target = Target(url, protocol, more.pop("headers", ()))
    return asyncio.run(drive(made, target, CONTEXT, **more))


@pytest.fixture
def steps() -> list[Step]:
    return []


def answering(*answers: Callable[[Peer], None]) -> Callable[[Peer], None]:
    """A script that answers the first request with the first of `answers`, and so on."""
    waiting = list(answers)

    def script(peer: Peer) -> None:
        waiting.pop(0)(peer)

    return script


def streamed(*frames: bytes, end: bool = True) -> Callable[[Peer], None]:
    """Sends frames as one stream, which stays open where `end` is False."""

    def script(peer: Peer) -> None:
        peer.head()
        for one in frames:
            peer.chunk(one)
        if end:
            peer.end()
        else:
            peer.until_left()

    return script


def refused(status: int) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.head(status, (("content-length", "0"),), chunked=False)

    return script


def asking(*calls: tuple[str, str]) -> bytes:
    """INPUT_REQUIRED with a masked proxy of (toolCallId, toolName), as the openJiuwen runtime says it."""
    items = [{"toolCallId": call, "toolName": tool, "message": "which?"} for call, tool in calls]
    message = {
        "role": "ROLE_AGENT", "parts": [{"text": "Remote agent requires input"}], "messageId": "m", "contextId": CONTEXT,
        "taskId": TASK, "metadata": {"_interrupt": {"message": "Remote agent requires input", "items": items}},
    }  # fmt: skip
    status = {"state": "TASK_STATE_INPUT_REQUIRED", "message": message}
    return frame({"statusUpdate": {"taskId": TASK, "contextId": CONTEXT, "status": status}})


__all__ = ["FaultServer"]
