"""The model server on a port of its own, and what it was asked."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn

from harness.testbed.model.server import app

if TYPE_CHECKING:
    from collections.abc import Iterator


class Asked(NamedTuple):
    """One request that reached the model."""

    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]


class Serving(NamedTuple):
    """A running model server."""

    url: str
    asked: list[Asked]


class _Spy:
    """The application, with a note of each request."""

    def __init__(self, asked: list[Asked]) -> None:
        self._app, self._asked = app(), asked

    async def __call__(self, scope, receive, send):
        read = []

        async def received():
            event = await receive()
            if event["type"] == "http.request":
                read.append(event["body"])
                if not event["more_body"]:
                    headers = {k.decode(): v.decode() for k, v in scope["headers"]}
                    self._asked.append(Asked(headers, json.loads(b"".join(read))))
            return event

        await self._app(scope, received if scope["method"] == "POST" else receive, send)


@contextmanager
def model_server() -> Iterator[Serving]:
    """A model server in a thread; it is gone when the block ends."""
    asked: list[Asked] = []
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))  # asyncio sets TCP_NODELAY only where the socket names its protocol
        listening.listen()
        config = uvicorn.Config(_Spy(asked), log_level="warning", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield Serving(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", asked)
        finally:
            server.should_exit = True
            thread.join()
