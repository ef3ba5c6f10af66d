"""A system under test as a process: `python -m tests.live.system WHAT PORT`, an agent on the given port.

`serve` answers each request with a whole stream; `stubborn` does so too, has a child, and does not hear SIGTERM.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.frames import stream


def answer(peer: Peer) -> None:
    if not peer.request.startswith(b"POST"):
        peer.head(200, (("content-length", "2"),), chunked=False)
        peer.send(b"ok")
        return
    context = json.loads(peer.request.partition(b"\r\n\r\n")[2])["params"]["message"]["contextId"]
    peer.head()
    for one in stream(context):
        peer.chunk(one)
    peer.end()


class Server(FaultServer):
    """A fault server on a port that was chosen before."""

    def __init__(self, port: int) -> None:
        import socket

        super().__init__(answer)
        self._listener.close()
        self._listener = socket.create_server(("127.0.0.1", port), backlog=16)


def main(what: str, port: str) -> None:
    print("started with", os.environ.get("HARNESS_LEG_CLIENT_ENTRY"), os.environ.get("SAID"), flush=True)
    if what == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with Server(int(port)):
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
