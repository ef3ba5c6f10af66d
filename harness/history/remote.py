"""An index in another place than this machine's disk, through fsspec (extra `fsspec`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.history.folder import partial, refused, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

_EXTRA = "pip install 'a2a-harness[fsspec]', and what fsspec needs for this protocol"


class Remote:
    """A folder behind an address. Files are copied here to be read."""

    def __init__(self, where: str) -> None:
        self.where = where
        try:
            import fsspec
        except ImportError:
            raise UsageError(
                "an address needs fsspec, which is not installed", file=where, mend=_EXTRA
            ) from None
        try:
            self._files, self._root = fsspec.core.url_to_fs(where)
        except (ImportError, ValueError) as fault:
            raise UsageError(f"is no place that fsspec reaches: {fault}", file=where, mend=_EXTRA) from None
        except OSError as fault:
            raise refused(where, fault, "read") from None

    def names(self) -> list[str] | None:
        try:
            self._files.invalidate_cache()
            found: list[dict[str, Any]] = self._files.ls(self._root, detail=True)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise refused(self.where, fault, "read") from None
        return shown(str(one["name"]).rpartition("/")[2] for one in found if one["type"] == "file")

    def paths(self, names: Iterable[str], copies: str) -> dict[str, str]:
        wanted = {self._path(name): name for name in names}
        try:
            read = self._files.cat(list(wanted), on_error="omit") if wanted else {}
        except OSError as fault:
            raise refused(self.where, fault, "read") from None
        made: dict[str, str] = {}
        for number, (path, data) in enumerate(_in_order(wanted, read)):
            made[path] = os.path.join(copies, f"{number}.parquet")
            with open(made[path], "wb") as file:
                file.write(data)
        return made

    def write(self, name: str, data: bytes) -> None:
        unfinished = self._path(partial(name))
        try:
            self._files.makedirs(self._root, exist_ok=True)
            self._files.pipe_file(unfinished, data)
            self._files.mv(unfinished, self._path(name))
        except OSError as fault:
            raise refused(self.where, fault) from None

    def remove(self, names: Iterable[str]) -> None:
        try:
            for path in map(self._path, names):
                if self._files.exists(path):
                    self._files.rm_file(path)
        except OSError as fault:
            raise refused(self.where, fault) from None

    def tidy(self) -> None:
        """Nothing: the age of a file can not be asked everywhere."""

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"


def _in_order(wanted: dict[str, str], read: dict[str, bytes]) -> list[tuple[str, bytes]]:
    """Each name with its bytes; file systems may answer by a longer path than they were asked by."""
    by_tail = {path.rpartition("/")[2]: data for path, data in read.items()}
    return [(name, by_tail[name]) for name in wanted.values() if name in by_tail]
