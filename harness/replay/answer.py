"""The answer's head and how its body is marked off. Pure: values in, bytes out.

The body on disk is decoded and no longer in chunks of the old connection: the headers that
describe those (`Content-Encoding`, `Content-Length`, hop by hop ones) are made anew, all others
are as recorded.
"""

from __future__ import annotations

import os
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from harness.capture.files import Body, is_plain
from harness.replay.projection import answered_whole, projected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.model.capture import Capture
    from harness.replay.recorded import Close
    from harness.replay.request import Request

type Mode = Literal["chunked", "length", "close", "none"]
"""How the end of the body is told: last chunk, length, end of the connection, no body at all."""

_MADE_ANEW = frozenset({
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade",
    "content-length", "content-encoding", "alt-svc",
})  # fmt: skip
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*\Z")


class Answer(NamedTuple):
    """The head of an answer. `length` counts the body where `mode` is `length`."""

    status: int
    headers: tuple[tuple[str, str], ...]
    mode: Mode
    length: int = 0
    keeps: bool = True
    """The connection can be used again."""

    def head(self) -> bytes:
        """The bytes of the head."""
        lines = [f"HTTP/1.1 {self.status} {phrase(self.status)}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.mode == "chunked":
            lines.append("transfer-encoding: chunked")
        elif self.mode == "length":
            lines.append(f"content-length: {self.length}")
        if not self.keeps:
            lines.append("connection: close")
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace")

    def framed(self, data: bytes, promised: int = 0) -> bytes:
        """`data` as it goes out; `promised` bytes more are announced and never sent."""
        if self.mode == "none":
            return b""
        if self.mode != "chunked":
            return data
        end = b"" if promised else b"\r\n"
        return b"%x\r\n%b%b" % (len(data) + promised, data, end)

    def last(self, trailers: Iterable[tuple[str, str]] = ()) -> bytes:
        """What tells that the body is whole; trailers only where there are chunks."""
        if self.mode != "chunked":
            return b""
        lines = [f"{name}: {value}" for name, value in _good(trailers)]
        return "\r\n".join(["0", *lines, "", ""]).encode("utf-8", "replace")


def phrase(status: int) -> str:
    """The reason phrase of a status; empty where it has none."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def answer(capture: Capture, request: Request, close: Close, growth: int | None, origin: str) -> Answer:
    """The head that serves `capture` at `origin` (`http://127.0.0.1:8080`).

    `growth`: how much longer than recorded the body goes out; None: not known before it is sent.
    """
    recorded = dict(capture.head.headers) if capture.head else {}
    status = _status(capture)
    mode, length = _mode(capture, recorded, request, close, growth)
    if request.method == "HEAD" or status in (204, 304):
        mode = "none"
    closes = mode == "close" or recorded.get("connection", "").lower() == "close"
    keeps = request.minor > 0 and request.keeps and close in ("clean", "left") and not closes
    return Answer(status, tuple(_kept(capture, origin)), mode, length, keeps)


def _status(capture: Capture) -> int:
    status = capture.head.status if capture.head else None
    return status if status is not None and 200 <= status < 600 else 200


def _good(headers: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, str]]:
    """Headers that can go out as they are, without those of the old connection."""
    for name, value in headers:
        if not isinstance(name, str) or not isinstance(value, str) or name in _MADE_ANEW:
            continue
        if _NAME.match(name) and _VALUE.match(value):
            yield name, value


def _own(location: str, capture: Capture, origin: str) -> str:
    """A redirect to the recorded server leads to us; any other stays."""
    headers = capture.request.headers if capture.request else ()
    host = next((value for name, value in headers if name == "host"), None)
    for scheme in ("http", "https"):
        rest = location.removeprefix(f"{scheme}://{host}")
        if rest != location and rest[:1] in ("", "/", "?", "#"):
            return origin + rest
    return location


def _kept(capture: Capture, origin: str) -> list[tuple[str, str]]:
    headers = capture.head.headers if capture.head else ()
    kept = [
        (name, _own(value, capture, origin) if name == "location" else value)
        for name, value in _good(headers)
    ]
    if not any(name == "content-type" for name, _ in kept) and (media := _media(capture)):
        kept.insert(0, ("content-type", media))
    return kept


def _media(capture: Capture) -> str | None:
    if answered_whole(capture):
        return "application/json"
    if projected(capture) or capture.framing == "sse":
        return "text/event-stream"
    return "application/json" if capture.framing == "document" and capture.head is None else None


def _mode(
    capture: Capture, recorded: dict[str, str], request: Request, close: Close, growth: int | None
) -> tuple[Mode, int]:
    told = recorded.get("content-length", "")
    plain = "content-encoding" not in recorded and growth == 0
    if told.isascii() and told.isdecimal() and close in ("cut", "reset") and plain:
        return "length", int(told[:15])
    if growth is not None and (told or _is_document(capture)) and close == "clean":
        return "length", size(capture) + growth
    if request.minor == 0 or _ends_by_close(capture, recorded):
        return "close", 0
    return "chunked", 0


def _is_document(capture: Capture) -> bool:
    headers = capture.head.headers if capture.head else ()
    chunked = any(name == "transfer-encoding" for name, _ in headers)
    return capture.framing != "sse" and not projected(capture) and not chunked


def _ends_by_close(capture: Capture, recorded: dict[str, str]) -> bool:
    framed = "content-length" in recorded or "transfer-encoding" in recorded
    return not framed and recorded.get("connection", "").lower() == "close"


def size(capture: Capture) -> int:
    """Bytes of the body."""
    if capture.end is not None:
        return max(0, capture.end - capture.start)
    if is_plain(capture):
        return max(0, os.stat(capture.path).st_size - capture.start)
    return sum(map(len, Body(capture).chunks()))
