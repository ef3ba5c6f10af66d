"""One recorded answer on its way to a client: when each piece is due, and how the bytes end.

Waits are measured from the moment that the request was whole, so that a late piece does not
delay those behind it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from harness.replay.link import Left, Link
from harness.replay.recorded import Piece, Recording, reached_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.replay.answer import Answer

_AT_A_TIME = 16
"""Pieces that one stream may send before others have their turn."""


class Served(NamedTuple):
    """One request, as it was answered."""

    method: str
    target: str
    rpc: str | None
    source: str | None
    """The capture that answered; None: none fitted, or the request was refused."""
    status: int | None
    """None: the connection was closed without an answer."""
    sent: int
    """Bytes of the body, before chunking."""
    end: str
    """`clean`, `cut`, `reset`, `client_left`, `silent`."""


class Manner(NamedTuple):
    """How a server serves."""

    speed: float
    rewrite_ids: bool
    hold_s: float
    origin: str
    serve: Callable[[Served], None]


class Pace:
    """The recording's clock, from the moment that the request was whole."""

    def __init__(self, link: Link, manner: Manner, recording: Recording) -> None:
        self._link, self._manner, self._recording = link, manner, recording
        self._start = asyncio.get_running_loop().time()

    async def due(self, moment_ns: int) -> None:
        """Wait for a moment of the recording. Raises `Left`."""
        if self._manner.speed:
            await self._link.rest_until(self._at(moment_ns))

    async def held(self) -> None:
        """Stay open as long as it was, and some more. Raises `Left` when the client goes."""
        open_s = self._manner.hold_s
        if self._manner.speed:
            open_s += max(0.0, self._at(self._recording.end_ns) - asyncio.get_running_loop().time())
        if await self._link.left_within(open_s):
            raise Left

    def _at(self, moment_ns: int) -> float:
        return self._start + moment_ns / 1e9 / self._manner.speed


class Sending:
    """One recorded answer on its way."""

    def __init__(self, link: Link, recording: Recording, head: Answer, pace: Pace) -> None:
        self._link, self._recording, self._head, self._pace = link, recording, head, pace
        self.sent = 0

    async def run(self, pieces: Iterator[Piece]) -> str:
        """Send all of it; how it ended. Raises `Left`."""
        await self._pace.due(self._recording.head_ns)
        await self._link.send(self._head.head())
        if self._head.mode == "none":
            return "clean"
        await self._pieces(pieces)
        return await self._end()

    async def _pieces(self, pieces: Iterator[Piece]) -> None:
        """Each piece as one chunk. The last one of a body that was cut inside an event is cut short."""
        cut = self._recording.close in ("cut", "reset")
        last, count = next(pieces, None), 0
        while last is not None:
            piece, last, count = last, next(pieces, None), count + 1
            if not count % _AT_A_TIME:
                await asyncio.sleep(0)
            await self._pace.due(piece.due_ns)
            short = cut and last is None and not piece.data.endswith(b"\n")
            await self._link.send(self._head.framed(piece.data, 1 if short else 0))
            self.sent += len(piece.data)

    async def _end(self) -> str:
        close, ends_by_close = self._recording.close, self._head.mode == "close"
        if self._recording.body.unread:
            return "cut"
        if close == "left":
            await self._pace.held()
        await self._pace.due(self._recording.end_ns)
        if close in ("left", "stopped"):
            close = "clean" if await asyncio.to_thread(reached_end, self._recording.capture) else "cut"
        if close == "reset" or (close == "cut" and ends_by_close):
            await self._link.reset()
            return "reset"
        if self._head.mode == "length" and self.sent != self._head.length:
            return "cut"
        if close == "clean" and (last := self._head.last(self._recording.trailers)):
            await self._link.send(last)
        return close
