"""All strings in an array or object that has the name of a secret: `"credentials": {"x": "..."}`.

A small reader of JSON, at whatever depth of strings it stands; it stops at the end of the
array or object, or where a string around it ends.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from harness.capture.redaction.ends import InString, Stop, closes
from harness.capture.redaction.form import Name
from harness.capture.redaction.hit import Match
from harness.capture.redaction.plain import depth_of

_TOKEN = re.compile(rb'[\[\]{},:]|(\\*)(?:"|(u)0022)|(?:\r\n|\n|\r(?!\n))(?=\r|\n)')
_PART = re.compile(rb"(?:\\+(?:u(?:0(?:0(?:22?)?)?)?)?|[\r\n]+)\Z")
_BLANK = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?=\r|\n)")
_DEEPEST = 256
_LONGEST_WORD = 32
_SCHEMA = frozenset(
    b"type description title $ref properties anyOf oneOf allOf format enum items required in flows".split()
)
"""The first member of an object that describes a secret, instead of holding one."""


class Reached(NamedTuple):
    """How far was read: bytes before `at` may be given out."""

    at: int
    value: Match | None = None
    """A string that begins there, and is a value."""
    over: bool = False
    """The array or object ended there."""


class Inside:
    """Where in an array or object the reading stands, whose first bracket is still to come."""

    def __init__(self, rule: Name, depth: int, frames: bool) -> None:
        self._rule = rule
        self._depth = depth
        self._frames = frames
        self._open = bytearray()  # brackets
        self._in_string = False
        self._key = False
        self._first = True
        self._value = False  # a value's string was opened, and is to be judged

    def read(self, raw: bytes, at: int) -> Reached:
        """Read on from `at`: to the next value, to the end, or as far as the bytes go."""
        while not self._value:
            if self._in_string:
                stop = self._string_end(raw, at)
                if not stop.ended:
                    return Reached(stop.at)
                at = stop.at
            found = _TOKEN.search(raw, at)
            if found and found[0][0] in b"\r\n" and self._frames:
                return Reached(found.start(), over=True)
            part = _PART.search(raw, max(at, len(raw) - 512))
            if part and (found is None or found.start() >= part.start()):
                return Reached(part.start())
            if found is None:
                return Reached(len(raw))
            reached = self._took(raw, found)
            if reached:
                return reached
            at = found.end()
        rule, depth = self._rule, self._depth
        end = InString(depth)
        return Reached(at, Match(at, end, rule.kind, rule.takes, rule.keeps, "json", depth + 1))

    def judged(self) -> None:
        """The value that was given last was dealt with."""
        self._value = False

    def _string_end(self, raw: bytes, at: int) -> Stop:
        stop = InString(self._depth).stop(raw, at)
        blank = _BLANK.search(raw, at, stop.at) if self._frames else None
        if blank:
            return Stop(blank.start(), True)
        if stop.ended:
            return stop
        return Stop(at + len(raw[at : stop.at].rstrip(b"\r\n")), False)

    def _took(self, raw: bytes, found: re.Match[bytes]) -> Reached | None:
        if found[1] is not None:
            return self._quote(raw, found)
        token = found[0]
        if token in (b"[", b"{"):
            self._open += token
        elif token in (b"]", b"}"):
            self._open.pop()
        elif token[:1] in b"\r\n":
            return None
        self._key = token in (b"{", b",") and self._open.endswith(b"{")
        if not self._open or len(self._open) > _DEEPEST:
            return Reached(found.end(), over=True)
        return None

    def _quote(self, raw: bytes, found: re.Match[bytes]) -> Reached | None:
        slashes = len(found[1])
        if found[2]:
            if not slashes:
                return None
            slashes = depth_of(slashes)
        if self._depth and closes(slashes, self._depth - 1):
            return Reached(found.start(), over=True)
        if self._in_string:
            self._in_string = False
            return None
        if self._key:
            return self._member(raw, found)
        self._in_string = self._value = True
        return None

    def _member(self, raw: bytes, found: re.Match[bytes]) -> Reached | None:
        """A member's name: the first of all tells a description from what it describes."""
        if self._first and len(self._open) == 1:
            stop = self._string_end(raw, found.end())
            if not stop.ended and stop.at - found.end() < _LONGEST_WORD:
                return Reached(found.start())
            self._first = False
            if stop.ended and raw[found.end() : stop.at] in _SCHEMA:
                return Reached(found.start(), over=True)
        self._in_string = True
        return None
