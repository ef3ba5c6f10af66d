"""What stands beside a body: `.headers`, `.rc`, `.request.json` or a journal, read from disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.capture.files import Prefix, opened, prefix, refusal
from harness.capture.sniff import WINDOW
from harness.model.capture import Head, Request, Unread

if TYPE_CHECKING:
    from harness.capture.journal import Journal
    from harness.capture.sidecars import Ended


class Parts(NamedTuple):
    """File names (in one folder) of one capture."""

    body: str
    """The body's name, also where there is no such file."""
    present: bool = True
    headers: str | None = None
    rc: str | None = None
    request: str | None = None
    journal: str | None = None


class Beside(NamedTuple):
    """What stands beside a body."""

    head: Head | None = None
    request: Request | None = None
    ended: Ended | None = None
    journal: Journal | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def exact(self) -> bool:
        """A head or a journal says that the file is the body and nothing else."""
        return self.head is not None or self.journal is not None


def printable(path: str) -> str:
    """A path as reports can print it: names that are no UTF-8 get backslash escapes."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return str(os.fsencode(path), "utf-8", "backslashreplace")
    return path


def first_bytes(path: str, length: int = WINDOW) -> Prefix:
    """The first bytes of a regular file, decompressed. Raises OSError."""
    source = opened(path)
    try:
        return prefix(source, length)
    finally:
        os.close(source.fd)


def beside_of(folder: str, below: str, parts: Parts, max_line: int) -> Beside:
    """Read what stands beside a body; what can not be read is told in `unread`."""
    if parts[2:] == (None, None, None, None):
        return Beside()
    from harness.capture.sidecars import exit_status, http_head, request_body

    unread: list[Unread] = []

    def bytes_of(name: str | None) -> bytes | None:
        return None if name is None else _small(folder, below, name, max_line, unread)

    headers, rc, request = bytes_of(parts.headers), bytes_of(parts.rc), bytes_of(parts.request)
    ended = exit_status(rc) if rc is not None else None
    if rc is not None and ended is None and parts.rc is not None:
        reason = "holds no `curl_rc=N`: how the bytes ended is unknown; write curl's exit status there"
        unread.append(Unread(printable(os.path.join(below, parts.rc)), reason))
    journal = _journal_of(folder, below, parts, max_line, unread)
    return Beside(
        head=(http_head(headers) if headers is not None else None) or (journal.head if journal else None),
        request=(request_body(request) if request is not None else None)
        or (journal.request if journal else None),
        ended=ended,
        journal=journal,
        unread=tuple(unread),
    )


def _small(folder: str, below: str, name: str, max_line: int, unread: list[Unread]) -> bytes | None:
    """A sidecar's bytes; None, and told, if it can not be read or is over `max_line`."""
    source = printable(os.path.join(below, name))
    try:
        first = first_bytes(os.path.join(folder, name), max_line)
    except OSError as error:
        unread.append(Unread(source, refusal(error)))
        return None
    if not first.whole:
        unread.append(Unread(source, f"over {max_line} bytes and not read; raise --max-line"))
        return None
    return first.raw


def _journal_of(folder: str, below: str, parts: Parts, max_line: int, unread: list[Unread]) -> Journal | None:
    if parts.journal is None:
        return None
    from harness.capture.journal import read_journal

    source = printable(os.path.join(below, parts.journal))
    try:
        journal = read_journal(os.path.join(folder, parts.journal), max_line)
    except OSError as error:
        unread.append(Unread(source, refusal(error)))
        return None
    unread.extend(Unread(source, flaw) for flaw in journal.flaws)
    if not parts.present and journal.covered:
        unread.append(
            Unread(source, f"the body of {journal.covered} bytes is missing; restore the file beside it")
        )
    return journal


def begins_as_journal(path: str) -> bool:
    """Whether the file is a journal; False if it can not be opened."""
    from harness.capture.journal import is_journal

    try:
        return is_journal(first_bytes(path, 4096).raw)
    except OSError:
        return False


def begins_as_sidecar(path: str, extension: str) -> bool:
    """Whether a `.rc` or `.headers` file without a body holds what its name says."""
    from harness.capture.sidecars import content_type, exit_status, http_head

    try:
        raw = first_bytes(path, WINDOW).raw
    except OSError:
        return False
    if extension == ".rc":
        return exit_status(raw) is not None
    head = http_head(raw)
    return head is not None and (head.status is not None or content_type(head) is not None)
