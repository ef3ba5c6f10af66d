"""Exchanges on disk for the replay's tests, and clients that see each byte."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

from harness.capture.discover import find
from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.model.capture import Capture, Head, Request

SSE = (("content-type", "text/event-stream"), ("transfer-encoding", "chunked"), ("x-own", "kept"))
JSON = (("content-type", "application/json"),)
STREAM = Head(200, SSE)
NAME = Name("S", "A2A_STREAM")


def rpc(method: str, text: str = "", *, rpc_id: object = "r1", **ids: str) -> str:
    message = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": text}], **ids}
    params = {"id": ids["taskId"]} if method in ("GetTask", "CancelTask") else {"message": message}
    return json.dumps({"jsonrpc": "2.0", "id": rpc_id, "method": method, "params": params})


def frame(result: dict[str, object], rpc_id: object = "r1") -> bytes:
    return b"data: " + json.dumps({"jsonrpc": "2.0", "id": rpc_id, "result": result}).encode() + b"\n\n"


def status(state: str, context: str = "ctx", task: str = "task") -> dict[str, object]:
    return {
        "statusUpdate": {
            "taskId": task,
            "contextId": context,
            "status": {"state": f"TASK_STATE_{state}"},
        }
    }


def record(
    folder: Path,
    chunks: tuple[bytes, ...],
    *,
    name: Name = NAME,
    request: Request | None = None,
    head: Head | None = STREAM,
    ending: str | None = "clean",
    text: str = "",
    gap_ns: int = 1_000_000,
) -> Capture:
    """One sealed capture, a chunk each `gap_ns`; gives it as `find` reads it."""
    request = request or Request(
        "POST", "/a2a/", (("host", "h"),), rpc("SendStreamingMessage", contextId="ctx")
    )
    at = 1_000
    with Writer(str(folder), name, request, at) as writer:
        if head is not None:
            writer.response(head, at := at + gap_ns)
            for data in chunks:
                writer.chunk(at := at + gap_ns, data)
        if ending is not None:
            writer.seal(ending, at + gap_ns, text)  # type: ignore[arg-type]
        stem = writer.stem
    return next(
        capture for capture in find([str(folder)]).captures if Path(capture.path).name.startswith(stem + ".")
    )


class Raw:
    """What came back over one connection, byte for byte."""

    def __init__(self, address: str, timeout_s: float = 10) -> None:
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=timeout_s)
        self.got = b""
        self.reset = False

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def until(self, mark: bytes) -> bytes:
        """Read until `mark` has come, or the end."""
        while mark not in self.got and self._more():
            pass
        return self.got

    def all(self) -> bytes:
        """Read to the end of the connection."""
        while self._more():
            pass
        return self.got

    def _more(self) -> bool:
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            self.reset = True
            return False
        self.got += data
        return bool(data)

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def post(path: str, body: str | bytes, *more: str) -> bytes:
    data = body.encode() if isinstance(body, str) else body
    lines = [f"POST {path} HTTP/1.1", "Host: h", f"Content-Length: {len(data)}", *more]
    return "\r\n".join([*lines, "", ""]).encode() + data


def get(path: str, *more: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: h", *more, "", ""]).encode()


def split(raw: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and the rest of an answer."""
    head, _, rest = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(first.split(" ")[1]), headers, rest


def chunks(body: bytes) -> tuple[list[bytes], bool, int]:
    """The chunks of a chunked body, whether it has its end, and how many bytes of the last one are missing."""
    found: list[bytes] = []
    while body:
        line, _, body = body.partition(b"\r\n")
        size = int(line, 16)
        if not size:
            return found, True, 0
        found.append(body[:size])
        if len(body) < size:
            return found, False, size - len(body)
        body = body[size + 2 :]
    return found, False, 0


BODIES = (frame(status("WORKING")), b": ping\n\n", b"data: {", b'"half":1}\n\n', frame(status("COMPLETED")))
"""A stream in five chunks with three events."""
