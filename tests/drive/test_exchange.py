"""Peers that refuse, hang, break off or answer garbage: each ends within its time, and says how."""

from __future__ import annotations

import pytest

from harness.drive import exchange
from tests.drive.conftest import CONTEXT, HEAD, answering, refused, run, streamed
from tests.e2e.fault_server import FaultServer, Peer, Refusing
from tests.e2e.frames import artifact, stream, task

pytestmark = pytest.mark.usefixtures("no_hang")

ONE = "  - send: one\n"
SHORT = HEAD.replace("timeout: 20", "timeout: 0.3")
DONE = streamed(*stream(CONTEXT))


def only(url: str, head: str = HEAD):
    (driven,) = run(url, ONE, head=head).rounds
    return driven


@pytest.mark.parametrize("end", ["INPUT_REQUIRED", "COMPLETED"])
def test_a_stream_that_stays_open_is_left(end: str) -> None:
    with FaultServer(streamed(*stream(CONTEXT, end), end=False)) as agent:
        assert only(agent.url).end == "left"
        assert agent.left.wait(20)


def test_comments_do_not_keep_us() -> None:
    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(b"".join(stream(CONTEXT, "INPUT_REQUIRED")))
        while True:
            peer.chunk(b": ping\r\n\r\n")
            peer.server.go.wait(exchange.GRACE_S / 5)

    with FaultServer(script) as agent:
        assert only(agent.url).end == "left"


def test_a_stream_that_stays_open_without_an_end_is_a_timeout() -> None:
    with FaultServer(streamed(task(CONTEXT), end=False)) as agent:
        driven = only(agent.url, SHORT)
    assert (driven.end, driven.status, driven.state) == ("timeout", 200, "submitted")
    assert driven.text == "not over within 0.3 s"


def hangs(peer: Peer) -> None:
    peer.until_left()


def loris(peer: Peer) -> None:
    peer.head()
    for byte in b'data: {"jsonrpc":"2.0"' * 100:
        peer.chunk(bytes([byte]))
        peer.server.go.wait(0.05)


def pours(peer: Peer) -> None:
    peer.head()
    while True:
        peer.chunk(artifact(CONTEXT, "x") * 100)


@pytest.mark.parametrize("script", [hangs, loris, pours])
def test_whatever_comes_slowly_never_or_for_ever_ends_with_the_time(script) -> None:
    with FaultServer(script) as agent:
        assert only(agent.url, SHORT).end == "timeout"


def test_a_refused_connection() -> None:
    with Refusing() as agent:
        driven = only(agent.url)
    assert (driven.end, driven.status, driven.attempts) == ("refused", None, 1)
    assert "ConnectError" in driven.text


def closes(peer: Peer) -> None:
    peer.drop()


def breaks(peer: Peer) -> None:
    peer.head()
    peer.chunk(task(CONTEXT)[:20])
    peer.drop()


def resets(peer: Peer) -> None:
    peer.head()
    peer.chunk(task(CONTEXT))
    peer.reset()


def no_http(peer: Peer) -> None:
    peer.send(b"\x00\x01 SSH-2.0\r\n\r\n")
    peer.drop()


def no_gzip(peer: Peer) -> None:
    peer.head(200, (("content-type", "text/event-stream"), ("content-encoding", "gzip")))
    peer.chunk(b"no gzip")
    peer.end()


def html(peer: Peer) -> None:
    peer.head(200, (("content-type", "text/html"),))
    peer.chunk(b"<html>hello</html>")
    peer.end()


def elsewhere(peer: Peer) -> None:
    peer.head(307, (("location", "http://127.0.0.1:9/"), ("content-length", "0")), chunked=False)


@pytest.mark.parametrize(
    ("script", "end", "status"),
    [
        (closes, "refused", None),
        (breaks, "cut", 200),
        (resets, "cut", 200),
        (no_http, "refused", None),
        (no_gzip, "error", 200),
        (html, "over", 200),
        (elsewhere, "over", 307),
        (refused(500), "over", 500),
    ],
)
def test_answers_of_every_kind(script, end: str, status: int | None) -> None:
    with FaultServer(script) as agent:
        driven = run(agent.url, ONE + "  - answer: two\n")
    assert (driven.rounds[0].end, driven.rounds[0].status) == (end, status)
    assert driven.rounds[1].end == "not_sent"
    assert len(agent.requests) == 1


@pytest.mark.parametrize("first", [refused(503), refused(429), refused(502), refused(504), closes])
def test_a_refusal_is_tried_again_as_often_as_the_scenario_says(first, steps) -> None:
    with FaultServer(answering(first, first, DONE)) as agent:
        (driven,) = run(agent.url, ONE, head="retries: 2\n" + HEAD, on_progress=steps.append).rounds
    assert (driven.end, driven.state, driven.attempts) == ("over", "completed", 3)
    assert [one.what for one in steps] == ["sent", "again", "again", "ended"]


@pytest.mark.parametrize(("first", "attempts"), [(refused(503), 2), (refused(500), 1), (breaks, 1)])
def test_what_is_not_tried_again(first, attempts: int) -> None:
    with FaultServer(first) as agent:
        (driven,) = run(agent.url, ONE, head="retries: 1\n" + HEAD).rounds
    assert driven.attempts == attempts == len(agent.requests)


def test_proxies_of_the_environment_are_not_used(monkeypatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with FaultServer(DONE) as agent:
        assert only(agent.url).end == "over"
