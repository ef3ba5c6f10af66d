"""How exchanges end: what the client saw, what the capture holds, the ending, the verdict."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest

from harness.capture.store import read_run
from harness.pipeline import check
from tests.record.peers import (
    SSE,
    Client,
    ask,
    body,
    chunked,
    event,
    journal,
    post,
    reset,
    rpc,
    until,
)  # fmt: skip

STEM = "ctx-1-A2A_STREAM-r1.client"
WORKING, DONE = event(), event("TASK_STATE_COMPLETED")
ASKED = event("TASK_STATE_INPUT_REQUIRED")


def verdict(recorder):
    (round,) = check([recorder.run_dir]).rounds
    return round.ending, round.outcome


def ended(recorder):
    """The exchange is sealed while the recorder runs on."""
    until(lambda: recorder.summary.sealed == 1, "the seal")


def test_a_clean_end(record, upstream):
    upstream.stream(WORKING, DONE)
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    assert seen.endswith(chunked(WORKING, DONE) + b"0\r\n\r\n")
    assert body(recorder.run_dir, STEM) == WORKING + DONE
    assert verdict(recorder) == ("clean", "COMPLETED")
    assert recorder.summary.incomplete == ()
    assert recorder.summary[1:4] == (1, 1, 1)


def test_the_journal_tells_the_exchange(record, upstream):
    upstream.stream(WORKING, DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc()))
    request, response, *chunks, ending = journal(recorder.run_dir, STEM)
    assert (request["method"], request["target"], request["leg"]) == ("POST", "/a2a", "client")
    assert request["body"] == rpc().decode()
    assert request["upstream"] == upstream.url
    assert ["a2a-version", "1.0"] in request["headers"]
    assert response["status"] == 200
    assert [one["length"] for one in chunks] == [len(WORKING), len(DONE)]
    times = [one["at_ns"] for one in (request, response, *chunks, ending)]
    assert times == sorted(times)


def test_cut_in_the_middle_of_a_frame(record, upstream):
    def answer(connection, head, data):
        connection.sendall(SSE + chunked(WORKING) + b"100\r\ndata: {")
        connection.close()

    upstream.answer = answer
    with record() as recorder:
        with Client(recorder.addresses["client"]) as client:
            seen = client.send(post(rpc())).rest()
        ended(recorder)
    assert not seen.endswith(b"0\r\n\r\n")
    assert seen.endswith(b"data: {\r\n")
    assert body(recorder.run_dir, STEM) == WORKING + b"data: {"
    assert verdict(recorder) == ("upstream_cut", "TRANSPORT_ERROR")


def test_a_reset(record, upstream):
    def answer(connection, head, data):
        connection.sendall(SSE + chunked(WORKING))
        until(lambda: passed.is_set(), "the first event at the client")
        reset(connection)

    passed = threading.Event()
    upstream.answer = answer
    with record() as recorder:
        with Client(recorder.addresses["client"]) as client:
            seen = client.send(post(rpc())).until(WORKING)
            passed.set()
            seen += client.rest()
        ended(recorder)
    assert not seen.endswith(b"0\r\n\r\n")
    assert verdict(recorder) == ("upstream_cut", "TRANSPORT_ERROR")


def test_no_answer_at_all(record, upstream):
    upstream.answer = lambda connection, head, data: connection.close()
    with record() as recorder:
        with Client(recorder.addresses["client"]) as client:
            seen = client.send(post(rpc())).rest()
        ended(recorder)
    assert seen == b"", "no answer is made up"
    assert verdict(recorder) == ("upstream_cut", "TRANSPORT_ERROR")


def test_an_upstream_that_refuses(record):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    from harness.record import Leg

    with record(legs=(Leg("client", f"http://127.0.0.1:{port}", ("127.0.0.1", 0)),)) as recorder:
        with Client(recorder.addresses["client"]) as client:
            seen = client.send(post(rpc())).rest()
        ended(recorder)
    assert seen == b"", "no answer is made up"
    assert any("could not be reached" in one for one in recorder.summary.warnings)
    assert verdict(recorder) == ("refused", "TRANSPORT_ERROR")
    assert check([recorder.run_dir]).exit == 3
    assert journal(recorder.run_dir, STEM)[0]["body"] == rpc().decode()


def hold(upstream, *pieces):
    """Send these and keep the stream open until the peer leaves."""

    def answer(connection, head, data):
        connection.sendall(SSE + chunked(*pieces))
        with contextlib.suppress(OSError):
            connection.recv(1)

    upstream.answer = answer


def leaves(recorder, mark):
    with Client(recorder.addresses["client"]) as client:
        client.send(post(rpc())).until(mark)
    ended(recorder)


def test_the_client_leaves_in_mid_stream(record, upstream):
    hold(upstream, WORKING)
    with record() as recorder:
        leaves(recorder, WORKING)
    assert body(recorder.run_dir, STEM) == WORKING
    assert verdict(recorder) == ("client_left", "INCONCLUSIVE")


def test_the_client_leaves_at_the_terminal_event(record, upstream):
    hold(upstream, WORKING, DONE)
    with record() as recorder:
        leaves(recorder, DONE)
    assert verdict(recorder) == ("client_left", "COMPLETED")


def test_the_client_leaves_at_input_required(record, upstream):
    hold(upstream, WORKING, ASKED)
    with record() as recorder:
        leaves(recorder, ASKED)
    assert verdict(recorder) == ("client_left", "INTERACTION")


def test_the_client_leaves_before_any_answer(record, upstream):
    upstream.answer = lambda connection, head, data: connection.recv(1)
    with record() as recorder:
        with Client(recorder.addresses["client"]) as client:
            client.send(post(rpc()))
            until(lambda: upstream.requests, "the request at the upstream")
        ended(recorder)
    assert verdict(recorder) == ("client_left", "INCONCLUSIVE")


def test_the_client_leaves_while_the_upstream_is_not_reached(record):
    """The upstream's accept queue is full: connecting takes for ever."""
    from harness.record import Leg

    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        fillers = [socket.socket() for _ in range(8)]
        for one in fillers:
            one.setblocking(False)
            one.connect_ex(address)
        leg = Leg("client", f"http://127.0.0.1:{address[1]}", ("127.0.0.1", 0))
        with record(legs=(leg,)) as recorder:
            with Client(recorder.addresses["client"]) as client:
                client.send(post(rpc()))
                until(lambda: recorder.summary.exchanges == 1, "the request")
            ended(recorder)
        for one in fillers:
            one.close()
    assert verdict(recorder)[0] in ("client_left", "refused")


