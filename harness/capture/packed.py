"""Archives in memory of bounded size: gzip members and zstd frames, one behind another.

Loaded only when a compressed file is met: `zlib` and `zstandard` cost their import.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import zstandard

from harness.capture.files import GZIP, ZSTD, Damaged

_WINDOW = 1 << 27


class Gzip:
    """gzip, any number of members; pieces of at most `size` bytes."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._member = zlib.decompressobj(wbits=31)
        self._fresh = True
        self._first = True
        self._rest = b""  # first byte of a next member, until the second tells

    def feed(self, data: bytes) -> Iterator[bytes]:
        data = self._rest + data
        self._rest = b""
        try:
            while data:
                if self._fresh and not self._begins(data):
                    return
                self._fresh = False
                piece = self._member.decompress(data, self._size)
                if piece:
                    yield piece
                data = self._behind()
        except zlib.error as error:
            raise Damaged(str(error)) from None

    def _begins(self, data: bytes) -> bool:
        """Whether a member begins here; padding of zeros behind the last one is none."""
        if len(data) < len(GZIP):
            self._rest = data
            return False
        if data.startswith(GZIP) or self._first:
            self._first = False
            return True
        if not data.strip(b"\0"):
            return False
        raise Damaged("no further member where one must begin")

    def _behind(self) -> bytes:
        if not self._member.eof:
            return self._member.unconsumed_tail
        data = self._member.unused_data
        self._member = zlib.decompressobj(wbits=31)
        self._fresh = True
        return data

    def missing(self) -> str | None:
        if self._rest.strip(b"\0"):
            return "ends in the middle of a member"
        return None if self._fresh else "is cut off before its end"


class Zstd:
    """zstd, any number of frames (skippable ones too). Feed it 1 KiB at a time: a block of
    four bytes may hold 128 KiB, and one call gives all that its bytes hold."""

    def __init__(self) -> None:
        self._context = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        self._frame = self._context.decompressobj()
        self._start = b""
        self._fresh = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        data = self._start + data
        self._start = b""
        try:
            while data:
                if self._fresh and len(data) < len(ZSTD):
                    self._start = data
                    return
                self._fresh = False
                piece = self._frame.decompress(data)
                if piece:
                    yield piece
                data = self._behind()
        except zstandard.ZstdError as error:
            raise Damaged(str(error)) from None

    def _behind(self) -> bytes:
        if not self._frame.eof:
            return b""
        data = self._frame.unused_data
        self._frame = self._context.decompressobj()
        self._fresh = True
        return data

    def missing(self) -> str | None:
        if self._start:
            return "ends in the middle of a frame"
        return None if self._fresh else "is cut off before its end"
