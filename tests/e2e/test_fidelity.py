"""The recorder is not there, for the client and for the agent: heads, order, trailers, connections."""

from __future__ import annotations

import gc
import os
import re
import threading
from pathlib import Path

import pytest

from tests.e2e import frames, recording
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.raw_client import V1, RawClient, stream_request

CONTEXT = "ctx-same"
FRAMES = frames.stream(CONTEXT)
WHOLE = b"".join(FRAMES)
REQUEST = stream_request(context=CONTEXT)


def odd(peer: Peer) -> None:
    peer.send(
        b"HTTP/1.1 200 Fine By Me\r\nServer: one/2.0 (x)\r\nContent-Type:text/event-stream;charset=UTF-8\r\n"
        b"Set-Cookie: theme=dark\r\nset-cookie: size=2\r\nX-Empty:\r\nX-ODD_name: v\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    for frame in FRAMES:
        peer.chunk(frame)
    peer.send(b"0\r\n\r\n")


def raw_both(folder, script, request=REQUEST, headers=V1) -> tuple[bytes, bytes]:
    """All bytes that a client gets directly, and through a recorder."""
    taken = []
    with recording.before(folder, script) as (upstream, recorder):
        for url in (upstream.url, recorder.addresses["client"]):
            with RawClient(url) as client:
                client.ask(request, headers)
                client.rest()
                taken.append(client.raw)
        recording.sealed(folder, 1)
    return taken[0], taken[1]


def test_the_answer_to_the_byte(tmp_path):
    direct, seen = raw_both(tmp_path, odd)
    assert fields(seen) == fields(direct)
    assert recording.body(recording.only(tmp_path)) == WHOLE


def fields(raw: bytes) -> tuple[bytes, list[tuple[bytes, bytes]], bytes]:
    """Status line, header fields in their order and spelling, and the rest; spaces around values mean nothing."""
    head, _, rest = raw.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    return first, [(name, value.strip()) for name, _, value in (line.partition(b":") for line in lines)], rest


def test_the_request_to_the_byte(tmp_path):
    headers = (
        *V1,
        ("X-User-ID", "u1"),
        ("traceparent", "00-" + "a" * 32 + "-" + "b" * 16 + "-01"),
        ("x-b", "1"),
        ("X-B", "2"),
    )
    with recording.before(tmp_path, odd) as (upstream, recorder):
        for url in (upstream.url, recorder.addresses["client"]):
            with RawClient(url, "/a2a/?x=%2F&y=a+b&empty=") as client:
                client.ask(REQUEST, headers)
                client.rest()
        direct, passed = (re.sub(rb"127\.0\.0\.1:\d+", b"<host>", request) for request in upstream.requests)
    assert fields(passed) == fields(direct)


def test_trailers(tmp_path):
    def script(peer: Peer) -> None:
        peer.head()
        for frame in FRAMES:
            peer.chunk(frame)
        peer.send(b"0\r\nX-Checksum: abc\r\n\r\n")

    direct, seen = (raw.partition(b"\r\n\r\n")[2] for raw in raw_both(tmp_path, script))
    assert b"0\r\nX-Checksum: abc\r\n\r\n" in direct
    assert seen == direct
    assert recording.judged(tmp_path)[1][0].outcome == "COMPLETED"


def test_several_rounds_on_one_connection(tmp_path):
    with (
        recording.before(tmp_path, odd) as (upstream, recorder),
        RawClient(recorder.addresses["client"]) as client,
    ):
        for number in range(3):
            client.raw = b""
            client.ask(stream_request(context=CONTEXT, request_id=f"r-{number}"), V1)
            seen = client.rest()
            assert (seen.body, seen.end) == (WHOLE, "clean")
        assert len(upstream.requests) == 3
        recording.sealed(tmp_path, 3)
    rounds = recording.judged(tmp_path)[1]
    assert [(one.scenario, one.round, one.outcome) for one in rounds] == [
        (CONTEXT, n, "COMPLETED") for n in (1, 2, 3)
    ]


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "PUT"])
def test_other_methods(method, tmp_path):
    def script(peer: Peer) -> None:
        peer.send(b"HTTP/1.1 204 No Content\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n")

    with recording.before(tmp_path, script) as (upstream, recorder):
        with RawClient(recorder.addresses["client"], "/health") as client:
            client.ask(b"", V1, method)
            seen = client.rest()
        assert upstream.requests[0].startswith(f"{method} /health HTTP/1.1\r\n".encode())
        recording.sealed(tmp_path, 1)
    assert (seen.status, seen.end, dict(seen.headers)["allow"]) == (204, "clean", "POST")


def test_the_agent_closes_after_each_answer(tmp_path):
    def script(peer: Peer) -> None:
        peer.head(headers=(("content-type", "text/event-stream"), ("connection", "close")))
        for frame in FRAMES:
            peer.chunk(frame)
        peer.end()
        peer.drop()

    direct, seen = raw_both(tmp_path, script)
    assert fields(seen) == fields(direct)
    assert recording.judged(tmp_path)[0].exit == 0