def test_a_client_that_leaves_within_its_request(record, upstream):
    head = b"POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    upstream.answer = None
    with record() as recorder:
        with Client(recorder.addresses["client"]) as client:
            client.send(head + chunked(rpc()[:30]))
        ended(recorder)
    assert verdict(recorder)[0] == "client_left"


def test_interim_heads_pass_by(record, upstream):
    early = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    answer = early + SSE + chunked(WORKING, DONE) + b"0\r\n\r\n"
    upstream.answer = lambda connection, *_: connection.sendall(answer)
    with record() as recorder:
        assert ask(recorder.addresses["client"], post(rpc())) == answer
    assert journal(recorder.run_dir, STEM)[1]["status"] == 200
    assert verdict(recorder) == ("clean", "COMPLETED")


def test_an_upgraded_connection_is_told(record, upstream):
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
    upstream.answer = lambda connection, *_: connection.sendall(head + b"hello")
    lines = ["Connection: Upgrade", "Upgrade: x"]
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(), headers=lines), b"hello")
    assert any("NOT RECORDED" in one for one in recorder.summary.warnings)


def test_the_recorder_stops(record, upstream):
    hold(upstream, WORKING)
    with record() as recorder:
        client = Client(recorder.addresses["client"])
        seen = client.send(post(rpc())).until(WORKING)
    with client:
        seen += client.rest()
    assert not seen.endswith(b"0\r\n\r\n")
    assert verdict(recorder) == ("proxy_stopped", "INCONCLUSIVE")
    assert recorder.summary.incomplete == ()


