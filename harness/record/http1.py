"""HTTP/1 connections that keep what mitmproxy's own lose: chunk borders cheaply, and trailers.

mitmproxy 12.3 sends each HTTP chunk on its way alone, and fails on chunked trailers. Here all
chunks of one read travel together as `Pieces`, which remember their borders: they are written
to disk once, sent once, and the client gets the same chunks. `install` puts both classes in
the place of mitmproxy's; what they send and refuse is otherwise what those do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import h11
from mitmproxy.http import Headers
from mitmproxy.proxy import commands, events
from mitmproxy.proxy.layers import http
from mitmproxy.proxy.layers.http import _http1
from mitmproxy.proxy.layers.http._base import ReceiveHttp
from mitmproxy.proxy.layers.http._events import (
    ErrorCode,
    RequestEndOfMessage,
    RequestTrailers,
    ResponseData,
    ResponseEndOfMessage,
    ResponseProtocolError,
    ResponseTrailers,
)

if TYPE_CHECKING:
    from mitmproxy.proxy.layer import CommandGenerator
    from mitmproxy.proxy.layers.http._events import HttpEvent


_INTERIM = re.compile(rb"HTTP/1\.\d 1(?!01)\d\d")
"""The start of a head before the answer's own; 101 is an answer."""

_UPSTREAMS = (
    ErrorCode.CONNECT_FAILED,
    ErrorCode.GENERIC_SERVER_ERROR,
    ErrorCode.RESPONSE_VALIDATION_FAILED,
)
"""Faults of the upstream for which mitmproxy gives an answer of its own, with status 502."""

type _Found = tuple[list[bytes], h11.EndOfMessage | None, h11.ProtocolError | None]
"""Chunks of one read; then the body's end, or what is wrong with it."""


class Pieces(bytes):
    """Bytes of one read that were several HTTP chunks."""

    pieces: list[bytes]


def together(pieces: list[bytes]) -> bytes:
    """One value for what one read brought."""
    if len(pieces) == 1:
        return pieces[0]
    made = Pieces(b"".join(pieces))
    made.pieces = pieces
    return made


def framed(data: bytes) -> bytes:
    """`data` in chunked coding, the borders kept."""
    if isinstance(data, Pieces):
        return b"".join([b"%x\r\n%s\r\n" % (len(piece), piece) for piece in data.pieces])
    return b"%x\r\n%s\r\n" % (len(data), data)


def is_chunked(headers: Headers) -> bool:
    """Whether a body with these headers comes in chunked coding."""
    return "chunked" in headers.get("transfer-encoding", "").lower()


def _last(trailers: Headers | None) -> bytes:
    """The last chunk, with trailers."""
    fields = trailers.fields if trailers is not None else ()
    return b"0\r\n" + b"".join(b"%s: %s\r\n" % pair for pair in fields) + b"\r\n"


class _Reading(_http1.Http1Connection):
    """Reads bodies in a read's worth of chunks at a time."""

    _trailers: Headers | None = None
    """Trailers on their way to this connection's peer."""
    _rest: _Found | None = None
    """What a shortcut found at the body's end."""
    _is_server: bool

    def read_body(self, event: events.Event) -> CommandGenerator[None]:
        pieces, end, fault = self._found(isinstance(event, events.ConnectionClosed))
        assert self.stream_id is not None
        if pieces:
            yield ReceiveHttp(self.ReceiveData(self.stream_id, together(pieces)))
        if fault is not None:
            yield commands.CloseConnection(self.conn)
            text = f"HTTP/1 protocol error: {fault}"
            yield ReceiveHttp(
                self.ReceiveProtocolError(self.stream_id, text, code=self.ReceiveProtocolError.code)
            )
        elif end is not None:
            yield from self._ended(end)

    def _found(self, closed: bool) -> _Found:
        pieces: list[bytes] = []
        if self._rest is not None:
            rest, self._rest = self._rest, None
            return rest
        reader: Any = self.body_reader
        try:
            while True:
                found = reader.read_eof() if closed else reader(self.buf)
                if not isinstance(found, h11.Data):
                    return pieces, found, None
                if found.data:
                    pieces.append(bytes(found.data))
        except h11.ProtocolError as fault:
            return pieces, None, fault

    def _ended(self, end: h11.EndOfMessage) -> CommandGenerator[None]:
        assert self.stream_id is not None
        assert self.request is not None
        if end.headers:
            fields = end.headers.raw_items()
            if self.context.client.alpn == b"h2":
                fields = [(name.lower(), value) for name, value in fields]
            trailers = Headers(fields)
            kind = RequestTrailers if self._is_server else ResponseTrailers
            yield ReceiveHttp(kind(self.stream_id, trailers))
        if self.request.data.method.upper() != b"CONNECT":
            yield ReceiveHttp(self.ReceiveEndOfMessage(self.stream_id))
        yield from self.mark_done(request=self._is_server, response=not self._is_server)


