"""Frames as a page keeps them: their text, shortened where it is long, and their bytes."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import TYPE_CHECKING, Any, NamedTuple

from harness import wire
from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.capture.files import Body
from harness.report.html.encode import is_plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.capture import Capture
    from harness.model.event import Event
    from harness.model.frame import Frame

BYTES = 2048
"""Bytes of a shortened frame, or of one with invisible characters, that are kept as they stood."""
_STRING = re.compile(r'"(?:[^"\\]|\\.){400,}"', re.DOTALL)
_HEAD = re.compile(r'"(?:\\(?:u[0-9a-fA-F]{4}|[^u])|[^"\\])*', re.DOTALL)
"""Whole characters and escapes, as many as there are."""


class Read(NamedTuple):
    """An event and the bytes of its frame; None where they were too many to be kept."""

    event: Event
    raw: bytes | None


def read(capture: Capture, max_line: int) -> Iterator[Read]:
    """The events of a capture in order; memory is bounded by `max_line`."""
    reader = Reader(capture, asked(capture))
    decoder = wire.decoder(capture.framing, capture.start, max_line)
    held, base = bytearray(), capture.start
    for piece in Body(capture).chunks():
        held += piece
        frames = list(decoder.feed(piece))
        yield from _read(reader, frames, held, base)
        done = max(frames[-1].span.end, base) if frames else base
        if len(held) - (done - base) > 2 * max_line:
            done = base + len(held)
        del held[: done - base]
        base = done
    yield from _read(reader, decoder.finish()[0], held, base)


def _read(reader: Reader, frames: Sequence[Frame], held: bytearray, base: int) -> Iterator[Read]:
    for frame in frames:
        start, end = frame.span
        yield Read(reader.read(frame), bytes(held[start - base : end - base]) if start >= base else None)


def kept(one: Read, room: int) -> dict[str, Any]:
    """The frame as the page's data: at most about `room` characters of text.

    `d` its data, `cut` how many characters that lacks, `pre` and `post` what stood around it on
    the wire, or `b` (base64) the first bytes where these three do not give them.
    """
    frame = one.event.frame
    data = shortened(frame.data, room)
    value: dict[str, Any] = {"n": frame.number, "s": [*frame.span], "d": data}
    if frame.name:
        value["name"] = frame.name[:200]
    if frame.flaw:
        value["flaw"] = frame.flaw
    if len(data) < len(frame.data):
        value["cut"] = len(frame.data) - len(data)
    return {**value, **_bytes(one.raw, frame.data, whole=data is frame.data)}


def _bytes(raw: bytes | None, data: str, *, whole: bool) -> dict[str, Any]:
    if raw is None:
        return {}
    before, found, after = raw.partition(data.encode("utf-8", "replace")) if whole else (b"", b"", b"")
    pre, post = str(before, "utf-8", "replace"), str(after, "utf-8", "replace")
    text = pre + data + post
    if found and len(before) + len(after) < BYTES and "\ufffd" not in text and is_plain(text):
        return {"pre": pre, "post": post}
    return {"b": str(b64encode(raw[:BYTES]), "ascii"), "of": len(raw)}


def shortened(text: str, room: int) -> str:
    """`text`, its long strings cut off, so that it stays readable as JSON where it can."""
    if len(text) <= room:
        return text
    most = max(room // 8, 200)
    text = _STRING.sub(lambda match: _cut(match[0], most), text)
    return text if len(text) <= room else text[:room] + "…"


def _cut(string: str, most: int) -> str:
    """The beginning of a string token, closed again; one that holds JSON keeps more of it."""
    most = 8 * most if string[1:3] in ("{\\", "[{") else most
    if len(string) <= most:
        return string
    head = _HEAD.match(string[:most])
    return f'{head[0] if head else chr(34)}…"'
