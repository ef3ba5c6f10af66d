"""A system under test as a process: `python -m tests.live.system WHAT PORT`, an agent on the given port.

`serve` answers each request with a whole stream; `stubborn` does so too, has a child, and does not hear SIGTERM;
`brief` dies of its second message with exit code 9.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import uuid

from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.frames import TASK, stream


def answer(peer: Peer) -> None:
    if not peer.request.startswith(b"POST"):
        peer.head(200, (("content-length", "2"),), chunked=False)
        peer.send(b"ok")
        return
    asked = json.loads(peer.request.partition(b"\r\n\r\n")[2])
    task = str(uuid.uuid4()).encode()
    peer.head()
    for one in stream(asked["params"]["message"]["contextId"]):
        peer.chunk(one.replace(b"req-1", asked["id"].encode()).replace(TASK.encode(), task))
    peer.end()


def brief(peer: Peer) -> None:
    if sum(one.startswith(b"POST") for one in peer.server.requests) > 1:
        os._exit(9)
    answer(peer)


class Server(FaultServer):
    """A fault server on a port that was chosen before."""

    def __init__(self, what: str, port: int) -> None:
        super().__init__(brief if what == "brief" else answer)
        self._listener.close()
        self._listener = socket.create_server(("127.0.0.1", port), backlog=16)


def main(what: str, port: str) -> None:
    print("started with", os.environ.get("HARNESS_LEG_CLIENT_ENTRY"), os.environ.get("SAID"), flush=True)
    if what == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with Server(what, int(port)):
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
