"""The forward proxy: what it reaches, what it does not, and what it can not see."""

from __future__ import annotations

import pytest

from harness.capture.store import read_run
from harness.errors import UsageError
from harness.pipeline import check
from harness.record import Leg
from harness.record.forward import Allowed
from tests.record.peers import Client, Upstream, event, rpc

DONE = event("TASK_STATE_COMPLETED")


def through(recorder, target, body, host):
    head = f"POST {target} HTTP/1.1\r\nHost: {host}\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.fixture
def forward(record, upstream):
    def made(**more):
        legs = (Leg("client", upstream.url, None),)
        return record(**{"legs": legs, "forward": ("127.0.0.1", 0), **more})

    return made


def test_a_declared_upstream_is_reached_and_recorded(forward, upstream):
    upstream.stream(DONE)
    with forward() as recorder, Client(recorder.addresses["forward"]) as client:
        client.send(through(recorder, upstream.url + "/a2a", rpc(), upstream.url[7:])).until(b"0\r\n\r\n")
    (round,) = check([recorder.run_dir]).rounds
    assert (round.leg, round.outcome, round.scenario) == ("client", "COMPLETED", "ctx-1")
    assert upstream.requests[0][0].startswith("POST /a2a HTTP/1.1")


def test_an_allowed_host_is_a_leg(forward, upstream):
    upstream.stream(DONE)
    allow = (f"client=127.0.0.1:{upstream.port}",)
    with forward(legs=(), allow=allow) as recorder, Client(recorder.addresses["forward"]) as client:
        client.send(through(recorder, upstream.url + "/a2a", rpc(), upstream.url[7:])).until(b"0\r\n\r\n")
    assert [one["leg"] for one in read_run(recorder.run_dir)["exchanges"]] == ["client"]


def test_it_is_no_open_proxy(forward, upstream):
    with Upstream() as other:
        with forward() as recorder:
            with Client(recorder.addresses["forward"]) as client:
                seen = client.send(through(recorder, other.url + "/a2a", rpc(), "x")).until(b"allowed here")
            assert seen.startswith(b"HTTP/1.1 403 ")
            with Client(recorder.addresses["forward"]) as client:
                client.send(f"CONNECT 127.0.0.1:{other.port} HTTP/1.1\r\n\r\n".encode())
                assert client.until(b"\r\n\r\n").startswith(b"HTTP/1.1 403 ")
            with Client(recorder.addresses["forward"]) as client:
                # the Host header is no way around
                client.send(through(recorder, other.url + "/a2a", rpc(), upstream.url[7:]))
                assert client.until(b"\r\n\r\n").startswith(b"HTTP/1.1 403 ")
        assert other.requests == []
    assert any(f"127.0.0.1:{other.port}" in one for one in recorder.summary.warnings)
    assert recorder.summary.exchanges == 0


def test_plain_http_in_a_tunnel_is_recorded(forward, upstream):
    upstream.stream(DONE)
    with forward() as recorder, Client(recorder.addresses["forward"]) as client:
        client.send(f"CONNECT 127.0.0.1:{upstream.port} HTTP/1.1\r\n\r\n".encode()).until(b"\r\n\r\n")
        client.send(through(recorder, "/a2a", rpc(), "elsewhere.example")).until(b"0\r\n\r\n")
    (round,) = check([recorder.run_dir]).rounds
    assert round.outcome == "COMPLETED"


def test_tls_that_can_not_be_opened_is_tunnelled_and_told(forward, upstream):
    hello = b"\x16\x03\x01\x00\x05hello"
    upstream.answer = None

    def echo(connection):
        connection.sendall(connection.recv(100).upper())
        return connection

    with Upstream(wrap=echo) as secret:
        legs = (Leg("client", secret.url, None),)
        with forward(legs=legs) as recorder, Client(recorder.addresses["forward"]) as client:
            client.send(f"CONNECT 127.0.0.1:{secret.port} HTTP/1.1\r\n\r\n".encode()).until(b"\r\n\r\n")
            client.send(hello).until(hello.upper())
    run = read_run(recorder.run_dir)
    assert run["tunnelled"] == {f"127.0.0.1:{secret.port}": 1}
    assert any("IS NOT RECORDED" in one for one in recorder.summary.warnings)


@pytest.mark.parametrize(
    ("allow", "host", "port", "leg"),
    [
        (("h",), "h", 80, "h"),
        (("h:81",), "h", 80, None),
        (("h:81",), "H.", 81, "h"),
        (("n=h",), "h", 1, "n"),
        (("[::1]:5",), "::1", 5, "::1"),
        (("h",), "evil.h", 80, None),
    ],
)
def test_what_is_allowed(allow, host, port, leg):
    assert Allowed((), allow).leg(host, port) == leg


@pytest.mark.parametrize("text", ["", "h:x", "http://h", "n="])
def test_what_is_no_host(text):
    with pytest.raises(UsageError):
        Allowed((), (text,))


def test_a_legs_listener_is_no_proxy_either(record, upstream):
    """A whole URL goes to the leg's own upstream, a CONNECT nowhere."""
    with Upstream() as other:
        with record() as recorder:
            with Client(recorder.addresses["client"]) as client:
                client.send(through(recorder, other.url + "/a2a", rpc(), other.url[7:])).until(b"ok")
            with Client(recorder.addresses["client"]) as client:
                client.send(f"CONNECT 127.0.0.1:{other.port} HTTP/1.1\r\n\r\n".encode())
                assert client.rest().startswith(b"HTTP/1.1 400 ")
        assert other.requests == []
    assert len(upstream.requests) == 1
