"""Sans-IO decoders: bytes in, frames out; no file, no clock, no logger, no dialect.

What every decoder promises: any way of cutting the bytes into chunks gives equal frames;
the frames' spans and the rest's span tile `[start, end of bytes)`; memory is bounded by
`max_line`; wire bytes never raise.
"""

from __future__ import annotations

from typing import Protocol

from harness.model.capture import Framing
from harness.model.frame import Frame, Manner, Rest, Span

MAX_LINE = 16 << 20
"""Longest line (or data of one event) that is read whole, in bytes."""


class Decoder(Protocol):
    """What reads one body. Feed it all bytes in order, then `finish` once."""

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take the next bytes; give the frames that they completed."""

    def finish(self) -> tuple[list[Frame], Rest]:
        """End of the bytes: frames that only the end completed, and what is left."""

    @property
    def manner(self) -> Manner:
        """How the stream was written so far."""

    @property
    def told(self) -> tuple[tuple[str, Span], ...]:
        """What the body itself says is missing from it; complete after `finish`."""


def decoder(framing: Framing, start: int = 0, max_line: int = MAX_LINE) -> Decoder:
    """The decoder of a body whose first byte stands at offset `start` of the file.

    A capture of framing `none` has no frames; its bytes are given as one document.
    """
    if framing == "sse":
        from harness.wire.sse import Decoder as Sse

        return Sse(start, max_line)
    if framing == "jsonl":
        from harness.wire.jsonl import Decoder as Jsonl

        return Jsonl(start, max_line)
    if framing == "wirelog":
        from harness.wire.wirelog import Decoder as Wirelog

        return Wirelog(start, max_line)
    from harness.wire.document import Decoder as Document

    return Document(start, max_line)
