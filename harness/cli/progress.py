"""Progress on standard error: after a second, on a terminal only, wiped when the work is done."""

from __future__ import annotations

import sys
import time

from harness.cli.words import words

AFTER_S = 1.0
EVERY_S = 0.2


class Progress:
    """Called with how many captures are done; prints at most five times a second.

    `word` names the text, which says what is done with them.
    """

    def __init__(self, lang: str, word: str = "progress") -> None:
        self._text = words(lang)[word]
        self._start = self._last = time.monotonic()
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` captures are done."""
        now = time.monotonic()
        if now - self._start < AFTER_S or now - self._last < EVERY_S:
            return
        self._last, self._shown = now, True
        text = self._text.format(done=done, total=total, seconds=int(now - self._start))
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def close(self) -> None:
        """Leave no trace."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress(lang: str, word: str = "progress") -> Progress | None:
    """A progress line, where standard error is a terminal."""
    return Progress(lang, word) if sys.stderr.isatty() else None
