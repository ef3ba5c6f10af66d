"""Places of interest in a piece of a body, found by scans that cost next to nothing where there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import stringzilla as sz

from harness.capture.redaction.form import Shape
from harness.capture.redaction.known import Known
from harness.capture.redaction.plain import Plain
from harness.capture.redaction.tables import FOLD, Tables


class Hit(NamedTuple):
    """A place of interest."""

    place: int
    """In the bytes."""
    rank: int
    """0: a word of a name, 1: the beginning of shapes, 2: a known secret."""
    less: int
    """Minus the length of what was found."""
    at: int
    """In the text without escapes."""
    shapes: tuple[Shape, ...] = ()
    form: bytes = b""
    """The known secret as it stands there."""


def hits(text: Plain, raw: bytes, tables: Tables, known: Known) -> list[Hit]:
    """All places of interest in `raw`, whose text without escapes is `text`."""
    searched = sz.translate(text.text, FOLD)
    found: list[Hit] = []
    for word in tables.words:
        if sz.find(searched, word) >= 0:
            found += (Hit(text.raw(at), 0, -len(word), at) for at in _every(searched, word))
    for begin, shapes in tables.shapes.items():
        if sz.find(searched, begin) >= 0:
            found += (Hit(text.raw(at), 1, -len(begin), at, shapes) for at in _every(searched, begin))
    found += known_hits(raw, known.forms, 0)
    return found


def known_hits(raw: bytes, forms: Iterable[bytes], start: int) -> Iterator[Hit]:
    """Where known secrets stand, from `start` on."""
    for form in forms:
        if sz.find(raw, form, start) >= 0:
            yield from (Hit(at, 2, -len(form), 0, (), form) for at in _every(raw, form, start))


def _every(searched: bytes, word: bytes, start: int = 0) -> Iterator[int]:
    at = searched.find(word, start)
    while at >= 0:
        yield at
        at = searched.find(word, at + 1)


def begun(raw: bytes, text: Plain, tables: Tables) -> int:
    """Where the beginning of a shape may stand at the end of the bytes; else where the text ends."""
    tail = text.text[-tables.longest :].translate(FOLD)
    for length in range(len(tail), 0, -1):
        if tail[-length:] in tables.begins:
            return text.raw(len(text.text) - length)
    return text.cut


def known_begun(raw: bytes, known: Known, done: int) -> int:
    """Where, from `done` on, the beginning of a known secret may stand at the end of the bytes."""
    return len(raw) - max((_overlap(raw, form, len(raw) - done) for form in known.forms), default=0)


def _overlap(raw: bytes, form: bytes, most: int) -> int:
    """How many bytes at the end of `raw` are the beginning of `form`, but not all of it."""
    length = min(len(form) - 1, most)
    while length > 0:
        length = form.rfind(raw[-1:], 0, length) + 1
        if raw.endswith(form[:length]):
            return length
        length -= 1
    return 0


_BARE_BEFORE = re.compile(rb"[:\[,]\s*\Z")
_BARE_AFTER = re.compile(rb"\s*(?:[,\]}]|\Z)")


def is_bare(raw: bytes, start: int, end: int) -> bool:
    """Whether a number may stand there by itself in JSON, where nothing but a number may be written."""
    return bool(_BARE_BEFORE.search(raw, max(0, start - 16), start) and _BARE_AFTER.match(raw, end))
