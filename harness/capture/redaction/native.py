"""Rewrites a capture of ours: the journal's heads and notes, the body, and the offsets that tie them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from harness.capture.redaction.redactor import Redactor
from harness.jsontext import read

type Write = Callable[[bytes], object]


class Native:
    """One capture on its way. `body`: the pieces of its body; both writes take bytes in order."""

    def __init__(self, redactor: Redactor, body: Iterator[bytes], write: Write, write_body: Write) -> None:
        self._redactor = redactor
        self._body = body
        self._rest = b""  # of the body: read, but not yet asked for
        self._write = write
        self._write_body = write_body
        self._stream = redactor.stream()
        self._read = 0
        self._written = 0
        self._last: dict[str, Any] = {}

    def rewrite(self, journal: Iterator[bytes]) -> int:
        """Write it all; gives how many secrets the body held."""
        for line in _lines(journal):
            self._line(line)
        self._end()
        return self._stream.found

    def _line(self, line: bytes) -> None:
        value = read(str(line, "utf-8", "surrogateescape"))
        if not isinstance(value, dict):
            self._write(self._redactor.data(line) + b"\n")
        elif value.get("kind") == "chunk":
            self._chunk(value)
        else:
            if value.get("kind") == "response":
                self._stream = self._redactor.stream(frames=_is_stream(value))
            elif value.get("kind") == "ending":
                self._end()
            self._put({key: self._redacted(key, held) for key, held in value.items()})

    def _redacted(self, key: str, held: Any) -> Any:
        if key == "headers" and isinstance(held, list):
            pairs = [tuple(pair) for pair in held if isinstance(pair, list) and len(pair) == 2]
            if len(pairs) == len(held) and all(isinstance(part, str) for pair in pairs for part in pair):
                return self._redactor.headers((name, value) for name, value in pairs)
        if key == "target" and isinstance(held, str):
            return self._redactor.target(held)
        if isinstance(held, str):
            return self._redactor.text(held)
        return held if isinstance(held, int | float | None) else read(self._redactor.text(json.dumps(held)))

    def _chunk(self, value: dict[str, Any]) -> None:
        offset, length = value.get("offset"), value.get("length")
        if not isinstance(offset, int) or not isinstance(length, int) or offset != self._read or length < 0:
            self._put(value)
            return
        self._read += length
        self._last = value
        size = 0
        while length and (piece := self._take(length)):
            length -= len(piece)
            size += self._give(self._stream.feed(piece))
        self._note(size)

    def _take(self, most: int) -> bytes:
        piece = self._rest or next(self._body, b"")
        self._rest = piece[most:]
        return piece[:most]

    def _give(self, data: bytes) -> int:
        self._write_body(data)
        return len(data)

    def _note(self, size: int) -> None:
        if size:
            self._put({**self._last, "offset": self._written, "length": size})
            self._written += size

    def _end(self) -> None:
        """What the body has beside its chunks, and what was held."""
        size = 0
        while piece := self._take(1 << 20):
            size += self._give(self._stream.feed(piece))
        size += self._give(self._stream.end())
        if self._last:
            self._note(size)

    def _put(self, value: dict[str, Any]) -> None:
        self._write(json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n")


def _is_stream(response: dict[str, Any]) -> bool:
    pairs = response.get("headers")
    return any(
        pair[:1] == ["content-type"] and str(pair[-1]).lower().startswith("text/event-stream")
        for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, list)
    )


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        yield from lines
    if rest:
        yield rest
