"""HTTP/1.x requests out of bytes. Sans-IO: no clock, no socket; fed in any pieces.

`Parser.next` gives None while bytes are missing, a `Request` when one is whole, and raises
`Refused` for what no server should guess at (RFC 9112: two lengths, folded headers, other
transfer codings). After `Refused` the connection is of no more use. Everything is bounded.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_HEAD = 64 << 10
MAX_BODY = 16 << 20
_MAX_CHUNK_LINE = 4096
_FIRST = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([\x21-\x7e\x80-\xff]+) HTTP/(\d)\.(\d)\Z")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)\Z")
_END = re.compile(rb"\r?\n\r?\n")
_DIGITS = re.compile(r"[0-9]{1,18}\Z")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\Z")


class Refused(Exception):
    """A request that is answered with `status` and the end of the connection."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Request(NamedTuple):
    """One request. Header names are lower case; `target` is path and query."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    minor: int
    """Of `HTTP/1.minor`."""

    def header(self, name: str) -> str | None:
        """The first header of that name."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def keeps(self) -> bool:
        """The client can use the connection again."""
        words = {
            word.strip().lower()
            for key, value in self.headers
            if key == "connection"
            for word in value.split(",")
        }
        return "close" not in words if self.minor else "keep-alive" in words


class Parser:
    """The requests of one connection, one behind the other."""

    def __init__(self, max_head: int = MAX_HEAD, max_body: int = MAX_BODY) -> None:
        self._max_head, self._max_body = max_head, max_body
        self._buffer = bytearray()
        self._head: Request | None = None
        self._length = 0
        self._chunked = False
        self._body = bytearray()
        self._left: int | None = None
        self._trailers = 0
        self._told = False
        self._searched = 0

    @property
    def buffered(self) -> int:
        """Bytes that wait."""
        return len(self._buffer)

    @property
    def begun(self) -> bool:
        """A request has begun and is not whole."""
        return self._head is not None or bool(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._buffer += data

    def expects(self) -> bool:
        """Once, when the head is there and the client waits for `100 Continue`."""
        head = self._head
        if head is None or self._told or (head.header("expect") or "").lower() != "100-continue":
            return False
        self._told = True
        return True

    def next(self) -> Request | None:
        """The next whole request. Raises `Refused`."""
        if self._head is None and not self._take_head():
            return None
        if not (self._take_chunks() if self._chunked else self._take_body()):
            return None
        head, body = self._head, bytes(self._body)
        self._head, self._told = None, False
        self._body.clear()
        return head._replace(body=body) if head else None

    def _take_head(self) -> bool:
        while self._buffer[:2] == b"\r\n" or self._buffer[:1] == b"\n":
            del self._buffer[: self._buffer.index(b"\n") + 1]
        end = _END.search(self._buffer, max(0, self._searched - 3))
        self._searched = len(self._buffer)
        if (end.end() if end else len(self._buffer)) > self._max_head:
            raise Refused(431, f"the request's head is longer than {self._max_head} bytes")
        if end is None:
            return False
        raw = bytes(self._buffer[: end.start()])
        del self._buffer[: end.end()]
        self._searched = 0
        self._head = _head(raw)
        self._begin(self._head)
        return True

    def _begin(self, head: Request) -> None:
        """How the body is marked off."""
        lengths = {value.strip() for name, value in head.headers if name == "content-length"}
        codings = [value.strip().lower() for name, value in head.headers if name == "transfer-encoding"]
        if lengths and codings:
            raise Refused(400, "Content-Length and Transfer-Encoding in one request")
        if codings and codings != ["chunked"]:
            raise Refused(501, "the only transfer coding here is chunked")
        if len(lengths) > 1 or any(not _DIGITS.match(length) for length in lengths):
            raise Refused(400, "Content-Length is not one number")
        self._chunked = bool(codings)
        self._length = int(lengths.pop()) if lengths else 0
        self._left, self._trailers = None, 0
        if self._length > self._max_body:
            raise self._too_long()

    def _too_long(self) -> Refused:
        return Refused(413, f"the request's body is longer than {self._max_body} bytes")

    def _take_body(self) -> bool:
        if len(self._buffer) < self._length:
            return False
        self._body += self._buffer[: self._length]
        del self._buffer[: self._length]
        return True

    def _take_chunks(self) -> bool:
        while True:
            if self._left is None:
                line = self._line()
                if line is None:
                    return False
                size = _SIZE.match(line)
                if size is None:
                    raise Refused(400, "a chunk without its size")
                self._left = int(size[1], 16)
                if self._left + len(self._body) > self._max_body:
                    raise self._too_long()
            if self._left == 0:
                return self._take_trailers()
            if len(self._buffer) < self._left + 2:
                return False
            self._take_chunk(self._left)

    def _take_chunk(self, size: int) -> None:
        self._body += self._buffer[:size]
        end = bytes(self._buffer[size : size + 2])
        if end != b"\r\n" and end[:1] != b"\n":
            raise Refused(400, "a chunk is longer than its size")
        del self._buffer[: size + (2 if end == b"\r\n" else 1)]
        self._left = None

    def _take_trailers(self) -> bool:
        while (line := self._line()) is not None:
            if line in (b"", b"\r"):
                return True
            self._trailers += len(line)
            if self._trailers > self._max_head:
                raise Refused(431, f"the trailers are longer than {self._max_head} bytes")
        return False

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\n", 0, _MAX_CHUNK_LINE)
        if end < 0:
            if len(self._buffer) >= _MAX_CHUNK_LINE:
                raise Refused(400, "a line of the chunked body is too long")
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line


def _head(raw: bytes) -> Request:
    first, *lines = (line.removesuffix(b"\r") for line in raw.split(b"\n"))
    match = _FIRST.match(first)
    if match is None:
        raise Refused(400, "no HTTP request")
    if match[3] != b"1":
        raise Refused(505, "HTTP/1.1 and HTTP/1.0 are spoken here")
    headers = tuple(_header(line) for line in lines)
    method, target, minor = str(match[1], "ascii"), str(match[2], "latin-1"), 1 if match[4] != b"0" else 0
    if minor and not any(name == "host" for name, _ in headers):
        raise Refused(400, "a request of HTTP/1.1 without Host")
    return Request(method, _origin_form(target), headers, b"", minor)


def _header(line: bytes) -> tuple[str, str]:
    match = _HEADER.match(line)
    if match is None:
        raise Refused(400, "a header line is no `name: value`")
    return str(match[1], "ascii").lower(), str(match[2].rstrip(b" \t"), "latin-1")


def _origin_form(target: str) -> str:
    """Path and query; a client that takes us for a proxy sends the whole URL."""
    if target == "*":
        return target
    scheme, separator, rest = target.partition("://")
    if separator and scheme.lower() in ("http", "https"):
        _, slash, path = rest.partition("/")
        return slash + path if slash else "/"
    if not target.startswith("/"):
        raise Refused(400, "the request's target is no path")
    return target.partition("#")[0]
