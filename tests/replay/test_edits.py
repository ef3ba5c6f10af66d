"""Replacing parts of a body in pieces, whatever the borders."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from harness.replay.edits import Edit, edited, growth
from harness.replay.recorded import Piece


def through(body: bytes, borders: list[int], edits: list[Edit]) -> list[bytes]:
    cuts = [0, *sorted({min(border, len(body)) for border in borders}), len(body)]
    pieces = [Piece(0, body[a:b]) for a, b in pairwise(cuts) if a < b]
    return [piece.data for piece in edited(iter(pieces), edits)]


@given(st.binary(max_size=60), st.lists(st.integers(0, 60)), st.data())
def test_the_same_whatever_the_borders(body: bytes, borders: list[int], data: st.DataObject) -> None:
    edits, at = [], 0
    while at < len(body) and data.draw(st.booleans()):
        at += data.draw(st.integers(0, len(body) - at - 1))
        old = data.draw(st.integers(0, len(body) - at))
        edits.append(Edit(at, old, data.draw(st.binary(max_size=8))))
        at += max(old, 1)
    whole, done = b"", 0
    for edit in edits:
        whole += body[done : edit.at] + edit.new
        done = edit.at + edit.old
    whole += body[done:]
    assert b"".join(through(body, borders, edits)) == whole
    assert len(whole) == len(body) + growth(edits)


def test_borders_stay_where_they_were() -> None:
    edits = [Edit(1, 2, b"XXXX"), Edit(5, 2, b"")]
    assert through(b"abcdefgh", [2, 4, 6], edits) == [b"aXXXX", b"d", b"e", b"h"]


def test_no_edits_are_no_change() -> None:
    assert through(b"abcd", [1, 2], []) == [b"a", b"b", b"cd"]
