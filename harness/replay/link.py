"""One connection under asyncio: bytes to the parser, back pressure both ways, and who left when."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.replay.request import Parser

if TYPE_CHECKING:
    from collections.abc import Callable

_AHEAD = 1 << 20
"""Bytes of further requests that are read while one is answered."""


class Left(Exception):
    """The client is gone."""


class Link(asyncio.Protocol):
    """The transport's events as things to wait for. `opened` is called once with the link."""

    def __init__(self, opened: Callable[[Link], None]) -> None:
        self._opened = opened
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._paused = False
        self.gone = asyncio.Event()
        """The client closed, or the connection broke."""
        self.lost = False
        """Nothing can be sent any more."""
        self.eof = False
        self.parser = Parser()
        self.transport: asyncio.Transport

    # what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client is there."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._opened(self)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        self.parser.feed(data)
        self._news.set()
        if self.parser.buffered > _AHEAD and not self._paused and not self.transport.is_closing():
            self._paused = True
            self.transport.pause_reading()

    def eof_received(self) -> bool:
        """The client sends no more; it may still read."""
        self.eof = True
        self._news.set()
        self.gone.set()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed or broken."""
        self.lost = self.eof = True
        for event in (self._news, self._room, self.gone):
            event.set()

    def pause_writing(self) -> None:
        """The client reads slower than we write."""
        self._room.clear()

    def resume_writing(self) -> None:
        """The client has read on."""
        self._room.set()

    # what a session calls

    async def news(self, timeout_s: float | None) -> bool:
        """Wait for bytes or for the client's end; False if neither came in time."""
        if self._paused and not self.lost:
            self._paused = False
            self.transport.resume_reading()
        try:
            async with asyncio.timeout(timeout_s):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    async def send(self, data: bytes) -> None:
        """Send, and wait while the client is behind. Raises `Left`."""
        if self.lost:
            raise Left
        self.transport.write(data)
        await self._room.wait()
        if self.lost:
            raise Left

    async def left_within(self, timeout_s: float) -> bool:
        """Whether the client leaves within that time."""
        try:
            async with asyncio.timeout(timeout_s):
                await self.gone.wait()
        except TimeoutError:
            return False
        return True

    async def rest_until(self, moment: float) -> None:
        """Sleep until the loop's clock shows `moment`. Raises `Left` if the connection breaks."""
        loop = asyncio.get_running_loop()
        while not self.lost and (remaining := moment - loop.time()) > 0:
            if not self.gone.is_set():
                await self.left_within(remaining)
            else:
                await asyncio.sleep(min(remaining, 0.2))
        if self.lost:
            raise Left

    async def reset(self) -> None:
        """End with RST, after the client has got what was sent."""
        import socket
        import struct

        await self._flushed()
        sock = self.transport.get_extra_info("socket")
        if sock is not None and not self.lost:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    async def _flushed(self, patience_s: float = 5.0) -> None:
        """Wait until the kernel has nothing left to send, where it tells."""
        loop = asyncio.get_running_loop()
        end = loop.time() + patience_s
        while not self.lost and loop.time() < end:
            if not self.transport.get_write_buffer_size() and not self._unsent():
                return
            await asyncio.sleep(0.001)

    def _unsent(self) -> int:
        import fcntl
        import struct
        import termios

        sock = self.transport.get_extra_info("socket")
        try:
            raw = fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, b"\0\0\0\0")
        except (OSError, AttributeError):
            return 0
        return int(struct.unpack("i", raw)[0])

    async def linger(self, patience_s: float = 1.0) -> None:
        """Close so that the client can still read the answer to a request that was not read whole."""
        if self.lost:
            return
        if self.transport.can_write_eof():
            self.transport.write_eof()
        end = asyncio.get_running_loop().time() + patience_s
        while not self.eof and (remaining := end - asyncio.get_running_loop().time()) > 0:
            self.parser = Parser()
            await self.news(remaining)
        self.transport.close()
