"""The reference agent on the official SDK's server: JSON-RPC and REST, v1.0 and v0.3, on a free port of loopback.

    with SdkServer() as server:
        server.url                    # http://127.0.0.1:NNNNN
        server.open("gate")           # lets `hold gate` go on

Cards: `/.well-known/agent-card.json` is the SDK's own, `/v10/...` names v1.0 interfaces only and `/v03/...`
is written as a v0.3 agent writes it (`url`, `additionalInterfaces`).
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from types import TracebackType
from typing import Any, Self

import uvicorn
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from tests.e2e.agent import ReferenceAgent

logging.getLogger("a2a").setLevel(logging.CRITICAL + 1)  # the agent raises on purpose

INTERFACES = (("JSONRPC", "1.0", "/rpc"), ("HTTP+JSON", "1.0", ""), ("JSONRPC", "0.3", "/rpc"))
WELL_KNOWN = "/.well-known/agent-card.json"
START = 20
"""Seconds that a server may take to start or to stop."""


def card(name: str, url: str) -> AgentCard:
    """The card that the SDK's server is made with."""
    return AgentCard(
        name=name,
        description="behaves as the first word says",
        version="1",
        supported_interfaces=[
            AgentInterface(url=url + path, protocol_binding=binding, protocol_version=version)
            for binding, version, path in INTERFACES
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="say", name="say", description="says it", tags=["test"])],
    )


def old_card(name: str, url: str) -> dict[str, Any]:
    """The card as a v0.3 agent serves it."""
    return {
        "protocolVersion": "0.3.0",
        "name": name,
        "description": "behaves as the first word says",
        "url": f"{url}/rpc",
        "preferredTransport": "JSONRPC",
        "additionalInterfaces": [
            {"url": f"{url}/rpc", "transport": "JSONRPC"},
            {"url": url, "transport": "HTTP+JSON"},
        ],
        "version": "1",
        "capabilities": {"streaming": True},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "say", "name": "say", "description": "says it", "tags": ["test"]}],
    }


def _old_card_route(name: str, url: str) -> Route:
    async def answer(request: Request) -> JSONResponse:
        return JSONResponse(old_card(name, url))

    return Route("/v03" + WELL_KNOWN, answer)


def _new_card_route(name: str, url: str) -> Route:
    interfaces = [
        {"url": url + path, "protocolBinding": binding, "protocolVersion": version}
        for binding, version, path in INTERFACES
        if version == "1.0"
    ]
    told = {**old_card(name, url), "supportedInterfaces": interfaces}
    for member in ("url", "additionalInterfaces", "preferredTransport", "protocolVersion"):
        del told[member]

    async def answer(request: Request) -> JSONResponse:
        return JSONResponse(told)

    return Route("/v10" + WELL_KNOWN, answer)


def _opener(agent: ReferenceAgent) -> Any:
    """POST opens one gate, DELETE forgets all: for clients that are processes of their own."""

    async def answer(request: Request) -> JSONResponse:
        if request.method == "DELETE":
            agent.gates.clear()
        else:
            agent.gates[request.path_params["gate"]].set()
        return JSONResponse(sorted(agent.gates))

    return answer


def application(agent: ReferenceAgent, url: str) -> Starlette:
    """The SDK's routes around `agent`, which is reached at `url`."""
    told = card(agent.name, url)
    handler = DefaultRequestHandler(agent_executor=agent, task_store=InMemoryTaskStore(), agent_card=told)
    routes: list[BaseRoute] = [
        _old_card_route(agent.name, url),
        _new_card_route(agent.name, url),
        Route("/gates/{gate}", _opener(agent), methods=["POST"]),
        Route("/gates", _opener(agent), methods=["DELETE"]),
        *create_agent_card_routes(told),
        *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True),
    ]
    return Starlette(routes=routes)


class _Server(uvicorn.Server):
    """Tells when it accepts."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.accepting = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.accepting.set()


class SdkServer:
    """A reference agent that answers on a free port, in a thread of its own, until the block ends."""

    def __init__(self, name: str = "entry") -> None:
        self.agent = ReferenceAgent(name)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            application(self.agent, self.url),
            http="h11", ws="none", lifespan="off", log_config=None, log_level="critical",
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._run, name=f"agent {name}")

    def open(self, gate: str) -> None:
        """Let `hold GATE` go on."""
        self._loop.call_soon_threadsafe(self.agent.gates[gate].set)

    def forget(self) -> None:
        """Close all gates."""
        self._loop.call_soon_threadsafe(self.agent.gates.clear)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._server.accepting.wait(START), "the agent did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(START)
        assert not self._thread.is_alive(), "the agent did not stop"

    def _run(self) -> None:
        import asyncio

        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[self._socket])

        asyncio.run(serve())


def main() -> None:
    """Serve until standard input ends; the address is the first line of standard output."""
    import sys

    with SdkServer() as server:
        print(json.dumps({"url": server.url}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
