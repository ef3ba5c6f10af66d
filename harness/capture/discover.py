"""Find the captures under paths, folders, globs and `-`, by content (semantics section 1).

A named file must be a capture, else it is told. In a folder the endings of
`naming.MUST` must be captures; other files are counted, not read. Nothing but regular files
is opened, links are followed once, and each file is one capture however often it is named.
"""

import os
import stat
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

from harness.capture.assemble import assemble
from harness.capture.beside import Parts, printable
from harness.capture.files import refusal
from harness.capture.naming import split
from harness.capture.sets import BODIES, SIDECARS, captures_of, must_be_capture, same_stem
from harness.errors import CaptureError
from harness.model.capture import Capture, Unread

MAX_LINE = 16 << 20
_KINDS = (
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class Found(NamedTuple):
    """What lies under the paths."""

    captures: tuple[Capture, ...]
    not_captures: int
    unread: tuple[Unread, ...]


def find(paths: Sequence[str], *, stdin: BinaryIO | None = None, max_line: int = MAX_LINE) -> Found:
    """All captures under `paths`, in the order given, names sorted within a folder.

    `-` reads `stdin`. Raises CaptureError for a path that does not exist and a pattern that
    matches nothing; whatever else can not be read is in `unread`.
    """
    search = _Search(max_line)
    for path in paths:
        if path == "-":
            search.stream(stdin)
            continue
        for one in _matching(path):
            search.named(one)
    return Found(tuple(search.captures), search.not_captures, tuple(search.unread))


def _matching(path: str) -> list[str]:
    """The path itself if it exists, else what it matches as a pattern."""
    if os.path.lexists(path):
        return [path]
    if any(c in path for c in "*?["):
        import glob

        found = sorted(glob.glob(path, recursive=True, include_hidden=True))
        if found:
            return found
        raise CaptureError("nothing matches this pattern", file=printable(path), mend="check the path")
    raise CaptureError("no such file or folder", file=printable(path), mend="check the path")


def _place(capture: Capture) -> tuple[str, int, str]:
    return capture.scenario, capture.round, capture.leg


class _Search:
    def __init__(self, max_line: int) -> None:
        self.captures: list[Capture] = []
        self.unread: list[Unread] = []
        self.not_captures = 0
        self._max_line = max_line
        self._seen: set[str] = set()
        self._folders: set[tuple[int, int]] = set()

    def stream(self, stdin: BinaryIO | None) -> None:
        """Standard input, spooled to a file that lives as long as the process."""
        if stdin is None:
            raise CaptureError("standard input is not open", file="-", mend="give a path, or pipe bytes in")
        if "-" in self._seen:
            return
        self._seen.add("-")
        from harness.capture.spool import spooled

        folder, name = os.path.split(spooled(stdin))
        self._keep(assemble(folder, "", Parts(name), self._max_line, source="-"), scenario="-")

    def named(self, path: str) -> None:
        """A path that somebody typed."""
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            self.unread.append(Unread(printable(path), refusal(error)))
            return
        if stat.S_ISDIR(mode):
            self._folder(path, path)
        elif stat.S_ISREG(mode):
            self._file(path)
        else:
            kind = next((name for test, name in _KINDS if test(mode)), "no regular file")
            reason = f"{kind}: never opened; pipe its bytes to `-`"
            self.unread.append(Unread(printable(path), reason))

    def _file(self, path: str) -> None:
        folder, name = os.path.split(path)
        stem, extension = split(name)
        names = [name]
        if extension in (*BODIES, *SIDECARS, ".jsonl"):
            names = same_stem(folder, name, stem)
        for parts in captures_of(folder, names):
            if name in (parts.body, *parts[2:]):
                self._add(folder, folder, parts)
                return
        self._add(folder, folder, Parts(name))

    def _folder(self, path: str, below: str) -> None:
        """A folder and all below it; folders that links lead to are read once."""
        todo = [(path, below)]
        while todo:
            path, below = todo.pop()
            folders = self._one_folder(path, below)
            todo += [(os.path.join(path, name), os.path.join(below, name)) for name in reversed(folders)]

    def _one_folder(self, path: str, below: str) -> list[str]:
        """The files of one folder; the names of the folders in it are left to the caller."""
        try:
            info = os.stat(path)
            with os.scandir(path) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.unread.append(Unread(printable(below), refusal(error)))
            return []
        if (info.st_dev, info.st_ino) in self._folders:
            return []
        self._folders.add((info.st_dev, info.st_ino))
        files, folders = self._sorted_out(listed, below)
        self._files(path, below, files)
        return folders

    def _sorted_out(self, listed: list[os.DirEntry[str]], below: str) -> tuple[list[str], list[str]]:
        """Names of regular files and of folders; all else is counted or told."""
        files: list[str] = []
        folders: list[str] = []
        for entry in listed:
            try:
                if entry.is_dir():
                    folders.append(entry.name)
                    continue
                if entry.is_file():
                    files.append(entry.name)
                    continue
                broken = entry.is_symlink() and must_be_capture(entry.name) and not os.path.exists(entry.path)
                reason = "a link that leads nowhere; mend it or delete it"
            except OSError as error:
                broken, reason = must_be_capture(entry.name), refusal(error)
            if broken:
                self.unread.append(Unread(printable(os.path.join(below, entry.name)), reason))
            else:
                self.not_captures += 1
        return files, folders

    def _files(self, folder: str, below: str, names: list[str]) -> None:
        used: set[str] = set()
        for parts in captures_of(folder, names):
            used.update(name for name in (parts.body, *parts[2:]) if isinstance(name, str))
            self._add(folder, below, parts)
        rest = [name for name in names if name not in used]
        for name in rest:
            if must_be_capture(name):
                self._add(folder, below, Parts(name))
            elif name == "run.json":
                self._run(folder, below)
            else:
                self.not_captures += 1

    def _run(self, folder: str, below: str) -> None:
        """A run that its recorder could not write to the end is told, and so is a damaged `run.json` of ours.

        Ours lies beside journals; a `run.json` of others is not read.
        """
        if not os.path.exists(os.path.join(folder, "run.json")):
            return
        from harness.capture.store import read_run

        try:
            facts = read_run(folder) or {}
        except CaptureError as error:
            if any(one.timed and os.path.dirname(one.path) == folder for one in self.captures):
                source = printable(os.path.join(below, "run.json"))
                self.unread.append(Unread(source, f"{error.what}; {error.mend}"))
            return
        self._not_rounds(folder, facts.get("retried"))
        lacks = facts.get("incomplete")
        for reason in lacks if isinstance(lacks, list) else ():
            source = printable(os.path.join(below, "run.json"))
            self.unread.append(Unread(source, f"the run is incomplete: {reason}; record it again"))

    def _not_rounds(self, folder: str, stems: Any) -> None:
        """Requests that were sent again are evidence, and no rounds: those behind them are."""
        again = {stem for stem in stems if isinstance(stem, str)} if isinstance(stems, list) else set()
        parent = os.path.dirname(os.path.join(folder, "run.json"))
        here = [at for at, one in enumerate(self.captures) if again and os.path.dirname(one.path) == parent]
        retried = [at for at in here if split(os.path.basename(self.captures[at].path))[0] in again]
        kept = {_place(self.captures[at]) for at in set(here) - set(retried)}
        for at in retried:
            if _place(self.captures[at]) in kept:
                self.captures[at] = self.captures[at]._replace(protocol="OTHER")

    def _add(self, folder: str, below: str, parts: Parts) -> None:
        key = os.path.abspath(os.path.join(folder, parts.body))
        if key not in self._seen:
            self._seen.add(key)
            self._keep(assemble(folder, below, parts, self._max_line))

    def _keep(self, found: Capture | Unread, scenario: str | None = None) -> None:
        if isinstance(found, Unread):
            self.unread.append(found)
        elif scenario is not None and not found.rebuilt:
            self.captures.append(found._replace(scenario=scenario))
        else:
            self.captures.append(found)
