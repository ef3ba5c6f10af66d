"""How an SSE body reaches its judge: frame by frame, or past it where nothing can be found.

Three lanes, one result. *Slow*: every frame is decoded and judged. *Plain*: in a block of
one cut, token chunks that can break no rule are read by a typed decoder and only counted.
*Skip* (contract families only): frames without a marker are not read at all. Which lane a
block takes is decided by what it holds (`harness.wire.uniform`, `harness.a2a.plain`), never by its
size or place. Tests hold the lanes against each other on every capture. Rank 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import stringzilla

from harness.model.frame import Frame, Span
from harness.wire.uniform import Cut, block_end, cut_of, frames_in, hits, is_utf8, needles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.model.frame import Rest
    from harness.wire.sse import Decoder

ESCAPE = b"\\u00"
"""Any ASCII character can be written as such an escape: its frame is always read."""
OPENING = 8
"""Blocks at the beginning of a chunk that are looked at to learn how the frames are cut."""
MAX_CARRY = 1 << 20
"""A body without a frame's end for this long goes to the decoder as it is."""


class Judge(Protocol):
    """What a lane needs of the round that it feeds."""

    def frame(self, frame: Frame) -> None: ...

    def count(self, frames: int) -> None:
        """`frames` more were seen and passed by; a negative number takes back what `frame` counts itself."""

    def may_skip(self) -> bool: ...

    def plain(self, name: str, pieces: Sequence[bytes], first: int, last: int) -> int: ...


class SseLanes:
    """Feeds one SSE body to `judge`. `markers` None: the slow lane only."""

    def __init__(
        self, decoder: Decoder, judge: Judge, markers: tuple[bytes, ...] | None, *, start: int, skip: bool
    ) -> None:
        self._decoder = decoder
        self._judge = judge
        self._markers = None if markers is None else needles((*markers, ESCAPE))
        self._skip = skip
        self._offset = start
        self._number = 0
        self._cut: Cut | None = None
        self._carry = b""

    def run(self, chunks: Iterable[bytes]) -> Rest:
        """Feed every chunk, then say what the body ended with."""
        for chunk in chunks:
            if self._markers is None:
                self._slow(chunk)
            else:
                self._feed(chunk)
        if self._carry:
            self._slow(self._carry)
        frames, rest = self._decoder.finish()
        for frame in frames:
            self._judge.frame(frame)
        return rest

    def _feed(self, chunk: bytes) -> None:
        """Whole frames of `chunk` (behind what was carried) to `_whole`, its tail is carried on."""
        if self._cut is None:
            chunk = self._open(self._carry + chunk)
            self._carry = b""
        cut = self._cut
        if cut is None:
            self._hold(chunk)
            return
        start = 0
        if self._carry:
            start = self._joined(chunk, cut)
        stop = chunk.rfind(cut.end, start)
        if stop < 0:
            self._hold(self._carry + chunk[start:])
            return
        stop += len(cut.end)
        self._carry = chunk[stop:]
        if stop > start:
            self._whole(chunk, start, stop, cut)

    def _open(self, block: bytes) -> bytes:
        """Judge the first frames slowly, until one is of the plain kind; give what follows it."""
        for _ in range(OPENING):
            cut = cut_of(block)
            end = cut.end if cut else block_end(block)
            stop = block.find(end) + len(end)
            if stop < len(end):
                return block
            self._slow(block[:stop])
            block = block[stop:]
            if cut is not None:
                self._cut = cut
                return block
        return block

    def _joined(self, chunk: bytes, cut: Cut) -> int:
        """Finish the frame that was carried; give the position in `chunk` behind it (0: it goes on)."""
        carry, width = self._carry, len(cut.end)
        head = carry[1 - width :] + chunk[: width - 1]
        across = head.find(cut.end)
        if across >= 0:
            stop = across + width - min(len(carry), width - 1)
        else:
            stop = chunk.find(cut.end) + width
            if stop < width:
                return 0
        block = carry + chunk[:stop]
        self._carry = b""
        self._whole(block, 0, len(block), cut)
        return stop

    def _hold(self, block: bytes) -> None:
        if len(block) < MAX_CARRY:
            self._carry = block
            return
        self._carry = b""
        self._markers = None
        self._slow(block)

    def _slow(self, data: bytes) -> None:
        frames = self._decoder.feed(data)
        for frame in frames:
            self._judge.frame(frame)
        self._number += len(frames)
        self._offset += len(data)

    def _whole(self, chunk: bytes, start: int, stop: int, cut: Cut) -> None:
        """`chunk[start:stop]` starts and ends with a frame of `cut` (or so it seems)."""
        view = stringzilla.Str(chunk)[start:stop]
        count = frames_in(view, cut) if self._decoder.fits(stop - start) else 0
        skip = self._skip and self._judge.may_skip()
        block = b"" if skip and count and self._decoder.is_between else chunk[start:stop]
        if not count or not self._decoder.is_between or not is_utf8(block):
            self._slow(block)
            return
        found = hits(view, self._markers or ())
        if skip:
            self._past(view, cut, found)
            self._judge.count(count)
        else:
            self._through(block, view, cut, count, found)
        self._decoder.skip(count, stop - start)
        self._number += count
        self._offset += stop - start

    def _past(self, view: stringzilla.Str, cut: Cut, found: list[int]) -> None:
        """Judge only the frames that hold a marker."""
        width, done, number = len(cut.end), 0, self._number
        for at in found:
            if at < done:
                continue
            start = int(view.rfind(cut.end, done, at))
            start = start + width if start >= 0 else done
            number += int(view[done:start].count(cut.end)) + 1
            done = int(view.find(cut.end, at)) + width
            piece = bytes(view[start + len(cut.prefix) : done - width])
            self._one(piece, cut, number, Span(self._offset + start, self._offset + done))
            self._judge.count(-1)

    def _through(self, block: bytes, view: stringzilla.Str, cut: Cut, count: int, found: list[int]) -> None:
        """Judge every frame; plain ones only by the typed decoder."""
        between = len(cut.end) + len(cut.prefix)
        pieces = block[len(cut.prefix) : -len(cut.end)].split(cut.end + cut.prefix)
        stops = _indices(view, cut, found)
        stops.append(count)
        index, at, start, stop = 0, 0, self._offset, stops.pop(0)
        while index < count:
            index = self._judge.plain(cut.name, pieces, index, stop) if index < stop else index
            if index == count:
                return
            start += sum(map(len, pieces[at:index])) + between * (index - at)
            end = start + len(pieces[index]) + between
            self._one(pieces[index], cut, self._number + index + 1, Span(start, end))
            start, at = end, index + 1
            if index == stop:
                stop = stops.pop(0)
            index += 1

    def _one(self, piece: bytes, cut: Cut, number: int, span: Span) -> None:
        text = piece.decode("utf-8", "replace")
        self._judge.frame(Frame(number, span, text, cut.name))


def _indices(view: stringzilla.Str, cut: Cut, found: list[int]) -> list[int]:
    """Which frames of the block hold a marker, ascending, each once."""
    indices: list[int] = []
    done = index = 0
    for at in found:
        index += int(view[done:at].count(cut.end))
        done = at
        if not indices or indices[-1] != index:
            indices.append(index)
    return indices
