"""Replace parts of a body while it goes out, the borders of its pieces kept.

An edit stands at a place of the body. One that begins in a piece is made in that piece, also where
its old bytes reach into the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.replay.recorded import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Edit(NamedTuple):
    """At `at` bytes into the body, `old` bytes become `new`."""

    at: int
    old: int
    new: bytes


def growth(edits: Sequence[Edit]) -> int:
    """How much longer the edited body is."""
    return sum(len(edit.new) - edit.old for edit in edits)


def edited(pieces: Iterator[Piece], edits: Sequence[Edit]) -> Iterator[Piece]:
    """The pieces with the edits made; `edits` are sorted and do not overlap."""
    if not edits:
        yield from pieces
        return
    at, next_, skip = 0, 0, 0
    for due, data in pieces:
        end, out, done = at + len(data), bytearray(), at + min(skip, len(data))
        skip -= done - at
        while next_ < len(edits) and edits[next_].at < end:
            edit = edits[next_]
            next_ += 1
            out += data[done - at : edit.at - at]
            out += edit.new
            done = min(end, edit.at + edit.old)
            skip = edit.at + edit.old - done
        out += data[done - at :]
        at = end
        if out:
            yield Piece(due, bytes(out))
