"""Listeners: a leg's reverse proxy, and what it has in common with the forward proxy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from harness.record import legs
from harness.record.proxy import Handler
from harness.record.tap import Tap

if TYPE_CHECKING:
    from collections.abc import Callable

    from mitmproxy.http import HTTPFlow
    from mitmproxy.options import Options

    from harness.record.addresses import AddressBook
    from harness.record.assign import Rounds
    from harness.record.cards import Card
    from harness.record.exchange import Exchange
    from harness.record.legs import Leg, Origin
    from harness.record.run import Run
    from harness.record.settings import Settings
    from harness.record.tls import Tls


_BACKLOG = 1024
_LAST_S = 5.0
"""How long connections may take to close."""


class Kit(NamedTuple):
    """What all listeners of a recorder share."""

    settings: Settings
    run: Run
    rounds: Rounds
    book: AddressBook
    tls: Tls
    options: Options
    ended: Callable[[Exchange], None]


class Listener:
    """Accepts connections and hands each to a handler with a tap."""

    mode = "regular"

    def __init__(self, kit: Kit, name: str, listen: tuple[str, int]) -> None:
        self.kit = kit
        self.name = name
        self.listen = listen
        self.address: tuple[str, int] = listen
        self._server: asyncio.Server | None = None
        self._taps: set[Tap] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def bind(self) -> None:
        """Take the address, accept nothing yet. Raises OSError where it can not be had."""
        self._server = await asyncio.start_server(
            self._accepted, *self.listen, backlog=_BACKLOG, start_serving=False
        )
        self.address = self._server.sockets[0].getsockname()[:2]

    async def serve(self) -> None:
        """Accept from now on. Raises OSError where another one listens on the address."""
        assert self._server is not None
        await self._server.start_serving()

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tap = self.tap()
        task = asyncio.current_task()
        assert task is not None
        self._taps.add(tap)
        self._tasks.add(task)
        try:
            await Handler(reader, writer, tap, self.kit.options, self.mode).handle_client()
        finally:
            self._taps.discard(tap)
            self._tasks.discard(task)
            tap.seal_all("proxy_stopped", "the connection ended inside the proxy")

    # what a tap asks

    def tap(self) -> Tap:
        """The hooks of a new connection."""
        return Tap(self)

    @property
    def key(self) -> str:
        """What tells the listener from all others of its recorder."""
        return self.name

    @property
    def host(self) -> str:
        """Whose name the Host header carries on its way to the upstream."""
        return "listener"

    def leg_of(self, flow: HTTPFlow) -> str:
        """The name of the leg that `flow` belongs to."""
        return self.name

    def origin_of(self, flow: HTTPFlow) -> str:
        """Where `flow` goes."""
        return f"{flow.request.scheme}://{legs.hostport(flow.request.host, flow.request.port)}"

    def host_for(self, flow: HTTPFlow) -> str | None:
        """The Host header that `flow` is to carry; None: the client's own."""
        return None

    def addresses(self, flow: HTTPFlow) -> dict[Origin, str]:
        """The listeners' addresses as the client of `flow` reaches them."""
        return self.kit.book.seen_from(flow.metadata["host"], self.address)

    def saw_card(self, flow: HTTPFlow, card: Card) -> None:
        """A card passed: note what became of it."""
        self.kit.book.saw_card(self.leg_of(flow), card)

    def ended(self, key: str, exchange: Exchange) -> None:
        """An exchange of this listener is over."""
        self.kit.rounds.end(key)
        self.kit.ended(exchange)

    # the end

    def close(self) -> None:
        """Accept no more."""
        if self._server is not None:
            self._server.close()

    @property
    def is_idle(self) -> bool:
        """No exchange is open."""
        return all(tap.is_idle for tap in self._taps)

    async def stop(self, reason: str) -> None:
        """Seal what is open, close all connections, wait until they are gone."""
        left: list[asyncio.Transport] = []
        for tap in list(self._taps):
            tap.seal_all("proxy_stopped", reason)
            left += tap.handler.stop()
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=_LAST_S)
        for transport in left:
            transport.abort()
        await asyncio.sleep(0)


class Reverse(Listener):
    """A leg's own listener: all that comes goes to the leg's upstream."""

    def __init__(self, kit: Kit, leg: Leg) -> None:
        assert leg.listen is not None
        found = legs.origin(leg.upstream)
        assert found is not None
        super().__init__(kit, leg.name, leg.listen)
        self.leg = leg
        self.origin: Origin = found
        self.mode = f"reverse:{found.url}"
        self._host = found.authority if kit.settings.upstream_host or found.scheme == "https" else None

    @property
    def key(self) -> str:
        """The leg's."""
        return self.leg.key

    @property
    def host(self) -> str:
        """Whose name the Host header carries on its way to the upstream."""
        return "listener" if self._host is None else "upstream"

    def origin_of(self, flow: HTTPFlow) -> str:
        """The leg's upstream."""
        return self.origin.url

    def host_for(self, flow: HTTPFlow) -> str | None:
        """The upstream's own name where it is told by that, as over TLS; else the listener's."""
        return self._host
