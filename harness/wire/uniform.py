"""Blocks of SSE that are all of one cut: found by counting, without looking at each line.

A server prints its frames alike: the same lines before `data:`, one JSON object, a blank
line. Where counting proves that a block holds nothing else, its frames can be told apart
by their ends alone, and the decoder is spared. What is not proven goes to the decoder.
Counts run over whole blocks in SIMD (stringzilla), about 30 GB/s. Sans-IO.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, NamedTuple

import stringzilla as sz

if TYPE_CHECKING:
    from collections.abc import Iterable

_SLICE = 1 << 15
_SHORTEST = 5
_WORD = 12


class Cut(NamedTuple):
    """How one server prints a frame: `prefix`, a JSON object, `end`."""

    prefix: bytes
    """From the frame's first byte to the byte before the `{`."""
    end: bytes
    """Line end and blank line."""
    name: str
    """The value of the `event:` line; empty without one."""


def block_end(block: bytes) -> bytes:
    """Line end and blank line, as the first line of `block` has them."""
    at = block.find(b"\n")
    return b"\r\n\r\n" if at > 0 and block[at - 1 : at] == b"\r" else b"\n\n"


def cut_of(block: bytes) -> Cut | None:
    """The cut of the first frame in `block`, or None where it is not of the plain kind."""
    end = block_end(block)
    stop = block.find(end)
    brace = block.find(b"{", 0, stop) if stop > 0 else -1
    if brace < 0:
        return None
    prefix = block[:brace]
    newline = end[: len(end) // 2]
    *before, last = prefix.split(newline)
    if last not in (b"data:", b"data: ") or len(before) > 1:
        return None
    if not before:
        return Cut(prefix, end, "")
    if not before[0].startswith(b"event:") or not before[0].isascii():
        return None
    name = before[0][6:].removeprefix(b" ")
    return Cut(prefix, end, name.decode("ascii")) if name.isalnum() else None


def frames_in(block: sz.Str, cut: Cut) -> int:
    """How many frames `block` holds if all are of `cut` and it ends with one; else 0.

    Sound: every frame begins with the prefix and a `{`, and prefixes and ends use up all the
    line ends, so that there is no other line, no other blank line and no lone carriage return.
    """
    opening = cut.prefix + b"{"
    if not block.endswith(cut.end) or not block.startswith(opening):
        return 0
    lines = int(block.count(b"\n"))
    count, odd = divmod(lines, cut.prefix.count(b"\n") + 2)
    if odd or block.count(cut.end + opening) != count - 1:
        return 0
    pairs = b"\r" in cut.end
    return count if (block.count(b"\r") == lines if pairs else block.find(b"\r") < 0) else 0


def is_utf8(block: bytes) -> bool:
    """Is `block` (cut between characters) valid UTF-8? Looked at in slices that stay in the cache."""
    if block.isascii():
        return True
    decode = getincrementaldecoder("utf-8")().decode
    view = memoryview(block)
    try:
        for at in range(0, len(view), _SLICE):
            decode(view[at : at + _SLICE])
        decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def needles(markers: Iterable[bytes]) -> tuple[bytes, ...]:
    """Fewer texts to look for: whatever holds a marker holds a needle.

    Markers that begin alike (`tool_call_id`, `tool_name`) share their beginning, where it is
    no common word.
    """
    kept: list[bytes] = []
    for marker in sorted(set(markers)):
        shared = _shared(kept[-1], marker) if kept else b""
        if len(shared) >= (_WORD if shared.isalpha() else _SHORTEST):
            kept[-1] = shared
        else:
            kept.append(marker)
    return tuple(one for one in kept if not any(other in one for other in kept if other != one))


def _shared(one: bytes, two: bytes) -> bytes:
    """What both begin with."""
    same = 0
    while same < min(len(one), len(two)) and one[same] == two[same]:
        same += 1
    return one[:same]


def hits(block: sz.Str, markers: tuple[bytes, ...]) -> list[int]:
    """Offsets of all markers in `block`, ascending."""
    found: list[int] = []
    for marker in markers:
        at = int(block.find(marker))
        while at >= 0:
            found.append(at)
            at = int(block.find(marker, at + 1))
    found.sort()
    return found
