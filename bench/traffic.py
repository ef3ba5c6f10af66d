"""The client's side of the recorder's measurements: many streams at once, each event timed as it arrives."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

BODY = (
    b'{"jsonrpc":"2.0","id":"req-7","method":"SendStreamingMessage",'
    b'"params":{"message":{"parts":[{"text":"x"}]}}}'
)
_MARK = b'"sent_ns":"'
_NAME = b"event:jsonrpc"
_LAST = b"0\r\n\r\n"
_SHORT = len(_MARK) + 20


class Taken(NamedTuple):
    """What one stream gave: (sent, received) of each event in ns, and when it was asked for."""

    asked_ns: int
    events: list[tuple[int, int]]
    size: int
    count: int
    """Events, but for those that a chunk's border cuts."""


class _Stream(asyncio.Protocol):
    """Asks on connecting; resolves `done` at the last chunk or at the end of the connection."""

    def __init__(self, target: str, timed: bool, done: asyncio.Future[Taken]) -> None:
        self._target = target
        self._timed = timed
        self._done = done
        self._events: list[tuple[int, int]] = []
        self._tail = b""
        self._size = self._count = 0
        self._asked = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._asked = time.monotonic_ns()
        transport.write(
            f"POST {self._target} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
            f"content-length: {len(BODY)}\r\n\r\n".encode()
            + BODY
        )

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        self._size += len(data)
        seen = self._tail + data
        self._count += seen.count(_NAME) - self._tail.count(_NAME)
        if self._timed:
            self._mark(seen, now)
        self._tail = seen[-_SHORT:]
        if self._tail.endswith(_LAST):
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish()

    def _mark(self, seen: bytes, now: int) -> None:
        """Events that are whole in `seen` and were not so without its newest bytes."""
        at = seen.find(_MARK)
        while at >= 0:
            start = at + len(_MARK)
            if len(seen) >= start + 20 and start + 20 > len(self._tail):
                self._events.append((int(seen[start : start + 20]), now))
            at = seen.find(_MARK, start)

    def _finish(self) -> None:
        self._transport.close()
        if not self._done.done():
            self._done.set_result(Taken(self._asked, self._events, self._size, self._count))


async def stream(port: int, target: str, *, timed: bool = True) -> Taken:
    """One whole stream over a connection of its own."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Taken] = loop.create_future()
    await loop.create_connection(lambda: _Stream(target, timed, done), "127.0.0.1", port)
    return await done


def streams(port: int, target: str, count: int, *, timed: bool = True) -> list[Taken]:
    """`count` whole streams at the same time."""

    async def all_of_them() -> list[Taken]:
        return await asyncio.gather(*(stream(port, target, timed=timed) for _ in range(count)))

    return asyncio.run(all_of_them())


def read_slowly(port: int, target: str, seconds: float, per_second: int) -> int:
    """Take `per_second` bytes a second of a stream and leave; how many bytes that were."""
    import socket

    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        connection.sendall(
            f"POST {target} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(BODY)}\r\n\r\n".encode() + BODY
        )
        start, size = time.monotonic(), 0
        while (now := time.monotonic()) < start + seconds:
            if size > (now - start) * per_second:
                time.sleep(0.005)
                continue
            size += len(connection.recv(16384))
        return size
