"""One agent as an HTTP service: A2A v1.0 over JSON-RPC and SSE at /a2a, its card at both well-known paths.

`A2A-Version` is not checked, as in the Java runtime. Unlike there, CancelTask is served: a driver
must be able to end what it began.
"""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from harness.testbed.runtime.card import card
from harness.testbed.runtime.frames import agent_message, envelope, error_envelope, sse
from harness.testbed.runtime.inbound import (
    Message,
    Request,
    RpcError,
    message_of,
    parsed,
    request_of,
    task_id_of,
)
from harness.testbed.runtime.interrupts import Refused
from harness.testbed.runtime.orchestrator import Orchestrator, Turnover
from harness.testbed.runtime.tasks import Listener, Task

PROPAGATED = ("traceparent", "tracestate")
"""Headers of a client's request that go on to the model and to remote agents."""

type Headers = dict[str, str]
type Method = Callable[[Request, Headers], Awaitable[Response]]


class Agent:
    """The HTTP face of one orchestrator."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._methods: dict[str, Method] = {
            "SendMessage": self._send,
            "SendStreamingMessage": self._stream,
            "GetTask": self._get,
            "SubscribeToTask": self._subscribe,
            "CancelTask": self._cancel,
        }

    def app(self) -> Starlette:
        """The service."""
        routes = [
            Route("/a2a", self._rpc, methods=["POST"]),
            Route("/a2a/", self._rpc, methods=["POST"]),
            Route("/.well-known/agent-card.json", self._card),
            Route("/.well-known/agent.json", self._card),
        ]
        return Starlette(routes=routes, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        await self._orchestrator.aclose()

    async def _card(self, request: HttpRequest) -> Response:
        base = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return JSONResponse(card(self._orchestrator.profile.name, base))

    async def _rpc(self, http: HttpRequest) -> Response:
        request_id = None
        try:
            value = parsed(await http.body())
            request_id = value.get("id") if isinstance(value, dict) else None
            request = request_of(value)
            if request.method not in self._methods:
                raise RpcError(-32601, f"Method not found: {request.method}")
            headers = {name: http.headers[name] for name in PROPAGATED if name in http.headers}
            return await self._methods[request.method](request, headers)
        except RpcError as error:
            return _json(error_envelope(request_id, error.code, error.message, error.details))
        except Exception:  # noqa: BLE001 - a fault of the agent's own is answered as JSON-RPC has it
            traceback.print_exc()
            return _json(error_envelope(request_id, -32603, "Internal error"))

    async def _send(self, request: Request, headers: Headers) -> Response:
        message = message_of(request.params)
        if message.steer and (task := self._task(message.task_id or "")).is_working:
            self._orchestrator.tasks.steer(task.place.context_id).put_nowait(message.text)
            return _json(envelope(request.id, {"message": agent_message(task.place, "steering accepted")}))
        taken = self._take(message, headers)
        listener = taken.task.listen()
        self._orchestrator.begin(taken)
        if not (request.params.get("configuration") or {}).get("returnImmediately"):
            while await listener.events.get() is not None:
                pass
        taken.task.leave(listener)
        return _json(envelope(request.id, {"task": taken.task.snapshot()}))

    async def _stream(self, request: Request, headers: Headers) -> Response:
        taken = self._take(message_of(request.params), headers)
        stays = self._orchestrator.played(taken.task.place.context_id).plan.keep_open
        listener = taken.task.listen(stays=stays)
        self._orchestrator.begin(taken)
        return _Events(request.id, taken.task, listener)

    async def _get(self, request: Request, headers: Headers) -> Response:
        return _json(envelope(request.id, self._task(task_id_of(request.params)).snapshot()))

    async def _subscribe(self, request: Request, headers: Headers) -> Response:
        task = self._task(task_id_of(request.params))
        if task.is_over:
            place, state = task.place.task_id, task.status["state"]
            raise RpcError(-32004, f"Cannot subscribe to task {place} - task is in terminal state: {state}")
        listener = task.listen(stays=True)
        listener.events.put_nowait({"task": task.snapshot()})
        return _Events(request.id, task, listener)

    async def _cancel(self, request: Request, headers: Headers) -> Response:
        task = self._task(task_id_of(request.params))
        if task.is_over:
            raise RpcError(-32002, "Task cannot be canceled")
        await self._orchestrator.cancel(task)
        return _json(envelope(request.id, task.snapshot()))

    def _task(self, task_id: str) -> Task:
        task = self._orchestrator.tasks.get(task_id)
        if task is None:
            raise RpcError(-32001, "Task not found")
        return task

    def _take(self, message: Message, headers: Headers) -> Turnover:
        """The turn that a message asks for."""
        if message.task_id is None:
            return self._orchestrator.open(message, headers)
        task = self._task(message.task_id)
        if task.is_over or task.is_working:
            raise RpcError(-32004, _not_accepted(task))
        if message.context_id not in (None, task.place.context_id):
            raise RpcError(-32602, f"Invalid params: task {message.task_id} is of another context")
        try:
            return self._orchestrator.resume(task, message, headers)
        except Refused as refused:
            raise RpcError(-32602, "Invalid params", {"businessCode": refused.code}) from refused


def _not_accepted(task: Task) -> str:
    which, state = f"Cannot send message to task {task.place.task_id}", task.status["state"]
    if task.is_over:
        return f"{which}: task is in terminal state {state} and cannot accept further messages"
    return f"{which}: task is in state {state} and takes steering only"


class _Events(StreamingResponse):
    """The stream of one listener, which leaves with its client, however early."""

    def __init__(self, request_id: Any, task: Task, listener: Listener) -> None:
        super().__init__(self._frames(request_id), headers={"content-type": "text/event-stream"})
        self._task, self._listener = task, listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._task.leave(self._listener)

    async def _frames(self, request_id: Any) -> AsyncIterator[bytes]:
        while (result := await self._listener.events.get()) is not None:
            yield sse(envelope(request_id, result))


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")
