"""Write an exchange that somebody else recorded into a run folder of the native format.

What the source does not tell stays untold: no time is made up (`at_ns` is left out, a body
without chunk lines is not timed), no status, no ending. Raises OSError where the disk does.
"""

from __future__ import annotations

import json
import os
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.capture.journal import VERSION
from harness.capture.store import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.capture.naming import Name
    from harness.model.capture import Ending, Head, Request

_TEXT = 2000


class Foreign(NamedTuple):
    """One exchange of another tool. Times are ns since 1970, or of any one clock; None: not known."""

    name: Name
    request: Request | None
    head: Head | None
    body: Iterable[tuple[int | None, bytes]]
    """When, and which bytes. With times they are the chunks of the wire."""
    stream: bool
    """The body is SSE."""
    ending: Ending = "unknown"
    ending_text: str = ""
    started_ns: int | None = None
    head_ns: int | None = None
    ended_ns: int | None = None
    known: dict[str, Any] = {}  # noqa: RUF012  nobody writes to the default
    """More members of the journal's first line: `rebuilt`, `task_id`, `context_id`, `imported`."""


def adopt(folder: str, foreign: Foreign) -> str:
    """Write one exchange; gives its stem. Equal names get `.2`, `.3`, ..."""
    stem, journal = _reserve(folder, foreign.name)
    with journal:
        _line(journal, **_first(foreign))
        if foreign.head is not None:
            head = foreign.head
            _line(journal, kind="response", at_ns=foreign.head_ns, status=head.status, headers=head.headers)
        _body(journal, os.path.join(folder, stem + (".sse" if foreign.stream else ".body")), foreign)
        if foreign.ending != "unsealed":
            text = foreign.ending_text[:_TEXT]
            if foreign.ending == "unknown":
                text = text or "the source does not tell how it ended"
            _line(journal, kind="ending", at_ns=foreign.ended_ns, ending=foreign.ending, text=text)
    return stem


def _first(foreign: Foreign) -> dict[str, Any]:
    name, request = foreign.name, foreign.request
    return {
        "capture": VERSION,
        "kind": "request",
        "at_ns": foreign.started_ns,
        "scenario": name.scenario,
        "protocol": name.protocol,
        "round": name.round,
        "leg": name.leg,
        "method": request.method if request else None,
        "target": request.target if request else None,
        "headers": request.headers if request else (),
        "body": request.body if request else None,
        **foreign.known,
    }


def _body(journal: Any, path: str, foreign: Foreign) -> None:
    """The body and its chunk lines; no file where nothing was answered."""
    pieces, offset = iter(foreign.body), 0
    first = next(pieces, (None, b""))
    if not first[1] and foreign.head is None and foreign.ending in ("refused", "upstream_cut"):
        return
    with open(path, "xb") as body:
        for at_ns, data in chain((first,), pieces):
            body.write(data)
            if at_ns is not None:
                _line(journal, kind="chunk", at_ns=at_ns, offset=offset, length=len(data))
            offset += len(data)


def _line(journal: Any, **members: Any) -> None:
    told = {key: value for key, value in members.items() if not (key == "at_ns" and value is None)}
    journal.write(json.dumps(told, separators=(",", ":")).encode("ascii") + b"\n")


def _reserve(folder: str, name: Name) -> tuple[str, Any]:
    call = 1
    while True:
        stem = file_stem(name, call)
        taken = any(os.path.lexists(os.path.join(folder, stem + end)) for end in (".sse", ".body"))
        try:
            if not taken:
                return stem, open(os.path.join(folder, stem + ".jsonl"), "xb")
        except FileExistsError:
            pass
        call += 1


def new_run(captures: str) -> str:
    """Make a run folder below `captures`, named by the time, that was not there before."""
    import time

    os.makedirs(captures, exist_ok=True)
    name = os.path.join(captures, time.strftime("run-%Y%m%d-%H%M%S"))
    path, number = name, 1
    while True:
        try:
            os.mkdir(path)
        except FileExistsError:
            number += 1
            path = f"{name}-{number}"
        else:
            return path
