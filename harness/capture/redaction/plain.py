"""Text without its escapes, and where each character of it stands in the bytes.

`\\u0061` is `a`, `%61` is `a`, `\\/` is `/`, however deep they are nested. Quotes written as
`\\u0022` become backslashes and `"`, as deep as they were, so that JSON in strings has one form.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

import stringzilla as sz

_ESCAPE = re.compile(rb"(\\+)(?:u00([2-7][0-9a-fA-F])|/)|%(?:25)*([2-7][0-9a-fA-F])")
_PART = re.compile(rb"(?:\\+(?:u(?:0(?:0[2-7]?)?)?)?|%(?:25)*(?:2|[2-7])?)\Z")
_PART_LONGEST = 64
_UNICODE = re.compile(rb"\\u00[2-7]")
_CODED = re.compile(rb"%[2-7][0-9a-fA-F]")
_WITH_SLASHES = (b'"', b"\\")


class Plain(NamedTuple):
    """`text` is `raw` without escapes; equal to it where there are none."""

    text: bytes
    ends: list[int]
    """Behind each escape: the position in the text."""
    shifts: list[int]
    """What to add to positions from there on, for those in the bytes."""
    cut: int
    """The bytes that were read; what follows is the beginning of an escape."""

    def raw(self, position: int) -> int:
        """Where the character at `position` begins in the bytes."""
        if not self.ends:
            return position
        at = bisect_right(self.ends, position) - 1
        return position + (self.shifts[at] if at >= 0 else 0)


def plain(raw: bytes, final: bool) -> Plain:
    """`raw` without escapes. Unless `final`, an escape that may be cut off at the end is left out."""
    cut = len(raw)
    if not final and (part := _PART.search(raw, max(0, cut - _PART_LONGEST))):
        cut = part.start()
    if not _may_escape(raw):
        return Plain(raw[:cut], [], [], cut)
    ends: list[int] = []
    shifts: list[int] = []
    pieces: list[bytes] = []
    at = length = 0
    for found in _ESCAPE.finditer(raw, 0, cut):
        begin, stop = found.span()
        char = _char(found)
        pieces += (raw[at:begin], char)
        length += begin - at + len(char)
        ends.append(length)
        shifts.append(stop - length)
        at = stop
    pieces.append(raw[at:cut])
    return Plain(b"".join(pieces), ends, shifts, cut)


def _may_escape(raw: bytes) -> bool:
    """A fast look: an alternation would be searched ten times slower than each of its parts."""
    return (
        (sz.find(raw, b"\\u00") >= 0 and _UNICODE.search(raw) is not None)
        or (b"%" in raw and _CODED.search(raw) is not None)
        or sz.find(raw, b"\\/") >= 0
    )


def _char(found: re.Match[bytes]) -> bytes:
    slashes, coded, percent = found.groups()
    code = coded or percent
    if code is None:
        return b"/"
    char = bytes((int(code, 16),))
    if percent or char not in _WITH_SLASHES:
        return char
    return b"\\" * (depth_of(len(slashes)) if char == b'"' else 1) + char


def depth_of(slashes: int) -> int:
    """Backslashes before a `"` that mean what so many before `u0022` do."""
    if slashes % 2:
        return slashes
    return 2 * depth_of(slashes // 2) + 1 if slashes else 0
