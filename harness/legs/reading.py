"""A capture read once more, as events; and when its request was sent and its answer was there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness import wire
from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.capture.files import Body
from harness.capture.moments import journal_of, moments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Capture
    from harness.model.event import Event


class Span(NamedTuple):
    """From the request to the end of the answer, in ns of the recorder's clock; None: not known."""

    began_ns: int | None = None
    ended_ns: int | None = None


def events(capture: Capture, max_line: int) -> Iterator[Event]:
    """The frames of a capture as events, in order."""
    reader = Reader(capture, asked(capture))
    decoder = wire.decoder(capture.framing, capture.start, max_line)
    for piece in Body(capture).chunks():
        yield from map(reader.read, decoder.feed(piece))
    yield from map(reader.read, decoder.finish()[0])


def span(capture: Capture) -> Span:
    """When the exchange began and ended, as its journal says."""
    journal = journal_of(capture)
    if journal is None:
        return Span()
    began = ended = None
    try:
        for moment in moments(journal):
            if moment.kind == "request":
                began = moment.at_ns
            elif moment.kind in ("chunk", "response", "ending"):
                ended = moment.at_ns
    except OSError:
        return Span()
    return Span(began, ended)