def test_silence_beyond_the_limit(record, upstream):
    hold(upstream, WORKING)
    with record(timeout=0.2) as recorder:
        with Client(recorder.addresses["client"]) as client:
            client.send(post(rpc())).rest()
        ended(recorder)
    assert verdict(recorder) == ("timeout", "INCONCLUSIVE")


def test_a_body_that_ends_with_the_connection(record, upstream):
    def answer(connection, head, data):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + WORKING + DONE)
        connection.close()

    upstream.answer = answer
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        seen = client.send(post(rpc())).rest()
    assert seen.endswith(WORKING + DONE)
    assert verdict(recorder) == ("clean", "COMPLETED")


def test_a_reset_of_a_body_that_ends_with_the_connection(record, upstream):
    passed = threading.Event()

    def answer(connection, head, data):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + WORKING)
        passed.wait(10)
        reset(connection)

    upstream.answer = answer
    with record() as recorder:
        with Client(recorder.addresses["client"]) as client:
            client.send(post(rpc())).until(WORKING)
            passed.set()
            client.rest()
        ended(recorder)
    assert verdict(recorder) == ("upstream_cut", "TRANSPORT_ERROR")


@pytest.mark.parametrize("where", ["_careful", "_begin", "_head", "_end", "learn"])
def test_a_fault_of_ours_does_not_disturb_the_traffic(record, upstream, monkeypatch, where):
    from harness.record.exchange import Exchange

    def broken(self, *_):
        raise RuntimeError("of ours")

    upstream.stream(WORKING, DONE)
    monkeypatch.setattr(Exchange, where, broken)
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    assert seen.endswith(chunked(WORKING, DONE) + b"0\r\n\r\n")
    assert "RuntimeError" in recorder.summary.incomplete[0]
    assert check([recorder.run_dir]).exit == 3


@pytest.mark.parametrize("hook", ["_adapt", "_begun", "_head", "_seal"])
def test_a_hook_that_fails_does_not_disturb_the_traffic(record, upstream, monkeypatch, hook):
    from harness.record.tap import Tap

    def broken(self, *_):
        raise RuntimeError("of ours")

    passed = threading.Event()

    def answer(connection, head, data):
        connection.sendall(SSE + chunked(WORKING))
        assert passed.wait(10), "the first event was held back"
        connection.sendall(chunked(DONE) + b"0\r\n\r\n")

    upstream.answer = answer
    monkeypatch.setattr(Tap, hook, broken)
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        client.send(post(rpc())).until(WORKING)
        passed.set()
        client.until(b"0\r\n\r\n")
    assert any("RuntimeError" in one for one in recorder.summary.incomplete)


def test_trailers_reach_the_client(record, upstream):
    upstream.stream(WORKING, DONE, end=b"0\r\nX-Sum: 7\r\n\r\n")
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()), b"X-Sum: 7\r\n\r\n")
    assert seen.endswith(chunked(WORKING, DONE) + b"0\r\nX-Sum: 7\r\n\r\n")
    assert {"kind": "note", "what": "trailers", "headers": [["x-sum", "7"]]} in journal(
        recorder.run_dir, STEM
    )
    assert verdict(recorder) == ("clean", "COMPLETED")


def test_a_fault_inside_the_proxy_is_told(record, upstream, monkeypatch):
    from harness.record.exchange import Exchange

    def broken(self, data):
        raise RuntimeError("of ours")

    upstream.stream(WORKING, DONE)
    monkeypatch.setattr(Exchange, "chunk", broken)
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        client.send(post(rpc())).rest()
    assert recorder.summary.incomplete
    assert read_run(recorder.run_dir)["incomplete"]
