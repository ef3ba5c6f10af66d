"""The folder of an index: on this machine, or wherever fsspec reaches.

Writing is whole or not at all: bytes go under a name that no reader looks at, and take their
true name when they are complete. So two writers lose nothing, and a kill loses one run at most.
"""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT = "reports/history"
PARTIAL = ".partial"
STALE = 3600
"""Seconds after which an unfinished file belongs to nobody."""


class Folder(Protocol):
    """Files by name; raises `UsageError` for what the place does not allow."""

    where: str

    def names(self) -> list[str] | None:
        """All files in it, sorted, hidden and unfinished ones left out; None: there is no such folder."""

    def paths(self, names: Iterable[str], copies: str) -> dict[str, str]:
        """Where DuckDB can read them; files elsewhere are copied into the folder `copies`."""

    def write(self, name: str, data: bytes) -> None:
        """A new file, or one in the place of another."""

    def remove(self, names: Iterable[str]) -> None:
        """Files that are not needed any more; one that is gone already is no error."""

    def tidy(self) -> None:
        """Remove what killed writers left."""


def folder(where: str) -> Folder:
    """The folder at a path, or at an address such as `s3://bucket/history`."""
    if "://" in where:
        from harness.history.remote import Remote

        return Remote(where)
    return Local(where)


def partial(name: str) -> str:
    """A name of its own for a file that is being written."""
    return f".{name[:120]}.{os.getpid()}-{secrets.token_hex(4)}{PARTIAL}"


def shown(names: Iterable[str]) -> list[str]:
    """The names that readers look at."""
    return sorted(name for name in names if not name.startswith("."))


def refused(where: str, fault: OSError, what: str = "written") -> UsageError:
    """A place that does not allow it."""
    text = fault.strerror or str(fault) or type(fault).__name__
    mend = (
        "make it writable, or name another folder with --history" if what == "written" else "check the path"
    )
    return UsageError(f"the history can not be {what}: {text}", file=where, mend=mend)


class Local:
    """A folder on this machine."""

    def __init__(self, where: str) -> None:
        self.where = where

    def names(self) -> list[str] | None:
        try:
            with os.scandir(self.where) as entries:
                return shown(entry.name for entry in entries if entry.is_file())
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise refused(self.where, fault, "read") from None

    def paths(self, names: Iterable[str], copies: str) -> dict[str, str]:
        return {name: os.path.join(self.where, name) for name in names}

    def write(self, name: str, data: bytes) -> None:
        unfinished = os.path.join(self.where, partial(name))
        try:
            os.makedirs(self.where, exist_ok=True)
            try:
                _flushed(unfinished, data)
                os.replace(unfinished, os.path.join(self.where, name))
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(unfinished)
        except OSError as fault:
            raise refused(self.where, fault) from None

    def remove(self, names: Iterable[str]) -> None:
        try:
            for name in names:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.where, name))
        except OSError as fault:
            raise refused(self.where, fault) from None

    def tidy(self) -> None:
        try:
            with os.scandir(self.where) as entries:
                left = [entry for entry in entries if entry.name.endswith(PARTIAL) and _old(entry)]
        except FileNotFoundError:
            return
        self.remove(entry.name for entry in left)


def _flushed(path: str, data: bytes) -> None:
    """Written through to the disk: a name must not outlive the bytes it stands for."""
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _old(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.name.startswith(".") and time.time() - entry.stat().st_mtime > STALE
    except FileNotFoundError:
        return False
