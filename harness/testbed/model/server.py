"""The model's HTTP server: OpenAI chat completions, streamed and not, played from scripts.

The request's `model` names the script and its numbers (`research?calls=3&tokens=12`), its messages say which
step comes next. Nothing is kept between two requests.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from harness.testbed.model import wire
from harness.testbed.model.reply import Reply, reply
from harness.testbed.model.scripts import SCRIPTS, Parameters
from harness.testbed.plan import LIMITS, LONGEST_PACE_S

FOREVER_S = 86_400.0
BATCH = 8
"""Events that one write carries where the script sets no pace."""


class _Refused(Exception):
    """The request can not be served; answered with `status` and an OpenAI error body."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class _Order(NamedTuple):
    """A request, read."""

    model: str
    reply: Reply
    given: Parameters
    stream: bool
    with_usage: bool


def app() -> Starlette:
    """The model as an ASGI application."""
    return Starlette(
        routes=[
            Route("/v1/chat/completions", _completions, methods=["POST"]),
            Route("/v1/models", _models, methods=["GET"]),
        ]
    )


async def _models(request: Request) -> Response:
    names = [{"id": name, "object": "model", "created": 0, "owned_by": "testbed"} for name in SCRIPTS]
    return JSONResponse({"object": "list", "data": names})


async def _completions(request: Request) -> Response:
    try:
        order = _read(await request.body())
    except _Refused as refused:
        body = wire.error(str(refused), "invalid_request_error", refused.code)
        return JSONResponse(body, refused.status)
    if order.reply.fault == "http":
        return JSONResponse(wire.error("model overloaded", "server_error", "overloaded"), order.given.status)
    if not order.stream:
        return JSONResponse(wire.whole(order.reply, order.model))
    return StreamingResponse(_stream(order), media_type="text/event-stream; charset=utf-8")


async def _stream(order: _Order) -> AsyncIterator[bytes]:
    waiting: list[bytes] = []
    for one in wire.chunks(order.reply, order.model, with_usage=order.with_usage):
        waiting.append(wire.event(one))
        if order.given.pace or len(waiting) == BATCH:
            yield b"".join(waiting)
            waiting.clear()
            await asyncio.sleep(order.given.pace)
    yield b"".join(waiting)
    match order.reply.fault:
        case None:
            yield wire.DONE
        case "midstream":
            yield wire.event(wire.error("model overloaded", "server_error", "overloaded"))
        case "garbage":
            yield b'data: {"choices": [{"delta": <html>\n\n'
        case _:
            await asyncio.sleep(FOREVER_S)


def _read(body: bytes) -> _Order:
    try:
        asked = json.loads(body)
    except ValueError:
        raise _Refused(400, "the body is not JSON") from None
    messages = asked.get("messages") if isinstance(asked, dict) else None
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise _Refused(400, "`messages` must be a list of objects")
    model = str(asked.get("model"))
    name, _, query = model.partition("?")
    if name not in SCRIPTS:
        raise _Refused(404, f"The model `{name}` does not exist", "model_not_found")
    given = _given(query)
    said = reply(SCRIPTS[name](given), given, messages, _offered(asked))
    options = asked.get("stream_options")
    with_usage = isinstance(options, dict) and bool(options.get("include_usage"))
    return _Order(model, said, given, bool(asked.get("stream")), with_usage)


def _given(query: str) -> Parameters:
    kinds = {key: type(value) for key, value in Parameters._field_defaults.items()}
    values: dict[str, Any] = {}
    for key, text in parse_qsl(query):
        try:
            values[key] = kinds[key](text)
            least, most = LIMITS.get(key, (0, LONGEST_PACE_S))
            good = key == "order" or least <= values[key] <= most
        except (KeyError, ValueError):
            good = False
        if not good:
            raise _Refused(400, f"the scripts know no {key}={text}", "invalid_parameter")
    return Parameters(**values)


def _offered(asked: Mapping[str, Any]) -> set[str]:
    """The names of the tools, as far as the request has any."""
    tools = asked.get("tools")
    given = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    functions = [tool["function"] for tool in given if isinstance(tool.get("function"), dict)]
    return {one["name"] for one in functions if isinstance(one.get("name"), str)}
