"""Frames without a wire as SSE: what a wire log or a file of JSON lines says was streamed.

The bytes are ours, the JSON is the log's. A log's events that are cut or not readable can not be
given a client's parser: `sound` tells whether there are any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import wire
from harness.capture.files import Body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.capture import Capture
    from harness.model.frame import Frame


def projected(capture: Capture) -> bool:
    """Whether the body's own bytes are no response body: they are served as SSE instead."""
    return capture.framing == "wirelog" or (capture.framing == "jsonl" and capture.head is None)


def frames(capture: Capture, body: Body | None = None) -> Iterator[Frame]:
    """The frames of a capture, in order. `body` tells afterwards what of it could not be read."""
    decoder = wire.decoder(capture.framing, capture.start)
    for chunk in (body or Body(capture)).chunks():
        yield from decoder.feed(chunk)
    yield from decoder.finish()[0]


def events(capture: Capture, body: Body | None = None) -> Iterator[bytes]:
    """The frames as SSE events; those with a flaw are left out."""
    return (event(frame.data) for frame in frames(capture, body) if frame.flaw is None)


def event(data: str) -> bytes:
    """One SSE event; line breaks of the JSON become lines of their own."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return b"".join(b"data: " + line.encode("utf-8", "replace") + b"\n" for line in lines) + b"\n"


def answered_whole(capture: Capture) -> bool:
    """Whether a wire log's one event was the answer to a call that asked for no stream."""
    return capture.framing == "wirelog" and (capture.protocol or "").endswith("_SYNC")


def unsound(capture: Capture) -> int:
    """How many frames are not what stood on the wire: cut off by the log, or not readable."""
    return sum(frame.flaw is not None for frame in frames(capture))