def test_a_client_that_sends_its_body_late(tmp_path):
    """The head first, the body when the test says so: what is held is held by the client, not by the recorder."""
    with (
        recording.before(tmp_path, odd) as (upstream, recorder),
        RawClient(recorder.addresses["client"]) as client,
    ):
        client.ask(REQUEST[:10], V1, told_length=len(REQUEST))
        assert not upstream.asked.is_set()
        client.send(REQUEST[10:])
        assert client.rest().body == WHOLE
    assert [one.outcome for one in recording.judged(tmp_path)[1]] == ["COMPLETED"]


def test_two_recorders_in_one_process(tmp_path):
    with (
        FaultServer(odd) as upstream,
        recording.recorder(tmp_path / "one", {"client": upstream.url}) as outer,
        recording.recorder(tmp_path / "two", {"client": outer.addresses["client"]}) as inner,
        RawClient(inner.addresses["client"]) as client,
    ):
        client.ask(REQUEST, V1)
        assert client.rest().body == WHOLE
        recording.sealed(tmp_path / "one", 1)
        recording.sealed(tmp_path / "two", 1)
    bodies = [recording.body(recording.only(tmp_path / name)) for name in ("one", "two")]
    assert bodies == [WHOLE, WHOLE]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + WHOLE, id="http-1.0"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(WHOLE) + WHOLE, id="no-type"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX-Odd: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}", id="odd-head"),
        pytest.param(b"HTTP/1.1 500 No\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n", id="empty-500"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\x00\xfe\x80", id="no-text"),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", id="interim"),
        pytest.param(b"this is not HTTP\r\n\r\n", id="no-http"),
        pytest.param(b"", id="nothing"),
    ],
)  # fmt: skip
def test_odd_answers(answer, tmp_path):
    """The client sees what it would see; where there is no answer at all the recorder says 502."""

    def script(peer: Peer) -> None:
        peer.send(answer)
        peer.drop()

    with recording.before(tmp_path, script) as (upstream, recorder):
        taken = []
        for url in (upstream.url, recorder.addresses["client"]):
            with RawClient(url) as client:
                client.ask(REQUEST, V1)
                taken.append(client.rest())
        recording.sealed(tmp_path, 1)
    direct, seen = taken
    if answer.startswith(b"HTTP/"):
        assert (seen.status, seen.body) == (direct.status, direct.body)
    else:
        assert seen.status in (None, 502)
    assert recorder.summary.incomplete == ()
    assert len(recording.captures(tmp_path)) == 1


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\xff\xfe\x00", id="no-text"),
        pytest.param(b"[" * 20_000, id="deep"),
        pytest.param(b"{" + b" " * (3 << 20) + b"}", id="three-megabytes"),
        pytest.param(b'{"params":{"message":{"contextId":7}}}', id="odd-context"),
        pytest.param(b"", id="empty"),
    ],
)
def test_odd_requests(body, tmp_path):
    with recording.before(tmp_path, odd) as (upstream, recorder):
        with RawClient(recorder.addresses["client"]) as client:
            client.ask(body, V1)
            assert client.rest().body == WHOLE
        assert upstream.requests[0].partition(b"\r\n\r\n")[2] == body, "the agent gets it to the byte"
        recording.sealed(tmp_path, 1)
    assert recorder.summary.incomplete == ()


def test_an_answer_before_the_request_is_whole(tmp_path):
    """As a server does that refuses a body by its head."""

    def script(peer: Peer) -> None:
        peer.read_request(whole=False)
        peer.head(413, (("content-length", "0"), ("connection", "close")), chunked=False)
        peer.until_left()  # closing with unread bytes would reset the connection, and the answer could be lost

    with recording.before(tmp_path, script, reads=False) as (_, recorder):
        with RawClient(recorder.addresses["client"]) as client:
            client.ask(b"x" * 65536, V1, told_length=8 << 20)
            assert client.rest().status == 413
        recording.sealed(tmp_path, 1)
    assert recorder.summary.incomplete == ()


def test_nothing_is_left_behind(tmp_path):
    """Good streams, cut ones and left ones, twenty recorders in turn: no file, socket or thread stays open."""

    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(FRAMES[0])
        if b"cut" in peer.request:
            peer.drop()
        elif b"leave" in peer.request:
            peer.until_left()
        else:
            peer.end()

    def once(folder: Path) -> None:
        with recording.before(folder, script) as (_, recorder):
            for word in ("cut", "whole", "leave"):
                with RawClient(recorder.addresses["client"]) as client:
                    client.ask(stream_request(f"{word} please", CONTEXT), V1)
                    client.until(FRAMES[0].rstrip())
                    if word != "leave":
                        client.rest()

    once(tmp_path / "warm")
    gc.collect()
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    for number in range(20):
        once(tmp_path / str(number))
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == files
    assert threading.active_count() == threads
