"""How a run is told to stop: from a signal handler or another thread, at any moment."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from harness.errors import HarnessError


class Stopped(HarnessError):
    """The run was stopped; what was recorded is sealed in its folder."""

    def __init__(self, number: int, run_dir: str | None) -> None:
        done = "what was recorded is sealed" if run_dir else "nothing was recorded yet"
        super().__init__(f"stopped by {signal.Signals(number).name}: {done}", file=run_dir)
        self.run_dir = run_dir
        self.exit_code = 128 + number


class Stop:
    """Is set once, and calls whoever can be interrupted just then."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The signal."""
        self.is_heard = True
        """Something still runs that could be stopped."""
        self._callbacks: list[Callable[[], object]] = []

    def tell(self, number: int = signal.SIGINT) -> None:
        """Stop, as if by that signal; what was told first counts."""
        if self.number is None:
            self.number = number
            for callback in list(self._callbacks):
                callback()

    @contextmanager
    def calling(self, callback: Callable[[], object]) -> Iterator[None]:
        """Have `callback` called when the run is to stop, at once if it was told already."""
        self._callbacks.append(callback)
        try:
            if self.number is not None:
                callback()
            yield
        finally:
            self._callbacks.remove(callback)
