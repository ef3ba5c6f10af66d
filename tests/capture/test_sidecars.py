"""Heads, notes, `.rc` and `.request.json`."""

from __future__ import annotations

import pytest

from harness.capture.sidecars import (
    Ended,
    Noted,
    content_type,
    exit_status,
    http_head,
    leading_heads,
    notes,
    request_body,
)
from harness.model.capture import Head, Request

SSE = (("content-type", "text/event-stream"),)
HEAD11 = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

RC = [
    (b"curl_rc=0\n", "clean"),
    (b"curl_rc=18", "upstream_cut"),
    (b"curl_rc=52\r\n", "upstream_cut"),
    (b"curl_rc=55", "upstream_cut"),
    (b"curl_rc=56", "upstream_cut"),
    (b"curl_rc=92", "upstream_cut"),
    (b"curl_rc=28", "client_left"),
    (b"curl_rc=7", "refused"),
    (b"curl_rc=3", "unknown"),
]


@pytest.mark.parametrize(("raw", "ending"), RC)
def test_curl_s_exit_status_tells_the_ending(raw: bytes, ending: str) -> None:
    found = exit_status(raw)
    assert found is not None
    assert found.ending == ending
    assert (found.text == "curl_rc=0") == (ending == "clean")


@pytest.mark.parametrize("raw", [b"", b"0", b"curl_rc=", b"curl_rc=x", b"\xff\xfe", b"curl_rc=0 and more"])
def test_other_text_is_no_exit_status(raw: bytes) -> None:
    assert exit_status(raw) is None


def test_the_text_of_an_ending_is_for_people() -> None:
    assert exit_status(b"curl_rc=18\n") == Ended(
        "upstream_cut", "curl_rc=18: transfer closed with bytes outstanding"
    )


HEADS = [
    ("http/1.1", HEAD11, Head(200, SSE)),
    ("http/2", b"HTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n", Head(200, SSE)),
    ("no reason", b"HTTP/1.1 503 \r\n\r\n", Head(503)),
    ("bare lf", b"HTTP/1.1 200 OK\nContent-Type:text/event-stream\n\n", Head(200, SSE)),
    ("no status line", b"content-type: text/event-stream\nx: 1", Head(None, (*SSE, ("x", "1")))),
    (
        "the last head counts",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nlocation: /\r\n\r\n" + HEAD11,
        Head(200, SSE),
    ),
    ("a trailer behind the head", HEAD11 + b"Grpc-Status: 0\r\n", Head(200, (*SSE, ("grpc-status", "0")))),
    ("a folded header", b"HTTP/1.1 200 OK\r\nx: a\r\n b\r\n\r\n", Head(200, (("x", "a b"),))),
    ("bytes that are no text", b"HTTP/1.1 200 OK\r\nx: \xff\r\n\r\n", Head(200, (("x", "\xff"),))),
    ("lines that are no headers", b"HTTP/1.1 200 OK\r\n???\r\n: a\r\n\r\n", Head(200)),
    ("nothing", b"", None),
    ("noise", b"hello world\n", None),
]


@pytest.mark.parametrize(("raw", "head"), [case[1:] for case in HEADS], ids=[case[0] for case in HEADS])
def test_heads(raw: bytes, head: Head | None) -> None:
    assert http_head(raw) == head


LEADING = [
    ("one head", HEAD11, Head(200, SSE)),
    ("interim heads", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + HEAD11, Head(200, SSE)),
    ("a redirect", b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\n\r\n" + HEAD11, Head(200, SSE)),
    ("a proxy's CONNECT", b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n", Head(200, SSE)),
    ("bare lf", b"HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\n", Head(200, SSE)),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "head"), [case[1:] for case in LEADING], ids=[case[0] for case in LEADING])
def test_heads_before_a_body(raw: bytes, head: Head) -> None:
    assert leading_heads(raw + b"data: HTTP/1.1 200 OK\r\n\r\n") == Noted(None, head, len(raw))


def test_a_head_without_an_end_takes_all() -> None:
    assert leading_heads(b"HTTP/1.1 200 OK\r\nx: 1") == Noted(None, Head(200, (("x", "1"),)), 21)


@pytest.mark.parametrize("raw", [b"", b"data: x\n\n", b"HTTP/nonsense\r\n\r\n"])
def test_no_head(raw: bytes) -> None:
    assert leading_heads(raw) is None


NOTES = [
    (
        "as recorded",
        b'# POST /a2a/\n# {"jsonrpc": "2.0", "id": 1}\n# status=200 ct=text/event-stream; charset=utf-8\n',
        Request("POST", "/a2a/", (), '{"jsonrpc": "2.0", "id": 1}'),
        Head(200, (("content-type", "text/event-stream; charset=utf-8"),)),
    ),
    ("status alone", b"# status=503\n", None, Head(503)),
    ("a status line", b"# HTTP/1.1 404 Not Found\r\n", None, Head(404)),
    ("headers", b"#GET /tasks/1:subscribe\n#A2A-Version: 1.0\n#status: 200\n#Content-Type: text/event-stream\n", Request("GET", "/tasks/1:subscribe", (("a2a-version", "1.0"),)), Head(200, SSE)),
    ("free text", b"# recorded by hand\n#\n", None, None),
    ("no line end", b"# POST /x", Request("POST", "/x"), None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "request_", "head"), [case[1:] for case in NOTES], ids=[case[0] for case in NOTES]
)
def test_notes(raw: bytes, request_: Request | None, head: Head | None) -> None:
    body = b"" if not raw.endswith(b"\n") else b"data: x\n# no note any more\n\n"
    assert notes(raw + body) == Noted(request_, head, len(raw))


def test_no_notes() -> None:
    assert notes(b"data: x\n\n") is None


REQUESTS = [
    (
        b'{"jsonrpc":"2.0","id":1,"method":"GetTask"}\n',
        Request(body='{"jsonrpc":"2.0","id":1,"method":"GetTask"}'),
    ),
    (b"{bad", Request(body="{bad")),
    (b"\xef\xbb\xbf{}", Request(body="{}")),
    (b"\xff", Request(body="\ufffd")),
    (b"", Request(body="")),
    (
        b'{"method":"POST","target":"/message:stream","headers":{"A2A-Version":"1.0"},"body":{"message":{}}}',
        Request("POST", "/message:stream", (("a2a-version", "1.0"),), '{"message": {}}'),
    ),
    (b'{"method":"GET","url":"/tasks/1:subscribe","body":null}', Request("GET", "/tasks/1:subscribe")),
]


@pytest.mark.parametrize(("raw", "request_"), REQUESTS)
def test_requests(raw: bytes, request_: Request) -> None:
    assert request_body(raw) == request_


def test_media_types() -> None:
    assert (
        content_type(Head(200, (("content-type", "Text/Event-Stream; charset=utf-8"),)))
        == "text/event-stream"
    )
    assert content_type(Head(200)) is None
    assert content_type(None) is None
