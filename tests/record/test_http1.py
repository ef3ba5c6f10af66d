"""Chunks however they are cut on the wire: the same bytes and borders on the other side and on disk."""

from __future__ import annotations

import socket

import pytest

from harness.record import http1
from tests.record.peers import SSE, ask, body, chunked, journal, post, rpc

STEM = "ctx-1-A2A_STREAM-r1.client"
PIECES = [
    b"data: 1\n\n",
    b"d",
    b"ata: \xe4\xbd",
    b"\xa0\n\n",
    b"data: " + b"x" * 70_000 + b"\n\n",
    b": c\n\n",
]


def dechunked(raw):
    """The chunks of a chunked body, the last one left out."""
    found = []
    while True:
        size, _, raw = raw.partition(b"\r\n")
        if not int(size, 16):
            return found
        found.append(raw[: int(size, 16)])
        raw = raw[int(size, 16) + 2 :]


@pytest.mark.parametrize("step", [1, 3, 1000, 10**6])
@pytest.mark.parametrize("redact", [True, False])
def test_any_cut_gives_the_same(record, upstream, step, redact):
    pieces = PIECES if step > 100 else [piece for piece in PIECES if len(piece) < 100]
    raw = SSE + chunked(*pieces) + b"0\r\n\r\n"

    def answer(connection, head, data):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(raw), step):
            connection.sendall(raw[at : at + step])

    upstream.answer = answer
    with record(redact=redact) as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    came = dechunked(seen.partition(b"\r\n\r\n")[2])
    assert b"".join(came) == b"".join(pieces) == body(recorder.run_dir, STEM)
    lengths = [line["length"] for line in journal(recorder.run_dir, STEM) if line["kind"] == "chunk"]
    assert sum(lengths) == len(b"".join(pieces))


def test_chunks_of_one_read_keep_their_borders(record, upstream):
    pieces = [b"data: %d\n\n" % number for number in range(50)]
    upstream.stream(*pieces)
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    assert dechunked(seen.partition(b"\r\n\r\n")[2]) == pieces
    lines = [line for line in journal(recorder.run_dir, STEM) if line["kind"] == "chunk"]
    assert [line["length"] for line in lines] == [len(piece) for piece in pieces]


def test_pieces_are_bytes():
    both = http1.together([b"a", b"bc"])
    assert both == b"abc"
    assert http1.framed(both) == b"1\r\na\r\n2\r\nbc\r\n"
    assert http1.together([b"a"]) == b"a"
    assert http1.framed(b"a") == b"1\r\na\r\n"


def test_mitmproxy_uses_these_connections():
    """If this fails, another version of mitmproxy finds its connections elsewhere; see `install`."""
    from mitmproxy.proxy.layers import http

    assert http.Http1Client is http1.Client
    assert http.Http1Server is http1.Server
