"""What stands beside or before a body: HTTP heads, `#` notes, `.rc`, `.request.json`.

Bytes in, values out; knows no file. Nothing raises on what the bytes hold.
"""

import re
from typing import NamedTuple

from harness.jsontext import Flaw, read
from harness.model.capture import Ending, Head, Request

_STATUS = re.compile(r"HTTP/\d(?:\.\d)? (\d{3})(?: [^\r\n]*)?\Z")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)\Z", re.DOTALL)
_REQUEST_LINE = re.compile(r"([A-Z]{3,10}) (\S+)(?: HTTP/\d(?:\.\d)?)?\Z")
_NOTED_STATUS = re.compile(r"(?:\A|\s)status[=:]\s*(\d{3})(?!\d)", re.IGNORECASE)
_NOTED_TYPE = re.compile(r"(?:\A|\s)(?:ct|content-type)[=:]\s*(\S.*)\Z", re.IGNORECASE)
_NOTED_HEADER = re.compile(
    r"((?:x-)?a2a-[a-z-]+|accept|cache-control|content-encoding):\s*(.*)\Z", re.IGNORECASE
)
_RC = re.compile(r"\s*curl_rc=(\d{1,3})\s*\Z")

_ENDINGS: dict[int, tuple[Ending, str]] = {
    0: ("clean", ""),
    7: ("refused", "connection refused"),
    18: ("upstream_cut", "transfer closed with bytes outstanding"),
    28: ("client_left", "own time limit"),
    52: ("upstream_cut", "empty reply from the server"),
    55: ("upstream_cut", "sending failed"),
    56: ("upstream_cut", "receiving failed"),
    92: ("upstream_cut", "HTTP/2 stream error"),
}


class Ended(NamedTuple):
    """How a capture ended, and the text that says so."""

    ending: Ending
    text: str


class Noted(NamedTuple):
    """What leading notes or heads say; `size` is how many bytes they take."""

    request: Request | None
    head: Head | None
    size: int


def exit_status(raw: bytes) -> Ended | None:
    """The ending that an `.rc` file (`curl_rc=N`) tells; None if it is no such file."""
    match = _RC.match(_latin(raw[:64]))
    if match is None:
        return None
    code = int(match[1])
    ending, meaning = _ENDINGS.get(code, ("unknown", "no known meaning"))
    return Ended(ending, f"curl_rc={code}" + (f": {meaning}" if meaning else ""))


def http_head(raw: bytes) -> Head | None:
    """The last head of a `.headers` file; None if it holds no header at all."""
    status, headers = None, list[tuple[str, str]]()
    for line in _lines(raw):
        match = _STATUS.match(line)
        if match:
            status, headers = int(match[1]), []
        else:
            _add_header(headers, line)
    return Head(status, tuple(headers)) if status is not None or headers else None


def leading_heads(raw: bytes) -> Noted | None:
    """The heads that `curl -i` prints before a body: the last one counts.

    Interim heads (1xx), those of redirects and of a proxy's CONNECT stand before it. None if
    the bytes do not begin with a head; a head without an end takes all the bytes.
    """
    at = 0
    head: Head | None = None
    while raw.startswith(b"HTTP/", at):
        stop = _head_end(raw, at)
        found = http_head(raw[at:stop])
        if found is None or found.status is None:
            break
        head, at = found, stop
    return None if head is None else Noted(None, head, at)


def _head_end(raw: bytes, at: int) -> int:
    """Behind the blank line that closes the head at `at`."""
    ends = [found + len(mark) for mark in (b"\r\n\r\n", b"\n\n") if (found := raw.find(mark, at)) >= 0]
    return min(ends, default=len(raw))


def notes(raw: bytes) -> Noted | None:
    """Leading `#` lines: method and target, request JSON, status and content type.

    None if the bytes do not begin with such a line.
    """
    at = 0
    lines: list[str] = []
    while raw.startswith(b"#", at):
        stop = raw.find(b"\n", at)
        stop = len(raw) if stop < 0 else stop + 1
        lines.append(str(raw[at + 1 : stop], "utf-8", "replace").strip())
        at = stop
    return _noted(lines, at) if at else None


def _noted(lines: list[str], size: int) -> Noted:
    method = target = body = None
    status: int | None = None
    sent, got = list[tuple[str, str]](), list[tuple[str, str]]()
    for line in lines:
        if body is None and line[:1] in ("{", "["):
            body = line
        elif method is None and (match := _REQUEST_LINE.match(line)):
            method, target = match[1], match[2]
        elif match := _STATUS.match(line) or _NOTED_STATUS.search(line):
            status = int(match[1])
            _add_type(got, line)
        elif match := _NOTED_HEADER.match(line):
            (sent if status is None else got).append((match[1].lower(), match[2]))
        else:
            _add_type(sent if status is None and method else got, line)
    asked = method is not None or body is not None or sent
    request = Request(method, target, tuple(sent), body) if asked else None
    head = Head(status, tuple(got)) if status is not None or got else None
    return Noted(request, head, size)


def _add_type(headers: list[tuple[str, str]], line: str) -> None:
    match = _NOTED_TYPE.search(line)
    if match:
        headers.append(("content-type", match[1]))


def request_body(raw: bytes) -> Request:
    """The request that a `.request.json` holds: its body, or an object that describes it.

    An object with `method`, `target` (or `path`, `url`) and `body`, and without `jsonrpc`, describes
    a request. Else the file is the body, and method and target are unknown.
    """
    text = str(raw, "utf-8", "replace").removeprefix("\ufeff").strip()
    value = read(text)
    if isinstance(value, dict) and "jsonrpc" not in value and "body" in value:
        target = value.get("target") or value.get("path") or value.get("url")
        method = value.get("method")
        if isinstance(method, str) and (target is None or isinstance(target, str)):
            return Request(method, target, _headers(value.get("headers")), _printed(value["body"]))
    return Request(body=text)


def _headers(value: object) -> tuple[tuple[str, str], ...]:
    pairs = value.items() if isinstance(value, dict) else ()
    return tuple((str(k).lower(), str(v)) for k, v in pairs)


def _printed(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def content_type(head: Head | None) -> str | None:
    """The media type of a response, lower case, without parameters."""
    for name, value in head.headers if head else ():
        if name == "content-type":
            return value.partition(";")[0].strip().lower()
    return None


def is_json(text: str) -> bool:
    """Whether `text` is one JSON value."""
    return not isinstance(read(text), Flaw)


def _lines(raw: bytes) -> list[str]:
    return [line.removesuffix("\r") for line in _latin(raw).split("\n")]


def _add_header(headers: list[tuple[str, str]], line: str) -> None:
    if line[:1] in (" ", "\t") and headers and line.strip():
        name, value = headers[-1]
        headers[-1] = (name, f"{value} {line.strip()}")
        return
    match = _HEADER.match(line)
    if match:
        headers.append((match[1].lower(), match[2].strip(" \t")))


def _latin(raw: bytes) -> str:
    try:
        return str(raw, "utf-8")
    except UnicodeDecodeError:
        return str(raw, "latin-1")
