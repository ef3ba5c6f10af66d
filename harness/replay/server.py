"""The server: a listener on loopback, a thread of its own or the caller's.

with Server(captures, speed=0) as server: ...      # a thread; `server.address` is open
Server(captures, listen=("127.0.0.1", 9191)).serve()   # until Ctrl-C or SIGTERM
"""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from typing import TYPE_CHECKING, Self

from harness.capture.moments import journal_of, moments
from harness.errors import CaptureError, UsageError
from harness.replay.choose import Chooser
from harness.replay.known import known
from harness.replay.link import Link
from harness.replay.sending import Manner, Served
from harness.replay.session import converse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from harness.model.capture import Capture

HOLD_S = 1.0
LOOPBACK = "127.0.0.1"


class Server:
    """Serves captures again.

    `speed` 1 keeps the recorded gaps, 0 leaves them out, N divides them by N. `hold_s`: how long a
    stream that the recorded client left stays open beyond its recorded time. `served` is called with
    each answer, in the server's thread. Raises `CaptureError` if none of the captures holds a response.
    """

    def __init__(
        self,
        captures: Iterable[Capture],
        *,
        listen: tuple[str, int] = (LOOPBACK, 0),
        speed: float = 1.0,
        rewrite_ids: bool = False,
        hold_s: float = HOLD_S,
        served: Callable[[Served], None] | None = None,
    ) -> None:
        if speed < 0 or speed != speed or speed == float("inf"):
            raise UsageError(f"speed {speed:g}", mend="1 as recorded, 0 without gaps, N is N times as fast")
        captures = tuple(captures)
        self.known = known(captures, {one.source: at for one in captures if (at := _began(one)) is not None})
        if not self.known:
            raise CaptureError("nothing in it holds a response", mend="name a capture or a run folder")
        self._listen, self._speed, self._rewrite_ids, self._hold_s = listen, speed, rewrite_ids, hold_s
        self._served = served or _nothing
        self._chooser = Chooser(self.known)
        self._address = ""
        self._ready = threading.Event()
        self._fault: Exception | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._tasks: dict[asyncio.Task[None], Link] = {}

    @property
    def address(self) -> str:
        """`http://HOST:PORT`, once it accepts."""
        return self._address

    # a thread of its own

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._in_thread, name="harness-replay", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            self._thread.join()
            raise self._fault
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join()

    def _in_thread(self) -> None:
        try:
            asyncio.run(self._run())
        except Exception as fault:  # noqa: BLE001  raised again in the caller's thread
            self._fault = fault
        finally:
            self._ready.set()

    # the caller's thread

    def serve(self, ready: Callable[[str], None] | None = None) -> None:
        """Serve until Ctrl-C or SIGTERM; `ready` is called with the address once it accepts."""
        handled = threading.current_thread() is threading.main_thread()
        asyncio.run(self._run(ready or _nothing, (signal.SIGINT, signal.SIGTERM) if handled else ()))

    async def _run(
        self, ready: Callable[[str], None] | None = None, signals: tuple[signal.Signals, ...] = ()
    ) -> None:
        loop = self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await self._listening(loop)
        for one in signals:
            loop.add_signal_handler(one, self._stop.set)
        try:
            if ready is not None:
                ready(self._address)
            self._ready.set()
            await self._stop.wait()
        finally:
            for one in signals:
                loop.remove_signal_handler(one)
            server.close()
            await self._end_all()
            await server.wait_closed()

    async def _listening(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        host, port = self._listen
        try:
            server = await loop.create_server(lambda: Link(self._opened), host, port)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                f"can not listen on {host}:{port}: {reason}", mend="name a free port, or 0 for any"
            ) from None
        bound = server.sockets[0].getsockname()
        self._address = f"http://{_shown(bound[0])}:{bound[1]}"
        return server

    def _opened(self, link: Link) -> None:
        task = asyncio.get_running_loop().create_task(self._converse(link))
        self._tasks[task] = link
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)

    async def _converse(self, link: Link) -> None:
        manner = Manner(self._speed, self._rewrite_ids, self._hold_s, self._address, self._served)
        try:
            await converse(link, self._chooser, self.known, manner)
        except Exception as fault:  # noqa: BLE001  one connection, not the server, ends with it
            sys.stderr.write(f"harness: a request could not be answered: {type(fault).__name__}: {fault}\n")
            link.transport.abort()

    async def _end_all(self) -> None:
        tasks = dict(self._tasks)
        for task, link in tasks.items():
            task.cancel()
            link.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)


def _nothing(_: object) -> None:
    return


def _shown(host: str) -> str:
    """A bound address as a client would write it."""
    if host in ("0.0.0.0", "::"):
        return LOOPBACK
    return f"[{host}]" if ":" in host else host


def _began(capture: Capture) -> int | None:
    """When the request came; None where no journal tells."""
    journal = journal_of(capture)
    if journal is None:
        return None
    try:
        return next((moment.at_ns for moment in moments(journal)), None)
    except OSError:
        return None
