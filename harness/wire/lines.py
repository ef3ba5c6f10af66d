"""A line under construction: the bounded buffer that all decoders share.

Bytes come in pieces of any size; cost is linear in them. A line longer than `limit` keeps
its first `KEPT` bytes only, while its true length goes on counting.
"""

from __future__ import annotations

KEPT = 1024
"""Bytes kept of an oversize line: enough for `SHOWN` characters of any script."""
SHOWN = 200
"""Characters shown of an oversize line."""


class Line:
    """Pieces of one line. `size` is its true length, `oversize` whether it was cut."""

    __slots__ = ("_kept", "_limit", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()
        self.size = 0

    @property
    def oversize(self) -> bool:
        return self.size > self._limit

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if not self.oversize:
            self._kept += piece
            return
        room = KEPT - len(self._kept)
        if room > 0:
            self._kept += piece[:room]
        else:
            del self._kept[KEPT:]

    def take(self) -> bytes:
        """The line (or its kept beginning); the buffer is empty afterwards."""
        line = bytes(self._kept)
        self._kept.clear()
        self.size = 0
        return line


def text(raw: bytes | bytearray) -> tuple[str, bool]:
    """`raw` as UTF-8, and whether something had to be replaced by U+FFFD."""
    try:
        return str(raw, "utf-8"), False
    except UnicodeDecodeError:
        return str(raw, "utf-8", "replace"), True


def shown(raw: bytes | bytearray) -> str:
    """The first `SHOWN` characters of what was kept of an oversize line."""
    return str(raw[:KEPT], "utf-8", "replace")[:SHOWN]
