"""Content codings, undone as the bytes come: gzip, deflate, br, zstd and stacks of them (RFC 9110, 8.4).

Compressed bytes in, plain bytes out; no file, no clock, no HTTP. What a flushed piece of a
stream holds comes out with that piece. Wire bytes never raise: what can not be undone is told
in `flaw`, and what came before it stays good. `brotli` and `zstandard` are loaded when met.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Protocol

PIECE = 64 << 10
"""Longest piece that `pieces` gives, in bytes; br: twice that; zstd: 8 MiB (256 bytes can stand for it)."""
_ZSTD_STEP = 1 << 8
_ZSTD_WINDOW = 1 << 27
_NONE = ("", "identity", "none")


class Decoder(Protocol):
    """What undoes one coding. Feed it all bytes in order, then `finish` once."""

    @property
    def flaw(self) -> str | None:
        """Why bytes could not be decoded; None as long as all is well."""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What `data` adds, in pieces of bounded size: a bomb is never whole in memory."""

    def feed(self, data: bytes) -> bytes:
        """What `data` adds, in one piece."""

    def finish(self) -> bytes:
        """The end of the bytes: what is left; a coding that is not at its end is a flaw."""


class Damaged(Exception):
    """Bytes that are none of the coding."""


class _Unpacker(Protocol):
    def pieces(self, data: bytes) -> Iterator[bytes]: ...

    def missing(self) -> bool:
        """Whether the coding wants more bytes than came."""


def decoder(name: str | None) -> Decoder:
    """The decoder for the value of a `content-encoding` header; None and "" stand for identity.

    Several codings are undone from the last to the first. One that is not known leaves the
    bytes as they are, and says so in `flaw`.
    """
    codings = [one.strip().lower() for one in (name or "").split(",")]
    codings = [one for one in codings if one not in _NONE]
    for one in codings:
        if one not in _UNPACKERS:
            return Identity(f"the content coding {printable(one)} is not known: bytes are as they came")
    if not codings:
        return Identity()
    try:
        parts = [One(each) for each in reversed(codings)]
    except ImportError as error:
        return Identity(f"{error.name} is not installed: bytes are as they came")
    return Stack(parts) if len(parts) > 1 else parts[0]


def printable(name: str) -> str:
    """A coding's name as a message may hold it."""
    return ascii(name[:40])


class Identity:
    """No coding: bytes are as they came."""

    def __init__(self, flaw: str | None = None) -> None:
        self.flaw = flaw

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """The bytes themselves."""
        if data:
            yield data

    def feed(self, data: bytes) -> bytes:
        """The bytes themselves."""
        return data

    def finish(self) -> bytes:
        """Nothing is left."""
        return b""


class One:
    """One coding. After a flaw nothing more comes out."""

    def __init__(self, name: str) -> None:
        self.flaw: str | None = None
        self._name = name
        self._unpacker = _UNPACKERS[name]()
        self._begun = False

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What `data` adds."""
        if self.flaw is not None or not data:
            return
        self._begun = True
        try:
            yield from self._unpacker.pieces(data)
        except Damaged as error:
            self.flaw = f"the {self._name} coding is damaged ({error}); what came before was decoded"

    def feed(self, data: bytes) -> bytes:
        """What `data` adds."""
        return b"".join(self.pieces(data))

    def finish(self) -> bytes:
        """Nothing is left in a decoder; a coding cut off before its end is a flaw."""
        if self.flaw is None and self._begun and self._unpacker.missing():
            self.flaw = f"the {self._name} coding is cut off before its end; what it holds was decoded"
        return b""


class Stack:
    """Several codings, the outermost first."""

    def __init__(self, parts: list[One]) -> None:
        self._parts = parts

    @property
    def flaw(self) -> str | None:
        """The first flaw, from the outermost coding on."""
        return next((part.flaw for part in self._parts if part.flaw), None)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What `data` adds."""
        flow: Iterable[bytes] = (data,)
        for part in self._parts:
            flow = _through(part, flow)
        yield from flow

    def feed(self, data: bytes) -> bytes:
        """What `data` adds."""
        return b"".join(self.pieces(data))

    def finish(self) -> bytes:
        """The end of the bytes."""
        for part in self._parts:
            part.finish()
        return b""


def _through(part: One, flow: Iterable[bytes]) -> Iterator[bytes]:
    for piece in flow:
        yield from part.pieces(piece)


class _Gzip:
    """Members one behind another; zeros behind the last one are padding."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._between = False

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._between:
                data = data.lstrip(b"\0")
                if not data:
                    return
                self._between = False
            yield from _inflated(self._member, data)
            if not self._member.eof:
                return
            data = self._member.unused_data
            self._member = zlib.decompressobj(wbits=31)
            self._between = True

    def missing(self) -> bool:
        return not self._between


class _Deflate:
    """The zlib format, or bare deflate, which some servers send under this name."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._start = b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            data = self._start + data
            if len(data) < 2:
                self._start = data
                return
            wrapped = data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
            self._stream = zlib.decompressobj(wbits=15 if wrapped else -15)
        if not self._stream.eof:
            yield from _inflated(self._stream, data)

    def missing(self) -> bool:
        return self._stream is None or not self._stream.eof


def _inflated(stream: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    try:
        while True:
            piece = stream.decompress(data, PIECE)
            if piece:
                yield piece
            data = stream.unconsumed_tail
            if stream.eof or not (data or len(piece) == PIECE):
                return
    except zlib.error as error:
        raise Damaged(str(error)) from None


class _Brotli:
    def __init__(self) -> None:
        import brotli

        self._error: type[Exception] = brotli.error
        self._stream = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        try:
            while not self._stream.is_finished():
                piece = self._stream.process(data, output_buffer_limit=PIECE)
                if not piece:
                    return
                yield piece
                data = b""
        except self._error as error:
            raise Damaged(str(error)) from None

    def missing(self) -> bool:
        return not self._stream.is_finished()


class _Zstd:
    """Frames one behind another. Fed in small steps: four bytes may stand for 128 KiB."""

    def __init__(self) -> None:
        import zstandard

        self._error: type[Exception] = zstandard.ZstdError
        self._context = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._frame = self._context.decompressobj()
        self._fresh = True

    def pieces(self, data: bytes) -> Iterator[bytes]:
        for at in range(0, len(data), _ZSTD_STEP):
            yield from self._step(data[at : at + _ZSTD_STEP])

    def _step(self, data: bytes) -> Iterator[bytes]:
        try:
            while data:
                self._fresh = False
                piece = self._frame.decompress(data)
                if piece:
                    yield piece
                if not self._frame.eof:
                    return
                data = self._frame.unused_data
                self._frame = self._context.decompressobj()
                self._fresh = True
        except self._error as error:
            raise Damaged(str(error)) from None

    def missing(self) -> bool:
        return not self._fresh


_UNPACKERS: dict[str, type[_Gzip] | type[_Deflate] | type[_Brotli] | type[_Zstd]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
