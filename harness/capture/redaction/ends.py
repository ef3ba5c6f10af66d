"""Where a secret ends, by how it began: bytes in, positions out.

Each end answers `stop(raw, at)`: up to where the bytes from `at` on belong to the secret for
certain, and whether it ends there or may go on behind the bytes at hand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, Protocol

from harness.capture.redaction.plain import depth_of


class Stop(NamedTuple):
    """Up to where, and whether that is the end."""

    at: int
    ended: bool


class End(Protocol):
    """How one kind of value ends."""

    def stop(self, raw: bytes, at: int) -> Stop: ...


_QUOTE = re.compile(rb'(\\*)(?:"|(u)0022)')
_QUOTE_PART = re.compile(rb"\\+(?:u(?:0(?:0(?:22?)?)?)?)?\Z")


class InString:
    """JSON in `depth` strings: ends at the quote that closes its string, or one around it."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def stop(self, raw: bytes, at: int) -> Stop:
        for found in _QUOTE.finditer(raw, at):
            slashes = len(found[1])
            if found[2] and not slashes:
                continue
            if closes(depth_of(slashes) if found[2] else slashes, self.depth):
                return Stop(found.start(), True)
        part = _QUOTE_PART.search(raw, max(at, len(raw) - _LONG_PART))
        return Stop(part.start() if part else len(raw), False)


_LONG_PART = 512


def closes(slashes: int, depth: int) -> bool:
    """Whether a quote behind so many backslashes closes a string `depth` strings deep, or one around it."""
    for _ in range(depth + 1):
        if slashes % 2 == 0:
            return True
        slashes //= 2
    return False


class Until:
    """Ends where `pattern` begins; `part` is what may be the beginning of it at the end of the bytes.

    Characters of `closing` right before the end belong to what follows.
    """

    def __init__(self, pattern: bytes, part: bytes, closing: bytes = b"") -> None:
        self._pattern = re.compile(pattern)
        self._part = re.compile(rb"(?:" + part + rb")\Z")
        self._closing = closing

    def stop(self, raw: bytes, at: int) -> Stop:
        found = self._pattern.search(raw, at)
        part = None if found else self._part.search(raw, max(at, len(raw) - _LONG_PART))
        end = found.start() if found else part.start() if part else len(raw)
        if self._closing:
            end = at + len(raw[at:end].rstrip(self._closing))
        return Stop(end, found is not None)


_ESCAPED = rb"\\+(?:u(?:0(?:0[0-9a-fA-F]?)?)?)?"
_CODED = rb"%(?:25)*2?"
APOSTROPHE = Until(rb"""'|(?<!\\)(?:\\\\)*["]""", rb"\\+")
PERCENT_STRING = Until(rb"""(?<!%5C)(?<!%5c)%(?:25)*22|[\s"&]""", rb"%(?:5[cC]?%?)?(?:25)*2?")
_CLOSING = b",;)}]'"
BARE = Until(rb'[\s"&]|\\+["nrt]|\\+u00(?:0[aAdD9]|2[026]|3[cCeE])', _ESCAPED, _CLOSING)
BARE_PERCENT = Until(rb'[\s"&]|\\+["nrt]|%(?:25)*(?:2[026]|0[aAdD9])', rb"\\+|%(?:25)*[02]?", _CLOSING)
LINE = Until(rb"""[\r\n"]|\\+[nr"]|\\+u00(?:0[aAdD]|22)""", _ESCAPED)
LINE_QUOTED = Until(rb"""[\r\n"']|\\+[nr"]|\\+u00(?:0[aAdD]|22)""", _ESCAPED)


class Run:
    """Ends at the first byte that `unit` (of characters and their escapes) does not match."""

    def __init__(self, unit: bytes, part: bytes) -> None:
        self._run = re.compile(rb"(?:" + unit + rb")*+")
        self._part = re.compile(rb"(?:" + part + rb")\Z")

    def stop(self, raw: bytes, at: int) -> Stop:
        found = self._run.match(raw, at)
        end = found.end() if found else at
        return Stop(end, end < len(raw) and self._part.match(raw, end) is None)


@lru_cache(maxsize=64)
def run_of(characters: str) -> Run:
    """A run of a class of characters, escaped ones included."""
    one = re.compile(f"[{characters}]".encode("ascii"))
    codes = [f"{code:02x}" for code in range(33, 127) if one.fullmatch(bytes((code,)))]
    coded = "|".join(code[0] + f"[{code[1]}{code[1].upper()}]" for code in codes).encode("ascii")
    unit = one.pattern + rb"|\\+u00(?:" + coded + rb")|%(?:25)*(?:" + coded + rb")"
    if b"/" in bytes(code for code in range(256) if one.fullmatch(bytes((code,)))):
        unit += rb"|\\+/"
    return Run(unit, rb"\\+(?:u(?:0(?:0[2-7]?)?)?)?|%(?:25)*[2-7]?")


NUMBER = Run(rb"[0-9.eE+\-]", rb"(?!)")
PEM = Run(
    rb"[A-Za-z0-9+/=\r\n \t:,]|-(?!----)|\\+[nr/]|\\+u00(?:0[aAdD]|2[bBfF]|3[dD])|%0[aAdD]|%2[0bBfF]|%3[dD]",
    rb"-{1,5}|\\+(?:u(?:0(?:0[023]?)?)?)?|%[023]?",
)


class Fixed(NamedTuple):
    """Ends at a place that is known."""

    end: int

    def stop(self, raw: bytes, at: int) -> Stop:
        return Stop(self.end, True)
