"""Requests out of bytes, in any pieces; what no server should guess at is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.request import MAX_BODY, MAX_HEAD, Parser, Refused, Request

POST = b"POST /a?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = (
    b"POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3;ext=1\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: x\r\n\r\n"
)


def parsed(*pieces: bytes) -> list[Request]:
    parser, found = Parser(), []
    for piece in pieces:
        parser.feed(piece)
        while (request := parser.next()) is not None:
            found.append(request)
    return found


@pytest.mark.parametrize("raw", [POST, CHUNKED])
def test_a_request_in_one_piece_and_byte_by_byte(raw: bytes) -> None:
    whole = parsed(raw)
    assert [one.body for one in whole] == [b"hello"]
    assert parsed(*(raw[at : at + 1] for at in range(len(raw)))) == whole


def test_the_parts_of_a_request() -> None:
    (one,) = parsed(POST)
    assert (one.method, one.target, one.path) == ("POST", "/a?x=1", "/a")
    assert one.headers == (("host", "h"), ("content-length", "5"))
    assert one.header("host") == "h" and one.header("nope") is None


def test_requests_behind_one_another() -> None:
    assert [one.body for one in parsed(POST + CHUNKED + b"\r\n" + POST)] == [b"hello"] * 3


@pytest.mark.parametrize(
    ("first", "path"),
    [
        (b"GET http://h:1/x?y HTTP/1.1", "/x"),
        (b"GET http://h HTTP/1.1", "/"),
        (b"OPTIONS * HTTP/1.1", "*"),
        (b"GET /x#frag HTTP/1.1", "/x"),
    ],
)
def test_forms_of_the_target(first: bytes, path: str) -> None:
    (one,) = parsed(first + b"\r\nHost: h\r\n\r\n")
    assert one.path == path


@pytest.mark.parametrize(
    ("raw", "keeps"),
    [
        (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", True),
        (b"GET / HTTP/1.1\r\nHost: h\r\nConnection: foo, Close\r\n\r\n", False),
        (b"GET / HTTP/1.0\r\n\r\n", False),
        (b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", True),
    ],
)
def test_whether_the_connection_is_kept(raw: bytes, keeps: bool) -> None:
    assert [one.keeps for one in parsed(raw)] == [keeps]


HEAD = b"POST / HTTP/1.1\r\nHost: h\r\n"


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\n\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET relative HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        (HEAD + b"Bad Name: x\r\n\r\n", 400),
        (HEAD + b"A: b\r\n folded\r\n\r\n", 400),
        (HEAD + b"A: \x01\r\n\r\n", 400),
        (HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (HEAD + b"Content-Length: -1\r\n\r\n", 400),
        (HEAD + b"Content-Length: 1e3\r\n\r\n", 400),
        (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1), 413),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % (MAX_BODY + 1), 413),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, 400),
        (b"GET /" + b"a" * MAX_HEAD + b" HTTP/1.1", 431),
        (HEAD + b"A: b\r\n" * 20_000, 431),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"A: b\r\n" * 20_000, 431),
    ],
)
def test_what_is_refused(raw: bytes, status: int) -> None:
    with pytest.raises(Refused) as refusal:
        parsed(raw)
    assert refusal.value.status == status


def test_a_client_that_waits_is_told_once() -> None:
    parser = Parser()
    parser.feed(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
    assert parser.next() is None and parser.begun
    assert parser.expects() and not parser.expects()
    parser.feed(b"x")
    assert parser.next() is not None and not parser.begun


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_any_bytes_give_requests_or_a_refusal(pieces: list[bytes]) -> None:
    with suppress(Refused):
        parsed(*pieces)
