"""What a capture says of the wire: pieces with the moment that each came at, and the ending.

Pieces are the recorded chunks; where no journal tells them, one SSE event each, and then no time
is known: `due_ns` is 0. Read lazily, so that memory stays flat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from harness.capture.files import Body
from harness.capture.moments import Moment, journal_of, moments
from harness.replay.projection import answered_whole, events, frames, projected
from harness.replay.spans import spanned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.model.capture import Capture

type Close = Literal["clean", "cut", "reset", "left", "stopped", "unreachable", "silent", "never"]
"""`left`: the stream was open when the client (or a time limit) ended it; `stopped`: when the
recorder did; `unreachable`: there was no upstream; `silent`: it closed without an answer;
`never`: it did not answer as long as somebody waited."""
_OURS = frozenset({"client_left", "timeout", "proxy_stopped", "unsealed"})


class Piece(NamedTuple):
    """Bytes of the body, and when they came: ns after the request."""

    due_ns: int
    data: bytes


class Recording:
    """One capture as it is to be served. `head_ns` and `end_ns` count from the request.

    `pieces()` gives the body once; after it `end_ns` is known.
    """

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.body = Body(capture)
        """Read by `pieces`; its `unread` tells what is not there any more."""
        self.close = close_of(capture)
        self.head_ns = 0
        self.end_ns = 0
        self.trailers: list[tuple[str, str]] = []
        """Known after `pieces`."""
        self._moments: Iterator[Moment] | None = None
        self._start = 0
        journal = journal_of(capture)
        if journal is not None:
            lines = moments(journal)
            self._begin(lines)
            self._moments = lines if capture.timed else None

    def _begin(self, lines: Iterator[Moment]) -> None:
        """Read on to the response's head; of a journal without chunks, all of it."""
        for moment in lines:
            if moment.kind == "request":
                self._start = moment.at_ns or 0
            elif moment.kind == "response":
                self.head_ns = self._since(moment)
                if self.capture.timed:
                    return
            else:
                self._behind(moment)

    def _behind(self, moment: Moment) -> None:
        """What stands behind the chunks."""
        if moment.kind == "ending":
            self.end_ns = self._since(moment)
        elif moment.line.get("what") == "trailers":
            pairs = moment.line.get("headers")
            good = (pair for pair in (pairs if isinstance(pairs, list) else ()) if isinstance(pair, list))
            self.trailers = [(pair[0], pair[1]) for pair in good if len(pair) == 2]

    def _since(self, moment: Moment) -> int:
        return max(0, (moment.at_ns or self._start) - self._start)

    def pieces(self) -> Iterator[Piece]:
        """The body, piece by piece."""
        if self._moments is not None:
            return self._timed(self._moments)
        return self._untimed()

    def _untimed(self) -> Iterator[Piece]:
        """Without times of chunks, the body comes with its head and ends with its last piece."""
        for data in untimed(self.capture, self.body):
            if data:
                self.end_ns = self.head_ns
                yield Piece(self.head_ns, data)

    def _timed(self, lines: Iterator[Moment]) -> Iterator[Piece]:
        body = Cutter(self.body.chunks())
        due = self.head_ns
        for moment in lines:
            if moment.kind == "chunk":
                due = self._since(moment)
                if data := body.take(moment.length):
                    yield Piece(due, data)
            else:
                self._behind(moment)
        self.end_ns = max(self.end_ns, due)
        for data in body.rest():
            yield Piece(due, data)


def untimed(capture: Capture, body: Body) -> Iterator[bytes]:
    """The body in the pieces that its frames mark off."""
    if answered_whole(capture):
        sound = (frame for frame in frames(capture, body) if frame.flaw is None)
        return (frame.data.encode("utf-8", "replace") for frame in sound)
    if projected(capture):
        return events(capture, body)
    if capture.framing == "sse":
        return (raw for _, raw in spanned(capture, body))
    return body.chunks()


class Cutter:
    """Bytes that come in pieces of any size, taken in pieces of a given size."""

    def __init__(self, source: Iterable[bytes]) -> None:
        self._source = iter(source)
        self._waiting = bytearray()

    def take(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end."""
        while len(self._waiting) < size and (more := next(self._source, b"")):
            self._waiting += more
        taken = bytes(self._waiting[:size])
        del self._waiting[:size]
        return taken

    def rest(self) -> Iterator[bytes]:
        """All that is left."""
        if self._waiting:
            yield bytes(self._waiting)
            self._waiting.clear()
        yield from self._source


def close_of(capture: Capture) -> Close:
    """How the bytes are to end. RST only where the recording names a reset."""
    if capture.ending == "refused" and capture.head is None:
        return "unreachable"
    if capture.ending in ("upstream_cut", "refused"):
        text = capture.ending_text.lower()
        if "reset" in text or "curl_rc=56" in text:
            return "reset"
        return "silent" if capture.head is None and not _has_body(capture) else "cut"
    if capture.ending in _OURS and capture.head is None and not _has_body(capture):
        return "never"
    if capture.ending in ("client_left", "timeout"):
        return "left"
    return "stopped" if capture.ending in ("proxy_stopped", "unsealed") else "clean"


def _has_body(capture: Capture) -> bool:
    return any(Body(capture).chunks(1))


def reached_end(capture: Capture) -> bool:
    """Whether the stream said how it ends: a terminal or an interrupted state, or one Message."""
    from harness.a2a.reader import Reader
    from harness.a2a.request import asked
    from harness.a2a.stream import Stream

    stream, reader = Stream(), Reader(capture, asked(capture))
    for frame in frames(capture):
        stream.take(reader.read(frame))
    return stream.phase in ("ended", "asking", "said")
