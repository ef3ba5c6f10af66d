"""A redacted copy of captures: every file under a path, of whatever kind, without its secrets.

A journal and its body are rewritten together, since offsets in the one are places in the
other. Archives are copied unpacked. What is no text is not copied, and told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from typing import BinaryIO, NamedTuple

from harness.capture.beside import printable
from harness.capture.files import opened, refusal
from harness.capture.journal import is_journal
from harness.capture.redaction.heads import in_head
from harness.capture.redaction.native import Native
from harness.capture.redaction.redactor import Redactor
from harness.capture.redaction.scan import files_of, is_flows, is_frames, learn, pieces
from harness.errors import UsageError
from harness.model.capture import Unread

_BODIES = (".sse", ".body", ".sse.gz", ".body.gz", ".sse.zst", ".body.zst")


class Copied(NamedTuple):
    """What was copied."""

    files: int
    secrets: int
    """How many places were replaced."""
    unread: tuple[Unread, ...]


def copy(path: str, folder: str, redactor: Redactor) -> Copied:
    """Copy a file or folder into `folder`, which must be new or empty.

    Raises UsageError, CaptureError if there is no such path, and OSError where the disk does.
    """
    _refuse(path, folder)
    job = _Job(redactor)
    files = list(files_of([path], job.unread))
    os.makedirs(folder, exist_ok=True)
    journals = {file for file in files if learn(file, redactor)}
    redactor.found = 0
    pairs = {body: journal for journal in journals if (body := _body_of(journal, files))}
    base = path if os.path.isdir(path) else os.path.dirname(path)
    for file in files:
        if file not in pairs:
            body = next((one for one, journal in pairs.items() if journal == file), None)
            job.copy(file, body, os.path.join(folder, os.path.relpath(file, base or ".")))
    return Copied(job.files, job.secrets + redactor.found, tuple(job.unread))


def _refuse(path: str, folder: str) -> None:
    if os.path.join(os.path.abspath(folder), "").startswith(os.path.join(os.path.abspath(path), "")):
        raise UsageError(
            "the copy would stand inside what is copied", file=folder, mend="name another folder"
        )
    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise UsageError("is there already, and not empty", file=folder, mend="name a new folder")


def _body_of(journal: str, files: list[str]) -> str | None:
    stem = journal.removesuffix(".gz").removesuffix(".zst").removesuffix(".jsonl")
    return next((stem + one for one in _BODIES if stem + one in files), None)


class _Job:
    def __init__(self, redactor: Redactor) -> None:
        self.redactor = redactor
        self.unread: list[Unread] = []
        self.files = 0
        self.secrets = 0

    def copy(self, file: str, body: str | None, target: str) -> None:
        """Copy one file, a journal with its body."""
        with ExitStack() as stack:
            flow = self._opened(file, stack)
            if flow is None:
                return
            first = next(flow, b"")
            if is_flows(first) or b"\0" in first:
                reason = "no text: not copied; `harness import` reads flow files of mitmproxy"
                self.unread.append(Unread(printable(file), reason))
                return
            out = self._created(target, stack)
            if is_journal(first):
                self._native(chain((first,), flow), body, os.path.dirname(target), out, stack)
            else:
                self._plain(file, first, flow, out)

    def _opened(self, file: str, stack: ExitStack) -> Iterator[bytes] | None:
        try:
            source = opened(file)
        except OSError as error:
            self.unread.append(Unread(printable(file), refusal(error)))
            return None
        stack.callback(os.close, source.fd)
        return pieces(source, file, self.unread)

    def _created(self, target: str, stack: ExitStack) -> BinaryIO:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        self.files += 1
        return stack.enter_context(open(target.removesuffix(".gz").removesuffix(".zst"), "xb"))

    def _native(
        self, journal: Iterator[bytes], body: str | None, folder: str, out: BinaryIO, stack: ExitStack
    ) -> None:
        flow = self._opened(body, stack) if body else None
        if body is None or flow is None:
            self.secrets += Native(self.redactor, iter(()), out.write, bool).rewrite(journal)
            return
        out_body = self._created(os.path.join(folder, os.path.basename(body)), stack)
        self.secrets += Native(self.redactor, flow, out.write, out_body.write).rewrite(journal)

    def _plain(self, file: str, first: bytes, flow: Iterator[bytes], out: BinaryIO) -> None:
        stream = self.redactor.stream(frames=is_frames(first))
        out.write(stream.feed(self._heads(file, first)))
        for piece in flow:
            out.write(stream.feed(piece))
        out.write(stream.end())
        self.secrets += stream.found

    def _heads(self, file: str, first: bytes) -> bytes:
        """The first bytes, with the values of their HTTP heads redacted by name."""
        made, at = bytearray(), 0
        for one in in_head(first, whole=file.endswith(".headers")):
            value = self.redactor.headers([(one.name, one.value)])[0][1]
            made += first[at : one.start] + value.encode("utf-8", "surrogateescape")
            at = one.end
        return bytes(made) + first[at:]