class Server(_Reading, _http1.Http1Server):
    """The connection to the client."""

    _is_server = True

    def send(self, event: HttpEvent) -> CommandGenerator[None]:
        response = self.response
        if isinstance(event, ResponseProtocolError) and response is None and self._makes_up(event):
            yield commands.CloseConnection(self.conn)
        elif isinstance(event, ResponseTrailers):
            self._trailers = event.trailers
        elif response is not None and isinstance(event, ResponseData) and is_chunked(response.headers):
            if event.data:
                yield commands.SendData(self.conn, framed(event.data))
        elif isinstance(event, ResponseEndOfMessage) and self._trailers is not None:
            trailers, self._trailers = self._trailers, None
            if response is not None and is_chunked(response.headers):
                yield commands.SendData(self.conn, _last(trailers))
            yield from self.mark_done(response=True)
        else:
            yield from super().send(event)

    def _makes_up(self, event: ResponseProtocolError) -> bool:
        """Would mitmproxy answer for an upstream that did not? A forward proxy's client expects that."""
        return event.code in _UPSTREAMS and self.context.client.proxy_mode.type_name == "reverse"


class Client(_Reading, _http1.Http1Client):
    """The connection to the upstream."""

    _is_server = False

    def read_headers(self, event: events.ConnectionEvent) -> CommandGenerator[None]:
        """Interim heads (1xx) go on to an HTTP/1 client; mitmproxy takes one for the answer."""
        if isinstance(event, events.DataReceived) and self.request is not None:
            while _INTERIM.match(bytes(self.buf)[:16]):
                lines = self.buf.maybe_extract_lines()
                if lines is None:
                    return
                if self.context.client.alpn != b"h2":
                    raw = b"\r\n".join([bytes(line) for line in lines]) + b"\r\n\r\n"
                    yield commands.SendData(self.context.client, raw)
        yield from super().read_headers(event)

    def taken(self, data: bytes) -> bytes:
        """The body's bytes in what was read; its end, if that is there too, is left to `read_body`."""
        self.buf += data
        pieces, end, fault = self._found(closed=False)
        if end is not None or fault is not None:
            self._rest = ([], end, fault)
        return together(pieces) if pieces else b""

    @property
    def at_end(self) -> bool:
        """`taken` met the body's end."""
        return self._rest is not None

    def send(self, event: HttpEvent) -> CommandGenerator[None]:
        if isinstance(event, RequestTrailers):
            self._trailers = event.trailers
        elif isinstance(event, RequestEndOfMessage) and self._trailers is not None:
            trailers, self._trailers = self._trailers, None
            assert self.request is not None
            if is_chunked(self.request.headers):
                yield commands.SendData(self.conn, _last(trailers))
            yield from self.mark_done(request=True)
        else:
            yield from super().send(event)


def install() -> None:
    """Let mitmproxy's HTTP layer use these connections."""
    vars(http).update(Http1Server=Server, Http1Client=Client)
