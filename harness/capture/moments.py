"""A journal read from its first line to its last: what came when, and in which pieces.

Discovery needs the ends of a journal only (`journal`); replay and export need all of it. Lines
come one at a time, so that memory stays flat.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from harness.capture.files import opened, packing, unpacked
from harness.capture.naming import PACKED
from harness.jsontext import read
from harness.model.capture import Capture

_STEP = 1 << 20


class Moment(NamedTuple):
    """One line of a journal. Times are ns of the recorder's clock; None: not told."""

    kind: str
    at_ns: int | None
    length: int = 0
    """Of a chunk: its bytes."""
    line: dict[str, Any] = {}  # noqa: RUF012  a default that nobody writes to
    """The line as it stands."""


def journal_of(capture: Capture) -> str | None:
    """The journal beside a capture's body; None where there is none."""
    stem = capture.path
    for packed in PACKED:
        stem = stem.removesuffix(packed)
    stem = os.path.splitext(stem)[0]
    found = (stem + ".jsonl" + packed for packed in ("", *PACKED))
    return next((path for path in found if path != capture.path and os.path.isfile(path)), None)


def moments(path: str, max_line: int = 64 << 20) -> Iterator[Moment]:
    """The lines of a journal in order; what is no line of a journal is passed over.

    Raises OSError. Ends at a line over `max_line` bytes.
    """
    rest = b""
    for piece in _pieces(path):
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        for line in lines:
            yield from _moment(line)
        if len(rest) > max_line:
            return
    yield from _moment(rest)


def _pieces(path: str) -> Iterator[bytes]:
    source = opened(path)
    try:
        kind = packing(os.pread(source.fd, 4, 0))
        if kind is not None:
            yield from (piece for piece in unpacked(source, kind) if isinstance(piece, bytes))
            return
        at = 0
        while piece := os.pread(source.fd, _STEP, at):
            at += len(piece)
            yield piece
    finally:
        os.close(source.fd)


def _moment(raw: bytes) -> Iterator[Moment]:
    line = read(str(raw, "utf-8", "replace").removeprefix("\ufeff")) if raw.strip() else None
    if not isinstance(line, dict) or not isinstance(line.get("kind"), str):
        return
    length = _count(line.get("length"))
    yield Moment(line["kind"], _count(line.get("at_ns")), length or 0, line)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
