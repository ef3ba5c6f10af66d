"""`harness check --watch`: judge again whenever something changes, until Ctrl-C.

What is watched: the captures, and every file of the user's that has a say (waivers, scenarios,
mappings, contract, settings). Plain polling, so that network folders and containers work too. A
change is judged when it has settled, or, while a capture grows, once in a while.
"""

from __future__ import annotations

import gc
import os
import time
from typing import TYPE_CHECKING

from harness.cli import check, newest, terminal
from harness.cli.record import GC, said
from harness.cli.settings import settings
from harness.errors import CaptureError, HarnessError, UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from harness.cli.outputs import Output
    from harness.model.verdict import Report

EVERY_S = 0.4
"""Time between two looks; a change has settled when two looks in a row see the same."""
LONGEST_S = 4.0
"""How long something may go on changing before it is judged as it is."""
_SHARE = 4
"""A look may take this part of the time at most: large folders are looked at less often."""
_REFUSED = ("json", "github", "write_waivers", "history")

type State = dict[str, tuple[int, int, int]]
"""Size, time of change and inode of each file."""


def watch(args: Namespace, wanted: Sequence[Output], lang: str) -> int:
    """Judge at each change; ends with 0 on Ctrl-C. Raises `UsageError` for what can never be judged."""
    for name in _REFUSED:
        if getattr(args, name) not in (None, False):
            option = name.replace("_", "-")
            raise UsageError(f"--watch with --{option}", mend="use it in a check of its own")
    if "-" in args.paths:
        raise UsageError("--watch of standard input", mend="name a file or a folder")
    gc.set_threshold(*GC)
    try:
        _Watch(args, wanted, lang).run()
    except KeyboardInterrupt:
        said(lang, "again.ended")
    return 0


class _Watch:
    """One command line, judged again and again."""

    def __init__(self, args: Namespace, wanted: Sequence[Output], lang: str) -> None:
        self._args = args
        self._wanted = wanted
        self._lang = lang
        self._options = check.chosen(args, settings())
        own = [one.path for one in wanted]
        self._own = {os.path.abspath(path) for name in own for path in (name, f"{name}.partial")}
        self._last: Report | None = None

    def run(self) -> None:
        """Until Ctrl-C."""
        seen: State | None = None
        while True:
            seen = self._changed(seen)
            self._judge()

    def _changed(self, seen: State | None) -> State:
        """Wait until something differs from `seen`, and has settled."""
        since: float | None = None
        before = seen
        while True:
            begun = time.monotonic()
            now = dict(self._state())
            took = time.monotonic() - begun
            if seen is None:
                return now
            if now != seen:
                since = since if since is not None else begun
                if now == before or begun - since >= LONGEST_S:
                    return now
            before = now
            time.sleep(max(EVERY_S, took * _SHARE))

    def _state(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        for path in (*self._paths(), *self._files()):
            for file in _below(path):
                try:
                    info = os.stat(file)
                except OSError:
                    continue
                if os.path.abspath(file) not in self._own:
                    yield file, (info.st_size, info.st_mtime_ns, info.st_ino)

    def _paths(self) -> list[str]:
        """What is judged now: of a folder of runs the newest."""
        if self._args.paths:
            return newest.narrowed(self._args.paths)
        found = newest.newest()
        return [found] if found else []

    def _files(self) -> Iterator[str]:
        """Files that have a say, whether they exist or not."""
        from harness.waivers import DEFAULT

        chosen = self._options
        yield from ("harness.toml", "pyproject.toml", DEFAULT, chosen.contract, *chosen.mappings)
        yield from (one for one in (chosen.waivers, chosen.baseline, chosen.topologies) if one)
        yield from self._args.scenario or ()

    def _judge(self) -> None:
        """Judge and tell; what the user can mend is told and waited for."""
        try:
            self._options = check.chosen(self._args, settings())
            self._report(self._paths())
        except CaptureError as error:
            self._wait(error)
        except HarnessError as error:
            if self._last is None:
                raise
            self._wait(error)
        gc.collect()

    def _report(self, paths: list[str]) -> None:
        if not paths:
            raise CaptureError("there is no run yet", file=" or ".join(newest.FOLDERS))
        report = check.judged(paths, self._options, self._lang)
        terminal.clear()
        check.tell(report, self._options, self._args, self._wanted, self._lang)
        if self._last is not None:
            self._tell_changes(self._last, report)
        self._last = report
        said(self._lang, "again.watching", path=", ".join(paths))

    def _tell_changes(self, before: Report, now: Report) -> None:
        from harness.accepted import applied
        from harness.cli.changes import changes, lines
        from harness.pipeline import load

        made = changes(before, now, applied(load(self._options)))
        terminal.show(lines(made, terminal.view(self._lang)))

    def _wait(self, error: HarnessError) -> None:
        said(self._lang, "again.waiting", error=str(error))


def _below(path: str) -> Iterator[str]:
    """The file itself, or all files below the folder."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, name) for name in names)
