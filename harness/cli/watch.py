"""Watches a run folder while it is written: `python -m harness.cli.watch RUN_DIR en|zh`.

A part of `harness record`: a process of its own that reads what is on disk, so that the
recorder's way is not touched. On a terminal a table (rich), else a line for each thing that
happens. It ends, after a last look, when its standard input does.
"""

from __future__ import annotations

import os
import select
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from harness.cli.follow import Follower, followed
from harness.cli.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

EVERY_S = 0.2
_LAST_S = 3.0
"""How long what is left may take when the recorder has ended."""
_ROWS = 30
"""Rounds that a table shows: the latest."""


class Line(NamedTuple):
    """One thing that happened, for the log."""

    role: str
    text: str


class Watch:
    """All exchanges of one run folder."""

    def __init__(self, run_dir: str, lang: str) -> None:
        self._folder = run_dir
        self.said = words(lang)
        self._known: dict[int, Follower] = {}
        self._open: dict[int, Follower] = {}

    def look(self) -> list[Line]:
        """Read what is new; what happened since the last look."""
        for inode, stem in sorted(followed(self._folder).items()):
            if inode not in self._known:
                self._known[inode] = self._open[inode] = Follower(self._folder, stem, self.said)
            self._known[inode].moved(stem)
        lines: list[Line] = []
        for inode, one in list(self._open.items()):
            lines += [Line(role, f"{one.name}: {text}") for role, text in one.look()]
            if one.is_over:
                del self._open[inode]
        return lines

    @property
    def is_behind(self) -> bool:
        """There is more to read."""
        return bool(self._open)

    @property
    def rounds(self) -> list[Follower]:
        """The exchanges in the order in which they began; the latest of them."""
        return list(self._known.values())[-_ROWS:]


def main(argv: list[str]) -> int:
    """Watch the folder `argv[0]`, in the language `argv[1]`, until standard input ends."""
    watch = Watch(*argv)
    err = sys.stderr
    if err.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR"):
        _table(watch)
    else:
        _lines(watch)
    return 0


def _ticks(watch: Watch) -> Iterator[None]:
    """One tick each `EVERY_S`; when standard input has ended, as many as it takes to read the rest."""
    while not select.select([sys.stdin], [], [], EVERY_S)[0]:
        yield
    yield
    end = time.monotonic() + _LAST_S
    while watch.is_behind and time.monotonic() < end:
        yield


def _lines(watch: Watch) -> None:
    for _ in _ticks(watch):
        for line in watch.look():
            sys.stderr.write(line.text + "\n")
        sys.stderr.flush()


def _table(watch: Watch) -> None:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    with Live(console=console, auto_refresh=False) as live:
        for _ in _ticks(watch):
            for line in watch.look():
                if line.role == "leaked":
                    live.console.print(line.text, style="bold red", markup=False)
            live.update(_shown(watch.rounds, watch.said["watch.head"].split()), refresh=True)


def _shown(rounds: list[Follower], heads: list[str]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(*heads, box=None)
    for one in rounds:
        leaked = Text(str(one.leaked), style="bold red" if one.leaked else "dim")
        table.add_row(
            Text(one.scenario), str(one.round), Text(one.leg), one.protocol or "-", str(one.events),
            str(one.asked), leaked, one.state,
        )  # fmt: skip
    return table


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(0)
