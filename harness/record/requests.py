"""Requests: what is kept of their bodies, and what they are to the journal and to the assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.request import asked
from harness.model.capture import Capture, Request
from harness.record.assign import Call, traces

if TYPE_CHECKING:
    from mitmproxy.http import Headers, HTTPFlow
    from mitmproxy.http import Request as Passing

KEPT = 1 << 20
"""Bytes of a request's body that are kept."""


class Body:
    """A request body on its way: passed on at once, its beginning kept."""

    def __init__(self) -> None:
        self.kept = b""
        self.size = 0

    def __call__(self, data: bytes) -> bytes:
        if len(self.kept) < KEPT:
            self.kept += data[: KEPT - len(self.kept)]
        self.size += len(data)
        return data


def passes_on(request: Passing) -> bool:
    """Is the body passed on as it comes? One of a known length of up to `KEPT` is read whole before."""
    headers = request.headers
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) <= KEPT:
        return False
    return bool(length) or "transfer-encoding" in headers or request.is_http2


def read(flow: HTTPFlow, content: bytes) -> Request:
    """The request as it came from the client."""
    text = content.decode("utf-8", "replace") if content else None
    return Request(flow.request.method, flow.metadata["target"], flow.metadata["headers"], text)


def call(leg: str, request: Request) -> Call:
    """The request as far as its round depends on it."""
    return Call(
        leg,
        request.method or "",
        request.target or "",
        asked(Capture("", "", "none", request=request)),
        traces(request.headers),
        "json" in dict(request.headers).get("content-type", ""),
    )


def pairs(headers: Headers) -> tuple[tuple[str, str], ...]:
    """Headers in their order, names in lower case."""
    found = headers.items(multi=True)  # type: ignore[no-untyped-call]
    return tuple((name.lower(), value) for name, value in found)
