"""The journal beside a body: one JSON object a line (docs/capture-format.md).

`request` first, then `response`, one `chunk` a read off the wire, last `ending`. A journal
without an ending means that the recorder died: its capture is `unsealed`. Discovery reads the
beginning and the last lines only; `chunk_times` reads the rest.
"""

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from harness.capture.files import Source, opened, packing, prefix, unpacked
from harness.capture.naming import Name
from harness.jsontext import read
from harness.model.capture import Ending, Head, Request

VERSION = 1
TAIL = 64 << 10
"""The last line of a journal is shorter than this."""
_HEAD_LINES = 32
"""Request, response and the notes about them stand in the first lines."""
_FIRST = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"capture"\s*:\s*(\d{1,9})\s*[,}]')
_ENDINGS: tuple[Ending, ...] = (
    "clean", "upstream_cut", "client_left", "proxy_stopped", "refused", "timeout",
)  # fmt: skip


class Chunk(NamedTuple):
    """One read off the wire: when, and which bytes of the body."""

    at_ns: int
    offset: int
    length: int


class Journal(NamedTuple):
    """What a journal tells, but for the chunks."""

    name: Name | None
    request: Request | None
    head: Head | None
    ending: Ending
    ending_text: str
    timed: bool
    covered: int | None
    """Bytes of the body that the last chunk line reaches to; None: no chunk line seen."""
    flaws: tuple[str, ...]
    rebuilt: bool = False
    """Imported from a log whose frames were printed again."""
    task_id: str | None = None
    """The task that the request continued, where the request itself is not known; so `context_id`."""
    context_id: str | None = None


def is_journal(first: bytes) -> bool:
    """Whether a file that begins with `first` is a journal, of any version."""
    return _FIRST.match(first) is not None


def read_journal(path: str, max_line: int) -> Journal:
    """Read what a journal tells. Raises OSError; what its lines hold is told in `flaws`."""
    source = opened(path)
    try:
        first, whole = _beginning(source, max_line)
        last = first if whole else _tail(source)
    finally:
        os.close(source.fd)
    return _journal(first, last, whole)


def _beginning(source: Source, max_line: int) -> tuple[bytes, bool]:
    """From the start to behind the first chunk line (or as far as `max_line` allows)."""
    length = TAIL
    while True:
        first, whole, _ = prefix(source, length)
        if whole or b'"kind":"chunk"' in first or length > 2 * max_line:
            return first, whole
        length *= 4


def _tail(source: Source) -> bytes:
    if packing(os.pread(source.fd, 4, 0)) is None:
        return os.pread(source.fd, TAIL, max(0, source.size - TAIL))
    last = b""
    for piece in unpacked(source, packing(os.pread(source.fd, 4, 0)) or ""):
        if isinstance(piece, bytes):
            last = (last + piece)[-TAIL:]
    return last


def _journal(first: bytes, last: bytes, whole: bool) -> Journal:
    flaws: list[str] = []
    match = _FIRST.match(first)
    if match is None or int(match[1]) != VERSION:
        flaws.append(f"the journal is not of version {VERSION}; read it with the tool that wrote it")
    lines = [_object(line) for line in _complete(first, whole)]
    request = _of_kind(lines, "request")
    response = _of_kind(lines, "response")
    ends = [_object(line) for line in last.split(b"\n") if line.strip()]
    if ends and ends[-1] is None:
        flaws.append("the journal's last line is torn: the recorder died while it wrote")
        ends.pop()
    ending, text = _ending(ends[-1] if ends else None)
    chunks = [c for line in ends if (c := _chunk(line)) is not None]
    return Journal(
        name=_name(_named([*lines, *ends[-1:]])) or _name(request),
        request=_request(request),
        head=_head(response),
        ending=ending,
        ending_text=text,
        timed=bool(chunks),
        covered=chunks[-1].offset + chunks[-1].length if chunks else None,
        flaws=tuple(flaws),
        rebuilt=request is not None and request.get("rebuilt") is True,
        task_id=_text(request.get("task_id")) if request else None,
        context_id=_text(request.get("context_id")) if request else None,
    )


def _complete(first: bytes, whole: bool) -> list[bytes]:
    lines = first.split(b"\n")
    if not whole:
        lines.pop()
    return lines[:_HEAD_LINES]


def _object(line: bytes) -> dict[str, Any] | None:
    value = read(str(line, "utf-8", "replace").removeprefix("\ufeff"))
    return value if isinstance(value, dict) else None


def _of_kind(lines: list[dict[str, Any] | None], kind: str) -> dict[str, Any] | None:
    return next((line for line in lines if line is not None and line.get("kind") == kind), None)


def _named(lines: list[dict[str, Any] | None]) -> dict[str, Any] | None:
    """The note, or the ending, that gives the exchange another name than its request line does."""
    found = (line for line in lines if line is not None and line.get("kind") in ("note", "ending"))
    return next((line for line in found if "scenario" in line), None)


def _ending(line: dict[str, Any] | None) -> tuple[Ending, str]:
    if line is None or line.get("kind") != "ending":
        return "unsealed", "the journal has no ending: the recorder died"
    known = next((ending for ending in _ENDINGS if ending == line.get("ending")), None)
    text = _text(line.get("text")) or ""
    return (known, text) if known else ("unknown", text or f"ending {line.get('ending')!r} is not known")


def _name(line: dict[str, Any] | None) -> Name | None:
    scenario = _text(line.get("scenario")) if line else None
    if line is None or scenario is None:
        return None
    return Name(
        scenario,
        _text(line.get("protocol")),
        _count(line.get("round"), 1),
        _text(line.get("leg")) or "client",
    )


def _request(line: dict[str, Any] | None) -> Request | None:
    if line is None:
        return None
    return Request(
        _text(line.get("method")), _text(line.get("target")), _headers(line), _text(line.get("body"))
    )


def _head(line: dict[str, Any] | None) -> Head | None:
    if line is None:
        return None
    status = line.get("status")
    return Head(status if isinstance(status, int) else None, _headers(line))


def _headers(line: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    pairs = line.get("headers")
    if not isinstance(pairs, list):
        return ()
    good = (p for p in pairs if isinstance(p, list) and len(p) == 2)
    return tuple((n.lower(), v) for n, v in good if isinstance(n, str) and isinstance(v, str))


def _chunk(line: dict[str, Any] | None) -> Chunk | None:
    if line is None or line.get("kind") != "chunk":
        return None
    at, offset, length = (_count(line.get(key), -1) for key in ("at_ns", "offset", "length"))
    return Chunk(at, offset, length) if min(at, offset, length) >= 0 else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise


def chunk_times(path: str, max_line: int = 16 << 20) -> Iterator[Chunk]:
    """The chunks of a journal in order; lines that are no good chunk are passed over.

    Raises OSError. Ends at a line over `max_line` bytes.
    """
    source = opened(path)
    try:
        rest = b""
        for piece in _pieces(source):
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            yield from _chunks(lines)
            if len(rest) > max_line:
                return
        yield from _chunks([rest])
    finally:
        os.close(source.fd)


def _pieces(source: Source) -> Iterator[bytes]:
    kind = packing(os.pread(source.fd, 4, 0))
    if kind is not None:
        yield from (piece for piece in unpacked(source, kind) if isinstance(piece, bytes))
        return
    at = 0
    while at < source.size and (piece := os.pread(source.fd, min(1 << 20, source.size - at), at)):
        at += len(piece)
        yield piece


def _chunks(lines: list[bytes]) -> Iterator[Chunk]:
    for line in lines:
        if b'"chunk"' in line and (chunk := _chunk(_object(line))) is not None:
            yield chunk
