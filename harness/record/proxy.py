"""mitmproxy's proxy core, driven without its master and addons: one handler a client connection.

A handler belongs to one listener and calls the hooks of its own `Tap` directly. What a layer
asks of its options is a plain namespace. Each hook is a method of that name; hooks that nobody
has are no work.
"""

from __future__ import annotations

import asyncio
import collections
import logging
from types import SimpleNamespace, TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast

from mitmproxy.proxy import server
from mitmproxy.proxy.layers import modes
from mitmproxy.proxy.mode_specs import ProxyMode
from mitmproxy.utils import human

from harness.record import http1

if TYPE_CHECKING:
    from mitmproxy.connection import Connection
    from mitmproxy.options import Options
    from mitmproxy.proxy.commands import StartHook
    from mitmproxy.proxy.context import Context
    from mitmproxy.proxy.layer import Layer

    from harness.record.tap import Tap

http1.install()

FOREVER = 10**9
"""Seconds: streams that are silent for long are no fault."""
_CONNECTIONS = 10_000
"""Upstream connections of one client connection (an HTTP/2 client has many streams)."""
_DEFAULTS = {
    "body_size_limit": None,
    "confdir": "",
    "connection_strategy": "lazy",
    "http2_ping_keepalive": 0,
    "http3": False,
    "http_connect_send_host_header": True,
    "keep_host_header": True,
    "normalize_outbound_headers": True,
    "proxyauth": None,
    "rawtcp": True,
    "store_streamed_bodies": False,
    "stream_large_bodies": None,
    "tcp_timeout": FOREVER,
    "validate_inbound_headers": False,
    "websocket": True,
}
"""Every option that mitmproxy's proxy core reads. `lazy`: an upstream that refuses gives an exchange;
headers are not validated, since a faulty peer is what a recorder is there for."""


def options(**chosen: Any) -> Options:
    """What the layers ask for, and `chosen`."""
    return cast("Options", SimpleNamespace(**{**_DEFAULTS, **chosen}))


class Handler(server.LiveConnectionHandler):
    """One client connection and all upstream connections that it causes."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tap: Tap, chosen: Options, mode: str
    ) -> None:
        super().__init__(reader, writer, chosen, ProxyMode.parse(mode))
        self.max_conns = collections.defaultdict(lambda: asyncio.Semaphore(_CONNECTIONS))
        self.layer = _top_layer(self.layer.context)
        self.timed_out = False
        self._no_request = f"{human.format_address(self.client.peername)}: "
        """How mitmproxy begins its line about a request that it can not read."""
        self._tap = tap
        tap.handler = self

    async def handle_client(self) -> None:
        """The connection's whole life; one that was about to be opened at its end is closed as well."""
        try:
            await super().handle_client()
        finally:
            for io in self.transports.values():
                if isinstance(io.writer, asyncio.StreamWriter):
                    io.writer.transport.abort()

    async def handle_hook(self, hook: StartHook) -> None:
        """Call the tap's method of the hook's name, if it has one."""
        method = getattr(self._tap, hook.name, None)
        if method is not None:
            try:
                method(*hook.args())
            except Exception as fault:  # noqa: BLE001  a hook that fails would hold up the exchange for ever
                self._tap.failed(hook.name, fault)

    async def drain_writers(self) -> None:
        """Wait for peers that read slowly, if there is one."""
        for io in self.transports.values():
            writer = io.writer
            if isinstance(writer, asyncio.StreamWriter):
                transport = writer.transport
                if transport.is_closing() or transport.get_write_buffer_size():
                    await super().drain_writers()  # type: ignore[no-untyped-call]
                    return

    @property
    def unsent(self) -> int:
        """Bytes that wait for a peer that reads slowly."""
        writers = [io.writer for io in self.transports.values()]
        return sum(
            one.transport.get_write_buffer_size() for one in writers if isinstance(one, asyncio.StreamWriter)
        )

    def was_reset(self, connection: Connection) -> bool:
        """Did the connection end with a reset?"""
        io = self.transports.get(connection)
        reader = io.reader if io is not None else None
        return isinstance(reader, asyncio.StreamReader) and isinstance(reader.exception(), ConnectionError)

    async def on_timeout(self) -> None:
        """Nothing passed for as long as the user allows."""
        self.timed_out = True
        await super().on_timeout()

    def log(
        self,
        message: str,
        level: int = logging.INFO,
        exc_info: Literal[True]
        | tuple[type[BaseException], BaseException, TracebackType | None]
        | None = None,
    ) -> None:
        """mitmproxy's log lines are nobody's; its faults are told, and end what they broke."""
        if level >= logging.ERROR:
            self._tap.broke(message)
        elif message.startswith(self._no_request):
            self._tap.no_request(message.removeprefix(self._no_request))

    def stop(self) -> list[asyncio.Transport]:
        """Close all connections; what is left of them, to be aborted in the end."""
        left: list[asyncio.Transport] = []
        for io in list(self.transports.values()):
            if io.handler is not None:
                io.handler.cancel("stopped")
            if isinstance(io.writer, asyncio.StreamWriter):
                left.append(cast("asyncio.Transport", io.writer.transport))
        return left


def _top_layer(context: Context) -> Layer:
    if context.client.proxy_mode.type_name == "regular":
        return modes.HttpProxy(context)
    return modes.ReverseProxy(context)
