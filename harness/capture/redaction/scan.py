"""Looks for secrets in files that were written: captures of any kind, ours and foreign ones.

A find says where and what kind, never what. Archives are unpacked; offsets are those of the
unpacked bytes. What can not be read is told, never passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.capture.beside import printable
from harness.capture.files import Source, opened, packing, refusal, unpacked
from harness.capture.journal import is_journal
from harness.capture.redaction.heads import Header, in_flows, in_head, in_journal
from harness.capture.redaction.redactor import Redactor
from harness.capture.redaction.stream import Find
from harness.errors import CaptureError
from harness.model.capture import Unread

CHUNK = 1 << 20
"""Bytes read at a time; headers are looked for in the first of them."""
_FRAMES = re.compile(rb"(?:\xef\xbb\xbf|\s|#[^\n]*\n)*+(?:data|event|id|retry|):")
_FLOWS = re.compile(rb"\d{1,9}:")


class Found(NamedTuple):
    """A secret in a file, or what looks like one."""

    file: str
    offset: int
    """Bytes of the (unpacked) file before it."""
    kind: str


class Scanned(NamedTuple):
    """What a search found."""

    found: tuple[Found, ...]
    files: int
    """How many were read."""
    unread: tuple[Unread, ...]


def scan(paths: Iterable[str], redactor: Redactor) -> Scanned:
    """Search files and all files below folders. Raises CaptureError for a path that does not exist."""
    unread: list[Unread] = []
    files = list(files_of(paths, unread))
    for path in files:
        learn(path, redactor)
    found = [one for path in files for one in _file(path, redactor, unread)]
    return Scanned(tuple(found), len(files), tuple(unread))


def learn(path: str, redactor: Redactor) -> bool:
    """Secrets of a file's heads are looked for in all files; whether the file is a journal."""
    try:
        source = opened(path)
    except OSError:
        return False  # told when the file is read
    try:
        first = next(pieces(source, path, []), b"")
    finally:
        os.close(source.fd)
    redactor.headers((one.name, one.value) for one in headers_in(first, path))
    return is_journal(first)


def files_of(paths: Iterable[str], unread: list[Unread]) -> Iterator[str]:
    """Files under `paths`, sorted within a folder; links to folders are not followed."""
    for path in paths:
        if not os.path.lexists(path):
            raise CaptureError("no such file or folder", file=printable(path), mend="check the path")
        if not os.path.isdir(path):
            yield path
            continue
        refused: list[OSError] = []
        for folder, folders, names in os.walk(path, onerror=refused.append):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names))
        unread += (Unread(printable(str(one.filename)), refusal(one)) for one in refused)


def _file(path: str, redactor: Redactor, unread: list[Unread]) -> list[Found]:
    kinds: dict[int, str] = {}
    try:
        source = opened(path)
        try:
            _search(path, pieces(source, path, unread), redactor, kinds)
        finally:
            os.close(source.fd)
    except OSError as error:
        unread.append(Unread(printable(path), refusal(error)))
    return [Found(printable(path), offset, kind) for offset, kind in sorted(kinds.items())]


def _search(path: str, pieces: Iterator[bytes], redactor: Redactor, kinds: dict[int, str]) -> None:
    first = next(pieces, b"")
    for header in headers_in(first, path):
        if kind := redactor.header_kind(header.name, header.value):
            kinds[header.start] = kind

    def told(find: Find) -> None:
        kinds.setdefault(find.start, find.kind)

    stream = redactor.stream(frames=is_frames(first), told=told)
    stream.feed(first)
    for piece in pieces:
        stream.feed(piece)
    stream.end()


def pieces(source: Source, path: str, unread: list[Unread]) -> Iterator[bytes]:
    """The bytes of a file, unpacked; what is wrong with an archive is told in `unread`."""
    kind = packing(os.pread(source.fd, 4, 0))
    if kind is None:
        for at in range(0, source.size, CHUNK):
            yield os.pread(source.fd, CHUNK, at)
        return
    for piece in unpacked(source, kind, CHUNK):
        if isinstance(piece, str):
            unread.append(Unread(printable(path), piece))
        else:
            yield piece


def is_frames(first: bytes) -> bool:
    """Whether a body is an event stream, by its first bytes."""
    return _FRAMES.match(first) is not None


def headers_in(first: bytes, path: str) -> Iterator[Header]:
    """The headers that a file's first bytes hold, if it is of a kind that has some."""
    if is_journal(first):
        at = 0
        for line in first.split(b"\n"):
            for one in in_journal(line):
                yield one._replace(start=one.start + at, end=one.end + at)
            at += len(line) + 1
    elif is_flows(first):
        yield from in_flows(first)
    else:
        yield from in_head(first, whole=path.endswith(".headers"))


def is_flows(first: bytes) -> bool:
    """Whether a file is one of mitmproxy's: lengths stand before all that it holds."""
    return _FLOWS.match(first) is not None
