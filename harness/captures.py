"""One capture, judged on its own: its bytes through a decoder into the rounds that it holds. Rank 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import wire
from harness.capture.files import Body
from harness.mapping.engine import Mapper
from harness.model.capture import Unread
from harness.rounds import Judged, RoundJudge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.kit import Kit
    from harness.model.capture import Capture
    from harness.model.frame import Frame, Rest
    from harness.rules.scope import Times

OUTCOME_MARKERS: tuple[bytes, ...] = (b'"state"', b'"error"')
"""Every frame that can change an outcome holds one of these, or an escape."""


def judge_capture(capture: Capture, kit: Kit, chunks: Iterable[bytes] | None = None) -> list[Judged]:
    """The rounds of one capture. `chunks` in place of the file's own, to try other cuts."""
    return _CaptureJudge(capture, kit).run(chunks)


def _times(capture: Capture) -> Times | None:
    if not capture.timed:
        return None
    from harness.times import times_of

    return times_of(capture)


_mappers: list[tuple[Kit, Mapper]] = []


def _mapper(kit: Kit) -> Mapper:
    """The mapper of `kit`; building one costs a millisecond, a check has only one."""
    if not _mappers or _mappers[0][0] is not kit:
        rules = (*kit.selection.single, *kit.selection.across)
        wanted = frozenset[str]().union(*(rule.marks for rule in rules))
        _mappers[:] = [(kit, Mapper(kit.mapping, wanted))]
    return _mappers[0][1]


class _CaptureJudge:
    """Feeds one capture through its decoder; opens a new round where the capture says so."""

    def __init__(self, capture: Capture, kit: Kit) -> None:
        self._capture = capture
        self._kit = kit
        self._mapper = _mapper(kit)
        self._done: list[Judged] = []
        self._told_only = capture.framing == "sse" and kit.skips
        self._round = self._open(capture)

    def _open(self, capture: Capture) -> RoundJudge:
        return RoundJudge(capture, self._mapper, self._kit.selection, told_only=self._told_only)

    def run(self, chunks: Iterable[bytes] | None) -> list[Judged]:
        """All rounds of the capture."""
        body = Body(self._capture)
        pieces = body.chunks() if chunks is None else chunks
        decoder = wire.decoder(self._capture.framing, self._capture.start, self._kit.max_line)
        rest = self._lanes(decoder, pieces) if self._has_lanes() else self._frames(decoder, pieces)
        told = [Unread(self._capture.source, reason, span) for reason, span in decoder.told]
        unread = [*self._capture.unread, *body.unread, *told]
        self._done.append(self._round.close(rest, decoder.manner, unread, _times(self._capture)))
        return self._done

    def _has_lanes(self) -> bool:
        return self._capture.framing == "sse" and self._kit.lanes and self._mapper.markers is not None

    def _lanes(self, decoder: wire.Decoder, pieces: Iterable[bytes]) -> Rest:
        from harness.lanes import SseLanes
        from harness.wire.sse import Decoder

        assert isinstance(decoder, Decoder)
        markers = self._mapper.markers or ()
        if self._kit.skips:
            markers += OUTCOME_MARKERS
        lanes = SseLanes(decoder, self._round, markers, start=self._capture.start, skip=self._kit.skips)
        return lanes.run(pieces)

    def _frames(self, decoder: wire.Decoder, pieces: Iterable[bytes]) -> Rest:
        for piece in pieces:
            for frame in decoder.feed(piece):
                self._frame(frame)
        last, rest = decoder.finish()
        for frame in last:
            self._frame(frame)
        return rest

    def _frame(self, frame: Frame) -> None:
        event = self._round.read(frame)
        if event.kind == "resume":
            self._next_round()
        else:
            self._round.take(event)

    def _next_round(self) -> None:
        """A marker between two rounds of one file: what the file's head says is said of the first only."""
        self._done.append(self._round.close(None, None))
        number = self._capture.round + len(self._done)
        self._round = self._open(
            self._capture._replace(
                round=number, request=None, task_id=None, context_id=None, unread=(), expected=None
            )
        )
