"""One capture out of the files that belong to it: body, heads, notes, sidecars, journal.

The body's first bytes decide what it is (`sniff`); only they are read here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.capture.beside import Beside, Parts, beside_of, first_bytes, printable
from harness.capture.files import CHUNK, Prefix, packing, refusal
from harness.capture.naming import Name, parse, split
from harness.capture.sniff import sniff
from harness.model.capture import Capture, Ending, Framing, Head, Request, Unread
from harness.model.frame import Span

if TYPE_CHECKING:
    from harness.capture.journal import Journal
    from harness.capture.sidecars import Noted

_LONG_HEAD = 4 * CHUNK
"""A wire log prints its request before the events; its texts are long at times."""
_LOG_BEGINS = 4096
_ARCHIVES = {
    ".har": "a HAR archive is not judged as it is; make a run of it with `harness import` and check that",
    ".mitm": "a mitmproxy flow file is not judged as it is; make a run of it with `harness import`",
}


def assemble(
    folder: str, below: str, parts: Parts, max_line: int, *, source: str | None = None
) -> Capture | Unread:
    """The capture of `parts` in `folder`; Unread if the body is none.

    `below` is the folder as reports name it; `source` replaces the name that follows from it.
    """
    path = os.path.join(folder, parts.body)
    source = source or printable(os.path.join(below, parts.body))
    extension = split(parts.body)[1]
    if extension in _ARCHIVES:
        return Unread(source, _ARCHIVES[extension])
    try:
        first = first_bytes(path) if parts.present else Prefix(b"", True, 0)
    except OSError as error:
        return Unread(source, refusal(error))
    beside = beside_of(folder, below, parts, max_line)
    capture = Capture(source=source, path=path, framing="none", group=_group(source), unread=beside.unread)
    name = parse(split(printable(parts.body))[0])
    if not beside.exact and _is_log(first.raw):
        return _logged(capture, name, first, path)
    return _plain(capture, name, first, beside, extension, present=parts.present)


def _group(source: str) -> str:
    return "" if source == "-" else os.path.dirname(source) or "."


# wire logs


def _is_log(raw: bytes) -> bool:
    """The first look, before the module that knows logs is loaded."""
    if b"# protocol:" not in raw[:_LOG_BEGINS]:
        return False
    from harness.capture.wirelog_head import begins

    return begins(raw)


def _logged(capture: Capture, name: Name, first: Prefix, path: str) -> Capture:
    from harness.capture.wirelog_head import log_head

    log = log_head(first.raw)
    if not log.whole and not first.whole:
        first = first_bytes(path, _LONG_HEAD)
        log = log_head(first.raw)
    unread = capture.unread
    if not log.whole:
        reason = "the log ends before its RESPONSE section: it is not whole; give the whole log"
        unread += (Unread(capture.source, reason, Span(log.size, log.size)),)
    return capture._replace(
        framing="wirelog",
        start=log.size,
        scenario=log.session or name.scenario,
        protocol=log.protocol or name.protocol,
        round=log.round or name.round,
        leg=name.leg,
        request=log.request,
        rebuilt=True,
        task_id=log.task_id,
        context_id=log.context_id,
        unread=unread,
    )


# bodies


def _plain(
    capture: Capture, name: Name, first: Prefix, beside: Beside, extension: str, *, present: bool
) -> Capture | Unread:
    noted = None if beside.exact else _noted(first.raw)
    head = beside.head or (noted.head if noted else None)
    start = noted.size if noted else 0
    body = first.raw[start:]
    framing, told = _framing(
        body, first.whole, head, extension, headed=noted is not None or beside != Beside()
    )
    if framing is None:
        return Unread(capture.source, told or "", Span(0, 0))
    journal = beside.journal
    name = (journal.name if journal else None) or name
    ending, text = _ending(beside)
    short = _short(capture, first, journal)
    return capture._replace(
        framing=framing,
        start=start,
        end=None if present else start,
        scenario=name.scenario,
        protocol=name.protocol,
        round=name.round,
        leg=name.leg,
        request=_request(beside.request, noted.request if noted else None),
        head=head,
        ending="unsealed" if short else ending,
        ending_text=text,
        timed=journal.timed if journal else False,
        rebuilt=journal.rebuilt if journal else False,
        told=told,
        task_id=journal.task_id if journal else None,
        context_id=journal.context_id if journal else None,
        unread=capture.unread + short,
    )


def _noted(raw: bytes) -> Noted | None:
    raw_start = raw.removeprefix(b"\xef\xbb\xbf")
    if not raw_start.startswith((b"#", b"HTTP/")):
        return None
    from harness.capture.sidecars import leading_heads, notes

    found = leading_heads(raw_start) or notes(raw_start)
    return found._replace(size=found.size + len(raw) - len(raw_start)) if found else None


def _request(beside: Request | None, noted: Request | None) -> Request | None:
    if beside is None or noted is None:
        return beside or noted
    return Request(
        beside.method or noted.method,
        beside.target or noted.target,
        beside.headers or noted.headers,
        beside.body or noted.body,
    )


def _media(head: Head | None) -> str | None:
    if head is None:
        return None
    from harness.capture.sidecars import content_type

    return content_type(head)


def _framing(
    body: bytes, whole: bool, head: Head | None, extension: str, *, headed: bool
) -> tuple[Framing | None, str | None]:
    """Framing and `told`; None with the reason if this is no capture."""
    media = _media(head)
    if packing(body):
        return "none", "the body is compressed inside the response; record it with `curl --compressed`"
    if not body and whole:
        return _empty(media, extension)
    sniffed = sniff(body, whole, media)
    if sniffed.framing is not None:
        return sniffed.framing, sniffed.told
    if extension == ".sse":
        return "sse", None
    if extension == ".jsonl":
        return "jsonl", None
    if headed or extension == ".body":
        return "document", None
    seen = ascii(str(body[:24], "utf-8", "replace"))
    return None, (
        f"no capture: it begins with {seen}, which is neither SSE, JSON, JSON lines, `curl -i` output "
        "nor a SIT wire log; give the recorded response body"
    )


def _empty(media: str | None, extension: str) -> tuple[Framing, str | None]:
    if extension == ".log":
        return "none", "the log is empty: nothing was logged here"
    if media is not None and media.endswith("json"):
        return "document", None
    return ("jsonl" if extension == ".jsonl" else "sse"), None


def _ending(beside: Beside) -> tuple[Ending, str]:
    if beside.journal is not None:
        return beside.journal.ending, beside.journal.ending_text
    if beside.ended is not None:
        return beside.ended.ending, beside.ended.text
    return "unknown", ""


def _short(capture: Capture, first: Prefix, journal: Journal | None) -> tuple[Unread, ...]:
    """A body that lacks bytes which its journal counts: how the journal ends is not how these bytes end."""
    size = first.size
    if journal is None or journal.covered is None or size is None or size >= journal.covered:
        return ()
    reason = f"the body has {size} bytes, its journal counts {journal.covered}; restore the file"
    return (Unread(capture.source, reason, Span(size, journal.covered)),)
