"""A client made of a socket: it sees every byte, and leaves when the test says so."""

from __future__ import annotations

import json
import socket
import struct
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urlsplit

DEADLINE = 30


class Seen(NamedTuple):
    """What a client saw of a response: the decoded body, and how the bytes ended."""

    status: int | None
    headers: tuple[tuple[str, str], ...]
    body: bytes
    end: str
    """`clean` (the last chunk or all of the length), `cut` (closed before), `reset`, `none` (no response)."""


class RawClient:
    """One connection to `url`, which may be the agent's or the recorder's."""

    def __init__(self, url: str, path: str = "/rpc") -> None:
        parts = urlsplit(url)
        self._host = parts.netloc
        self._path = parts.path + path
        self._socket = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=DEADLINE)
        self.raw = b""
        """Everything received so far."""

    def ask(
        self,
        body: bytes,
        headers: tuple[tuple[str, str], ...] = (),
        method: str = "POST",
        told_length: int | None = None,
    ) -> None:
        """Send one request; `told_length` in place of the body's own."""
        lines = [
            f"{method} {self._path} HTTP/1.1",
            f"Host: {self._host}",
            "Content-Type: application/json",
            "Accept: text/event-stream",
            f"Content-Length: {len(body) if told_length is None else told_length}",
            *(f"{name}: {value}" for name, value in headers),
        ]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._socket.sendall(data)

    def ask_proxy(self, url: str) -> None:
        """Ask a forward proxy for `url`."""
        self._socket.sendall(f"GET {url} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode())

    def until(self, marker: bytes) -> bytes:
        """Read until `marker` has come; everything received so far."""
        while marker not in self.raw:
            self.more()
        return self.raw

    def more(self) -> None:
        """Read what is there, at least one byte."""
        got = self._socket.recv(65536)
        assert got, "the connection ended"
        self.raw += got

    def rest(self) -> Seen:
        """Read to the end of the response, or of the connection."""
        end = "cut"
        try:
            while not (whole := _whole(self.raw)):
                got = self._socket.recv(65536)
                if not got:
                    break
                self.raw += got
            if whole:
                end = "clean"
        except ConnectionResetError:
            end = "reset"
        return _seen(self.raw, end)

    def count(self, at_most: int | None = None) -> int:
        """Read and drop; how many bytes came until the last chunk, or until `at_most`."""
        total, tail = 0, b""
        while at_most is None or total < at_most:
            got = self._socket.recv(65536)
            if not got:
                break
            total += len(got)
            tail = (tail + got)[-5:]
            if tail == b"0\r\n\r\n":
                break
        return total

    def small_window(self) -> None:
        """Let little be under way, as a slow reader does."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 18)

    def leave(self) -> None:
        """Close in good order."""
        self._socket.close()

    def reset(self) -> None:
        """Close with RST, as a killed process with unread data does."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()


def stream_request(
    text: str = "complete please", context: str = "", task: str = "", request_id: str = "req-1"
) -> bytes:
    """The body of a v1.0 JSON-RPC SendStreamingMessage."""
    message = {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": text}]}
    if context:
        message["contextId"] = context
    if task:
        message["taskId"] = task
    call = {
        "jsonrpc": "2.0",
        "id": request_id,
        "method": "SendStreamingMessage",
        "params": {"message": message},
    }
    return json.dumps(call).encode()


V1 = (("A2A-Version", "1.0"),)


def get(url: str, path: str) -> Seen:
    """One whole GET."""
    with RawClient(url, path) as client:
        client.ask(b"", V1, "GET")
        return client.rest()


def post(url: str, body: bytes, headers: tuple[tuple[str, str], ...] = V1) -> Seen:
    """One whole POST."""
    with RawClient(url) as client:
        client.ask(body, headers)
        return client.rest()


def _split(raw: bytes) -> tuple[int | None, tuple[tuple[str, str], ...], bytes]:
    """Status, header fields and what follows them, of the final answer; no status: no answer of HTTP."""
    head, found, body = raw.partition(b"\r\n\r\n")
    if not found or not head.startswith(b"HTTP/1."):
        return None, (), b""
    if head[9:10] == b"1":
        return _split(body)
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = tuple(
        (name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)
    )
    return int(first.split(" ")[1]), pairs, body


def _whole(raw: bytes) -> bool:
    status, headers, body = _split(raw)
    told = dict(headers)
    if status is None:
        return False
    if told.get("transfer-encoding") == "chunked":
        return body.endswith(b"\r\n\r\n") and dechunked(body)[1]
    return "content-length" in told and len(body) >= int(told["content-length"])


def _seen(raw: bytes, end: str) -> Seen:
    status, headers, body = _split(raw)
    if status is None:
        return Seen(None, (), raw, "none" if end == "cut" else end)
    told = dict(headers)
    if told.get("transfer-encoding") == "chunked":
        return Seen(status, headers, dechunked(body)[0], end)
    ended = "clean" if end == "cut" and "content-length" not in told else end
    return Seen(status, headers, body, ended)


def dechunked(body: bytes) -> tuple[bytes, bool]:
    """The data of a chunked body as far as it came, and whether the last chunk did."""
    pieces, at = [], 0
    while (line := body.find(b"\r\n", at)) >= 0:
        size = int(body[at:line].split(b";")[0] or b"0", 16)
        if size == 0:
            return b"".join(pieces), body.find(b"\r\n", line + 2) >= 0
        pieces.append(body[line + 2 : line + 2 + size])
        at = line + 2 + size + 2
    return b"".join(pieces), False
