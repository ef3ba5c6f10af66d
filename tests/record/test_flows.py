"""mitmproxy flow files: what they hold is read, what they do not is told."""

from __future__ import annotations

import gzip
import io

from mitmproxy.connection import Client, Server
from mitmproxy.flow import Error
from mitmproxy.http import Headers, HTTPFlow, Request, Response
from mitmproxy.io import FlowWriter
from mitmproxy.tcp import TCPFlow

from harness.capture.adopt import Foreign
from harness.capture.har_entries import Flawed
from harness.model.capture import Head
from harness.record.flows import exchanges

BODY = "data: ä\n\n".encode()


def flow(
    content: bytes | None = BODY, error: str | None = None, *, answered: bool = True, **more
) -> HTTPFlow:
    client = Client(peername=("127.0.0.1", 1), sockname=("127.0.0.1", 2), timestamp_start=1.0)
    made = HTTPFlow(client, Server(address=("agent", 8191)))
    made.request = Request(
        "agent", 8191, b"POST", b"http", b"", b"/a2a/?v=1", b"HTTP/1.1",
        Headers([(b"Host", b"agent:8191"), (b"A2A-Version", b"1.0")]), b'{"a":1}', None, 1000.25, 1000.5,
    )  # fmt: skip
    if answered:
        fields = [(b"Content-Type", b"text/event-stream"), *more.get("headers", ())]
        made.response = Response(b"HTTP/1.1", 200, b"OK", Headers(fields), content, None, 1001.0, 1002.5)
    made.error = Error(error, 1003.0) if error else None
    return made


def read(*flows, tail: bytes = b"") -> list[Foreign | Flawed]:
    file = io.BytesIO()
    for one in flows:
        FlowWriter(file).add(one)
    return list(exchanges(io.BytesIO(file.getvalue() + tail)))


def test_an_exchange_with_its_times() -> None:
    (found,) = read(flow())
    assert isinstance(found, Foreign)
    assert found.request is not None
    assert found.request[:2] == ("POST", "/a2a/?v=1") and found.request.body == '{"a":1}'
    assert found.request.headers == (("host", "agent:8191"), ("a2a-version", "1.0"))
    assert found.head == Head(200, (("content-type", "text/event-stream"),))
    assert found.body == [(None, BODY)] and found.stream and found.ending == "clean"
    assert found[7:10] == (1000_250_000_000, 1001_000_000_000, 1002_500_000_000)


def test_a_compressed_body_is_decoded() -> None:
    (found,) = read(flow(gzip.compress(BODY), headers=[(b"Content-Encoding", b"gzip")]))
    assert isinstance(found, Foreign) and found.body == [(None, BODY)]


def test_a_body_that_was_streamed_is_told() -> None:
    (found,) = read(flow(None))
    assert isinstance(found, Flawed) and "streamed" in found.reason


def test_errors_tell_the_ending() -> None:
    cut, left, refused = read(
        flow(error="HTTP/1 protocol error: peer closed connection without sending complete message body"),
        flow(error="Client disconnected."),
        flow(error="[Errno 111] Connect call failed ('127.0.0.1', 9)", answered=False),
    )
    assert [one.ending for one in (cut, left, refused) if isinstance(one, Foreign)] == [
        "upstream_cut",
        "client_left",
        "refused",
    ]
    assert isinstance(refused, Foreign) and refused.head is None and refused.ended_ns == 1003_000_000_000


def test_what_is_no_http_and_what_is_no_flow_is_told() -> None:
    client = Client(peername=("127.0.0.1", 1), sockname=("127.0.0.1", 2), timestamp_start=1.0)
    found = read(TCPFlow(client, Server(address=("x", 1))), flow(), tail=b"17:garbage")
    assert [type(one) for one in found] == [Flawed, Foreign, Flawed]
    assert "tcp" in found[0][1] and "read on" in found[2][1]


def test_hostile_bytes_do_not_raise() -> None:
    for raw in (b"", b"0:~", b"3:abc,", b"12:x:1;", b"\x00" * 50, b"999999999999:x", b"5:1:a;}}"):
        assert all(isinstance(one, Flawed) for one in exchanges(io.BytesIO(raw)))
