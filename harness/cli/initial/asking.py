"""Facts one by one: as the command line tells them, else asked on a terminal, else the default."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness.cli.words import words
from harness.errors import UsageError
from harness.report.cells import harmless

if TYPE_CHECKING:
    from collections.abc import Callable


class Asking:
    """Asks on standard error and reads standard input; `on` False: takes the defaults."""

    def __init__(self, lang: str, *, on: bool) -> None:
        self._words = words(lang)
        self._on = on

    def fact[T](self, key: str, told: str | None, default: str, read: Callable[[str], T]) -> T:
        """One fact. `read` makes a value of a text, or raises `UsageError`: then it is asked again."""
        if told is not None:
            return read(told)
        if not self._on:
            return read(default)
        while True:
            try:
                return read(self._answer(key, default) or default)
            except UsageError as error:
                self._say(f"  {error}")

    def choice(self, key: str, told: str | None, default: str, known: tuple[str, ...]) -> str:
        """One of the words that are known."""

        def read(text: str) -> str:
            if text not in known:
                raise UsageError(f"{text!r} is none of them", mend=f"write one of {', '.join(known)}")
            return text

        return self.fact(key, told, default, read)

    def several(self, key: str, told: list[str], read: Callable[[list[str]], object]) -> list[str]:
        """Texts until an empty one; each is tried with those before it."""
        read(told)
        found = list(told)
        while self._on and not told and (text := self._answer(key, "")):
            try:
                read([*found, text])
            except UsageError as error:
                self._say(f"  {error}")
                continue
            found.append(text)
        return found

    def _answer(self, key: str, default: str) -> str:
        shown = f" [{harmless(default, 80)}]" if default else ""
        sys.stderr.write(f"{self._words[f'init.ask.{key}']}{shown}: ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            self._say("")
            raise EOFError
        return line.strip()

    def _say(self, text: str) -> None:
        sys.stderr.write(harmless(text) + "\n")
