"""What is recorded, handed to a watcher beside the hot path: a bounded queue and a thread of its own."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    type News = tuple[str, str, bytes | str]
    """Leg, capture's stem, and the bytes that were written or the ending."""

MOST = 10_000
"""News that wait; more are dropped and counted, the recorder never waits."""


class Feed:
    """Calls `callback(leg, stem, bytes or ending)` for what is written, in order, in its own thread."""

    def __init__(self, callback: Callable[[str, str, bytes | str], None]) -> None:
        self.dropped = 0
        self._callback = callback
        self._queue: queue.SimpleQueue[News | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="recorder feed", daemon=True)
        self._thread.start()

    def put(self, leg: str, stem: str, what: bytes | str) -> None:
        """Something was written."""
        if self._queue.qsize() < MOST:
            self._queue.put((leg, stem, what))
        else:
            self.dropped += 1

    def close(self) -> None:
        """Hand over what waits, then end."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (news := self._queue.get()) is not None:
            self._callback(*news)
