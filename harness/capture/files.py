"""Bytes of captures off the disk: plain, gzip, zstd, told apart by their first bytes.

Nothing here raises on what a file holds or on what becomes of it while it is read: bytes
end early and `Body.unread` says why. Offsets are those of the decompressed file. Only
regular files are ever opened, so that no pipe, socket or device can hang a run.
"""

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from harness.model.capture import Capture, Unread
from harness.model.frame import Span

CHUNK = 1 << 19
"""Bytes read at once: they stay in the processor's cache while they are looked through."""
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = b"\x2a\x4d\x18"
EXPANSION = 100
"""An archive may expand to this many times its size, or to `EXPANSION_FLOOR` if more."""
EXPANSION_FLOOR = 256 << 20


class NotRegular(OSError):
    """The path is a folder, pipe, socket or device."""


class Source(NamedTuple):
    """An open file: its descriptor and its size in that moment."""

    fd: int
    size: int


def opened(path: str) -> Source:
    """Open a regular file. Raises OSError; NotRegular for anything that is no such file."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    info = os.fstat(fd)
    if not stat.S_ISREG(info.st_mode):
        os.close(fd)
        raise NotRegular(f"{path}: no regular file")
    return Source(fd, info.st_size)


def packing(first: bytes) -> str | None:
    """`gzip` or `zstd` where a file begins like one, else None."""
    if first.startswith(GZIP):
        return "gzip"
    skippable = first[1:4] == _SKIPPABLE and first[0] & 0xF0 == 0x50
    return "zstd" if skippable or first.startswith(ZSTD) else None


def is_plain(capture: Capture) -> bool:
    """Whether `capture.path` can be read as it stands: it exists and is not compressed."""
    try:
        source = opened(capture.path)
    except OSError:
        return False
    try:
        return packing(os.pread(source.fd, 4, 0)) is None
    except OSError:
        return False
    finally:
        os.close(source.fd)


class _Unpacker(Protocol):
    """Compressed bytes in, pieces of bounded size out. Raises `Damaged`."""

    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def missing(self) -> str | None: ...


class Damaged(Exception):
    """An archive that can not be read on; what was unpacked before stays good."""


class Body:
    """The bytes of one capture, from `start` to `end`, decompressed.

        body = Body(capture)
        for chunk in body.chunks(): ...
        body.unread  # what could not be read, with its place

    `expansion` is the longest an archive may become, in bytes (default: 100 times its size,
    at least 256 MiB).
    """

    def __init__(self, capture: Capture, expansion: int | None = None) -> None:
        self._capture = capture
        self._expansion = expansion
        self.unread: list[Unread] = []

    def chunks(self, size: int = CHUNK) -> Iterator[bytes]:
        """The body in pieces of at most `size` bytes (plain files), in order, once."""
        capture = self._capture
        if capture.end is not None and capture.end <= capture.start:
            return
        try:
            source = opened(capture.path)
        except OSError as error:
            self._tell(refusal(error), 0)
            return
        try:
            yield from self._read(source, size)
        except OSError as error:
            self._tell(f"reading failed: {error.strerror or error}; copy the file anew", 0)
        finally:
            os.close(source.fd)

    def _read(self, source: Source, size: int) -> Iterator[bytes]:
        kind = packing(os.pread(source.fd, 4, 0))
        if kind is None:
            yield from self._plain(source, size)
        else:
            yield from self._slice(self._unpack(source, kind, size))
        after = os.fstat(source.fd).st_size
        if after > source.size:
            reason = f"the file grew from {source.size} to {after} bytes while it was read"
            reason += "; judge it when it is whole"
            self._tell(reason, source.size, after)

    def _plain(self, source: Source, size: int) -> Iterator[bytes]:
        end = self._capture.end
        end = source.size if end is None else min(end, source.size)
        at = self._capture.start
        while at < end:
            chunk = os.pread(source.fd, min(size, end - at), at)
            if not chunk:
                reason = f"the file shrank to {at} bytes while it was read; judge it when it is whole"
                self._tell(reason, at, end)
                return
            at += len(chunk)
            yield chunk

    def _slice(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Of the decompressed bytes those in `[start, end)`."""
        start, end, at = self._capture.start, self._capture.end, 0
        for piece in pieces:
            begin, at = at, at + len(piece)
            if at <= start:
                continue
            piece = piece[max(0, start - begin) :]
            if end is not None and at >= end:
                yield piece[: len(piece) - (at - end)]
                return
            yield piece

    def _unpack(self, source: Source, kind: str, size: int) -> Iterator[bytes]:
        limit = self._expansion
        if limit is None:
            limit = max(EXPANSION_FLOOR, EXPANSION * source.size)
        out = 0
        for piece in unpacked(source, kind, size):
            if isinstance(piece, str):
                self._tell(piece, out)
                return
            out += len(piece)
            if out > limit:
                yield piece[: len(piece) - (out - limit)]
                reason = f"the {kind} archive expands to more than {limit} bytes and was read no further"
                self._tell(f"{reason}; unpack it to have it judged whole", limit)
                return
            yield piece

    def _tell(self, reason: str, start: int, end: int | None = None) -> None:
        span = Span(start, start if end is None else end)
        self.unread.append(Unread(self._capture.source, reason, span))


def refusal(error: OSError) -> str:
    """Why a file could not be opened, and the mend."""
    if isinstance(error, NotRegular):
        return "no regular file (a pipe, socket or device): never opened; pipe its bytes to `-`"
    if isinstance(error, PermissionError):
        return "permission denied; make the file readable"
    if isinstance(error, FileNotFoundError):
        return "no such file (or a link that leads nowhere); check the path"
    return f"can not be opened: {error.strerror or error}; check the path"


def unpacked(source: Source, kind: str, size: int = CHUNK) -> Iterator[bytes | str]:
    """Pieces of a decompressed file; a last `str` says why it ends too early."""
    at = 0
    step = 1 << 10 if kind == "zstd" else 1 << 16
    unpacker = _zstd() if kind == "zstd" else _gzip(size)
    try:
        while at < source.size:
            data = os.pread(source.fd, min(step, source.size - at), at)
            if not data:
                break
            yield from unpacker.feed(data)
            at += len(data)
    except Damaged as error:
        yield f"the {kind} archive is damaged near its byte {at} ({error}); what stood before was read"
        return
    missing = unpacker.missing()
    if missing:
        yield f"the {kind} archive {missing}; what it holds was read"


def _gzip(size: int) -> _Unpacker:
    from harness.capture.packed import Gzip

    return Gzip(size)


def _zstd() -> _Unpacker:
    from harness.capture.packed import Zstd

    return Zstd()


class Prefix(NamedTuple):
    """The first decompressed bytes of a file."""

    raw: bytes
    whole: bool
    """There are no more."""
    size: int | None
    """All decompressed bytes, where that is known without reading on."""


def prefix(source: Source, length: int) -> Prefix:
    """The first `length` bytes, decompressed. A damaged archive gives what can be read of it."""
    first = os.pread(source.fd, min(length, source.size), 0)
    kind = packing(first)
    if kind is None:
        return Prefix(first, len(first) >= source.size, source.size)
    out = bytearray()
    for piece in unpacked(source, kind, length):
        if isinstance(piece, str):
            break
        out += piece
        if len(out) > length:
            return Prefix(bytes(out[:length]), False, None)
    return Prefix(bytes(out), True, len(out))
