"""A stand-in before an agent that lets calls through one after the other, the last one first."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

PATIENCE_S = 60
REST_S = 0.1
"""So long after a call has ended the next one is let through: who called has taken the end in by then."""


class Late:
    """Of the calls whose body holds `mark`, those that hold `texts` wait for each other, the last text first."""

    def __init__(self, mark: str, texts: tuple[str, ...]) -> None:
        self._mark, self._texts = mark, texts
        self._done = {text: threading.Event() for text in texts}

    def wait(self, body: str) -> str | None:
        """Wait for the calls before this one; gives the text by which it is known."""
        text = next((one for one in self._texts if self._mark in body and one in body), None)
        if text is None or text == self._texts[-1]:
            return text
        before = self._texts[self._texts.index(text) + 1]
        assert self._done[before].wait(PATIENCE_S), f"the call with {before} did not end"
        time.sleep(REST_S)
        return text

    def over(self, text: str) -> None:
        self._done[text].set()


@contextmanager
def late(upstream: str, order: Late) -> Iterator[str]:
    """The address of a stand-in before `upstream`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            text = order.wait(body.decode())
            try:
                self._pass_on(body)
            finally:
                if text is not None:
                    order.over(text)

        def _pass_on(self, body: bytes) -> None:
            to = urlsplit(upstream)
            sent = http.client.HTTPConnection(to.netloc, timeout=PATIENCE_S)
            left_out = {"host", "content-length", "connection"}
            headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
            sent.request("POST", to.path, body, headers)
            answer = sent.getresponse()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("Content-Type", ""))
            self.end_headers()
            while piece := answer.read1(65536):
                self.wfile.write(piece)
            sent.close()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{urlsplit(upstream).path}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
