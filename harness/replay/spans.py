"""The bytes of each frame, with their place in the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.capture.files import Body
    from harness.model.capture import Capture


def spanned(capture: Capture, body: Body) -> Iterator[tuple[int, bytes]]:
    """Place (from the body's start) and bytes of each frame, and last of what is behind them."""
    decoder, at = wire.decoder(capture.framing, capture.start), capture.start
    waiting = bytearray()
    for chunk in body.chunks():
        waiting += chunk
        for frame in decoder.feed(chunk):
            size = frame.span.end - at
            yield at - capture.start, bytes(waiting[:size])
            del waiting[:size]
            at = frame.span.end
    if waiting:
        yield at - capture.start, bytes(waiting)
