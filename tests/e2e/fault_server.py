"""An upstream made of sockets, which misbehaves exactly as told, and says when the peer left.

def cut(peer: Peer) -> None:
    peer.head()
    peer.chunk(FRAMES[0][:40])
    peer.drop()

with FaultServer(cut) as upstream:
    upstream.url
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

DEADLINE = 30
"""Seconds after which a waiting end gives up and the test fails."""
SSE = (("content-type", "text/event-stream"), ("cache-control", "no-store"))


class Peer:
    """One connection of a client, its request read already."""

    def __init__(self, connection: socket.socket, server: FaultServer) -> None:
        self.connection = connection
        self.server = server
        self.request = b""

    def read_request(self, *, whole: bool = True) -> bool:
        """Read one request, `whole` with its body; False when the peer has gone without one."""
        data = b""
        while b"\r\n\r\n" not in data:
            got = self.connection.recv(65536)
            if not got:
                return False
            data += got
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
        )
        while whole and len(body) < length:
            body += self.connection.recv(65536)
        self.request = head + b"\r\n\r\n" + body
        return True

    def head(
        self, status: int = 200, headers: tuple[tuple[str, str], ...] = SSE, *, chunked: bool = True
    ) -> None:
        """Send the response head."""
        lines = [f"HTTP/1.1 {status} Told", *(f"{name}: {value}" for name, value in headers)]
        if chunked:
            lines.append("transfer-encoding: chunked")
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode())

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.connection.sendall(data)

    def chunk(self, data: bytes) -> None:
        """Send one chunk of a chunked body."""
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self) -> None:
        """Send the last chunk."""
        self.send(b"0\r\n\r\n")

    def drop(self) -> None:
        """Close the connection in good order of TCP, whatever HTTP thinks of it."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def reset(self) -> None:
        """Close the connection with RST."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def until_left(self) -> None:
        """Wait until the peer closes its side or resets."""
        with contextlib.suppress(ConnectionResetError):
            while self.connection.recv(65536):
                pass
        self.server.left.set()

    def wait(self, gate: threading.Event) -> None:
        """Go on when the test says so."""
        assert gate.wait(DEADLINE), "the test did not open the gate"


class FaultServer:
    """Answers each request with `script(peer)`, each connection in a thread, until the block ends."""

    def __init__(self, script: Callable[[Peer], None], *, reads: bool = True) -> None:
        self.script = script
        self.reads = reads
        """The request is read before `script` is called; else it reads itself, once."""
        self.go = threading.Event()
        """A gate for scripts that wait for the test."""
        self.asked = threading.Event()
        """A request has been read."""
        self.left = threading.Event()
        """A peer for which the script waited has left."""
        self.requests: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._threads: list[threading.Thread] = []
        self._open: set[socket.socket] = set()
        self._accepting = threading.Thread(target=self._accept, name="fault server")

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.go.set()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in (self._accepting, *self._threads):
            thread.join(DEADLINE)
            assert not thread.is_alive(), "a connection of the fault server did not end"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.add(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), name="fault connection")
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(DEADLINE)
        peer = Peer(connection, self)
        try:
            while self.reads and peer.read_request():
                self.requests.append(peer.request)
                self.asked.set()
                self.script(peer)
            if not self.reads:
                self.script(peer)
        except OSError:
            self.left.set()
        finally:
            self._open.discard(connection)
            connection.close()


class Refusing:
    """An address at which nobody answers: the port is held, and connections are refused."""

    def __enter__(self) -> Self:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()
