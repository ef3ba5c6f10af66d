"""`kill -9` and SIGTERM of a recorder in a process of its own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import pytest

from harness.capture.store import read_run
from harness.pipeline import check
from tests.record.peers import SSE, Client, body, chunked, event, journal, post, rpc, until

STEM = "ctx-1-A2A_STREAM-r1.client"
RUN = """
import signal, sys
from harness.record import Recorder, Settings, legs
recorder = Recorder(Settings((legs.parse(sys.argv[1]),), sys.argv[2]))
signal.signal(signal.SIGTERM, lambda *_: recorder.stop())
with recorder:
    recorder.done.wait()
"""


@pytest.fixture
def process(tmp_path, upstream):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    leg = f"client={upstream.url}@{port}"
    with subprocess.Popen([sys.executable, "-c", RUN, leg, str(tmp_path / "run")]) as one:
        try:
            until(lambda: (tmp_path / "run" / "run.json").exists(), "the recorder's start")
            one.url, one.run = f"http://127.0.0.1:{port}", str(tmp_path / "run")
            yield one
        finally:
            one.kill()


def open_stream(upstream):
    def answer(connection, head, data):
        connection.sendall(SSE + chunked(event(), event()))
        connection.recv(1)

    upstream.answer = answer


def test_kill_9_loses_nothing_that_the_client_got(process, upstream):
    open_stream(upstream)
    with Client(process.url) as client:
        client.send(post(rpc())).until(chunked(event(), event()))
        process.kill()
        process.wait()
    assert body(process.run, STEM) == event() * 2
    lines = journal(process.run, STEM)
    assert [line["kind"] for line in lines] == ["request", "response", "chunk", "chunk"]
    assert read_run(process.run)["ended"] is None
    report = check([process.run])
    assert (report.rounds[0].ending, report.rounds[0].outcome, report.exit) == ("unsealed", "INCONCLUSIVE", 3)


def test_sigterm_seals(process, upstream):
    open_stream(upstream)
    with Client(process.url) as client:
        client.send(post(rpc())).until(chunked(event(), event()))
        process.send_signal(signal.SIGTERM)
        client.rest()
    assert process.wait() == 0
    assert body(process.run, STEM) == event() * 2
    assert journal(process.run, STEM)[-1]["ending"] == "proxy_stopped"
    run = read_run(process.run)
    assert run["ended"] is not None
    assert run["exchanges"][0]["ending"] == "proxy_stopped"
