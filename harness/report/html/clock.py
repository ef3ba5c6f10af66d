"""When things came, on one axis: times of the journal where there is one, else the order of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.capture.moments import journal_of, moments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Capture
    from harness.model.frame import Span

WIDE = 10_000
"""Places on an axis."""


class Lasting(NamedTuple):
    """From the request to the end of the answer, in ns of the recorder's clock."""

    began_ns: int
    ended_ns: int


class Axis(NamedTuple):
    """From `start` to `end`: ns of the recorder's clock, or numbers of frames."""

    start: int
    end: int
    timed: bool

    def place(self, at: int) -> int:
        """`at` as a place from 0 to `WIDE`; what lies outside is put on the edge."""
        length = max(self.end - self.start, 1)
        return min(max((at - self.start) * WIDE // length, 0), WIDE)


def lasting(capture: Capture) -> Lasting | None:
    """How long the exchange took; None where no journal tells."""
    journal = journal_of(capture) if capture.timed else None
    if journal is None:
        return None
    began = ended = None
    try:
        for moment in moments(journal):
            if moment.kind == "request":
                began = moment.at_ns
            elif moment.kind in ("chunk", "response", "ending") and moment.at_ns is not None:
                ended = moment.at_ns
    except OSError:
        return None
    return None if began is None else Lasting(began, max(began, ended or began))


class Arrivals:
    """When the bytes of a capture came. Asked in the order of the file; reads its journal alongside."""

    def __init__(self, capture: Capture) -> None:
        journal = journal_of(capture) if capture.timed else None
        self._chunks = _chunks(journal, capture.start) if journal else iter(())
        self._end = capture.start
        self._at_ns: int | None = None

    def at_ns(self, span: Span) -> int | None:
        """When the last byte of `span` was there."""
        while self._end < span.end:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            self._end, self._at_ns = chunk
        return self._at_ns


def _chunks(journal: str, start: int) -> Iterator[tuple[int, int]]:
    end = start
    try:
        for moment in moments(journal):
            if moment.kind == "chunk" and moment.at_ns is not None:
                end += moment.length
                yield end, moment.at_ns
    except OSError:
        return
