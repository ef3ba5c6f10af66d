"""Peers for the recorder's tests: raw sockets, so that every byte and every way to end is ours."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
DEADLINE = 10.0


def until(condition, what="the condition"):
    """Wait for `condition()` to be true; fail after a deadline."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.005)
    raise AssertionError(f"{what} did not come true within {DEADLINE} s")


def chunked(*pieces):
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


def event(state="TASK_STATE_WORKING", task="t1", context="ctx-1", rpc_id=1):
    status = {"taskId": task, "contextId": context, "status": {"state": state}}
    return (
        b"data: %s\n\n"
        % json.dumps({"jsonrpc": "2.0", "id": rpc_id, "result": {"statusUpdate": status}}).encode()
    )


def rpc(method="SendStreamingMessage", context="ctx-1", task=None, **members):
    message = {"role": "ROLE_USER", "messageId": "m", "parts": [{"text": "hi"}], **members}
    if context:
        message["contextId"] = context
    if task:
        message["taskId"] = task
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"message": message}}).encode()


def post(body, target="/a2a", host="x", headers=()):
    lines = [f"POST {target} HTTP/1.1", f"Host: {host}", "A2A-Version: 1.0", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def get(target, host="x"):
    return f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def reset(connection):
    """Close with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Upstream:
    """Accepts, reads one request after the other, and calls `answer(connection, head, body)` for each."""

    def __init__(self, wrap=None):
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.requests = []
        self.answer = lambda connection, head, body: connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        )
        self._wrap = wrap
        self._threads = []
        self._open = set()

    def __enter__(self):
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in (self._thread, *self._threads):
            thread.join(DEADLINE)

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection):
        with contextlib.suppress(OSError):
            if self._wrap is not None:
                connection = self._wrap(connection)
            self._open.add(connection)
            with connection:
                while request := read_request(connection):
                    self.requests.append(request)
                    self.answer(connection, *request)
        self._open.discard(connection)

    def stream(self, *pieces, end=b"0\r\n\r\n"):
        """Answer with an SSE stream of these chunks."""
        self.answer = lambda connection, head, body: connection.sendall(SSE + chunked(*pieces) + end)


def read_head(connection, data=b""):
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None, data
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    return head.decode("latin-1"), rest


def headers_of(head):
    pairs = [line.partition(":")[::2] for line in head.split("\r\n")[1:]]
    return {name.strip().lower(): value.strip() for name, value in pairs}


def read_request(connection):
    head, rest = read_head(connection)
    if head is None:
        return None
    headers = headers_of(head)
    if headers.get("transfer-encoding") == "chunked":
        while b"0\r\n\r\n" not in rest:
            more = connection.recv(65536)
            if not more:
                break
            rest += more
        return head, rest
    length = int(headers.get("content-length", "0"))
    while len(rest) < length:
        more = connection.recv(65536)
        if not more:
            break
        rest += more
    return head, rest


class Client:
    """One connection to a listener."""

    def __init__(self, url, wrap=None):
        address = url.rpartition("/")[2]
        host, _, port = address.rpartition(":")
        self.authority = address
        self.socket = socket.create_connection((host, int(port)), timeout=DEADLINE)
        if wrap is not None:
            self.socket = wrap(self.socket)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)
        return self

    def until(self, mark):
        """All bytes up to and with `mark`."""
        seen = b""
        while mark not in seen:
            more = self.socket.recv(65536)
            assert more, f"the connection ended before {mark!r}: {seen!r}"
            seen += more
        return seen

    def rest(self):
        """All bytes to the end; a reset is an end."""
        seen = b""
        with contextlib.suppress(ConnectionResetError):
            while more := self.socket.recv(65536):
                seen += more
        return seen


def ask(url, data, mark=b"0\r\n\r\n"):
    """One request on a connection of its own; the answer up to `mark`."""
    with Client(url) as client:
        return client.send(data).until(mark)


def journal(run_dir, stem):
    with open(f"{run_dir}/{stem}.jsonl", encoding="ascii") as file:
        return [json.loads(line) for line in file]


def body(run_dir, stem):
    with open(f"{run_dir}/{stem}.sse", "rb") as file:
        return file.read()
