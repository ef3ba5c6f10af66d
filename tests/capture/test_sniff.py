"""From bytes to framing, by content."""

from __future__ import annotations

import pytest

from harness.capture.sniff import Sniffed, sniff

RPC = b'{"jsonrpc":"2.0","id":1,"result":{"task":{}}}'
CHUNK = b'{"type":"llm_output","index":0,"payload":{"content":"a"}}'
FRAMINGS = [
    ("sse", b"data: {}\n\n", "sse"),
    ("an event name first", b"event:jsonrpc\ndata:{}\n\n", "sse"),
    ("an id first", b"id:1\ndata:{}\n\n", "sse"),
    ("comments only", b": ping\r\n\r\n", "sse"),
    ("a lone name", b"data\n\n", "sse"),
    ("crlf", b"data: {}\r\n\r\n", "sse"),
    ("lone cr", b"data: {}\r\revent: x\rdata: 1\r\r", "sse"),
    ("a BOM first", b"\xef\xbb\xbfdata: {}\n\n", "sse"),
    ("noise first", b"noise\nmore\n\ndata: {}\n\n", "sse"),
    ("blank lines first", b"\n\n\ndata: {}\n\n", "sse"),
    ("one document", RPC, "document"),
    ("one document and a line end", RPC + b"\n", "document"),
    ("a pretty document", b'{\n  "jsonrpc": "2.0",\n  "error": {\n    "code": 1\n  }\n}\n', "document"),
    ("a pretty list", b'[\n  {},\n  {"a": 1}\n]', "document"),
    ("a document behind a BOM", b"\xef\xbb\xbf" + RPC, "document"),
    ("half a document", RPC[:20], "document"),
    ("whole frames", RPC + b"\n" + RPC + b"\n", "jsonl"),
    ("bare results", b'{"task":{"id":"1"}}\n{"statusUpdate":{}}\n', "jsonl"),
    ("bare core chunks", CHUNK + b"\n" + CHUNK, "jsonl"),
    ("blank lines between", RPC + b"\n\n" + RPC, "jsonl"),
    ("crlf lines", RPC + b"\r\n" + RPC + b"\r\n", "jsonl"),
    ("a broken first line", b'{"jsonrpc": oops\n' + RPC + b"\n" + RPC, "jsonl"),
    ("a broken line between", RPC + b"\n{oops\n" + RPC, "jsonl"),
    ("html", b"<html><body>503</body></html>", None),
    ("text", b"hello world\n", None),
    ("zeros", b"\0" * 1000, None),
]


@pytest.mark.parametrize(
    ("raw", "framing"), [case[1:] for case in FRAMINGS], ids=[case[0] for case in FRAMINGS]
)
def test_framing(raw: bytes, framing: str | None) -> None:
    assert sniff(raw, whole=True) == Sniffed(framing)


def test_a_body_that_goes_on() -> None:
    """A first line without an end: JSON lines, which read a lone document as well."""
    assert sniff(b'{"a":"' + b"x" * 70_000, whole=False).framing == "jsonl"
    assert sniff(b'{\n "a":"' + b"x" * 70_000, whole=False).framing == "document"
    assert sniff(RPC + b"\n" + RPC[:10], whole=False).framing == "jsonl"


def test_the_media_type_decides_where_the_bytes_do_not() -> None:
    assert sniff(b"garbage", True, "text/event-stream").framing == "sse"
    assert sniff(b"garbage", True, "application/json").framing == "document"
    assert sniff(b"garbage", True, "application/problem+json").framing == "document"
    assert sniff(RPC, True, "text/event-stream").framing == "document"


TOLD = [
    (
        "requests",
        b'{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{}}\n' * 2,
        "JSON-RPC requests",
    ),
    ("one request", b'{"jsonrpc":"2.0","id":1,"method":"GetTask"}', "JSON-RPC requests"),
    (
        "model requests",
        b'{"t":1.0,"stream":true,"messages":[]}\n{"messages":[],"tools":[]}\n',
        "requests to a model",
    ),
    (
        "completions",
        b'data: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n',
        "an OpenAI chat",
    ),
    ("completions alone", b'data: {"object":"chat.completion.chunk","choices":[]}\n\n' * 6, "an OpenAI chat"),
    (
        "ui stream",
        b'data: {"type":"start"}\n\ndata: {"type":"start-step"}\n\ndata: {"type":"data-x","data":1}\n\n',
        "an AI SDK",
    ),
    ("gateway", b'data:{"event":"message","data":{}}\n\ndata:{"event":"end","data":{}}\n\n', "a Versatile"),
    ("core chunks are ours", b"data:" + CHUNK + b"\n\n", None),
    ("responses are ours", RPC + b"\n" + RPC, None),
    ("mixed records are not certain", b'{"method":"a","id":1}\n' + RPC, None),
    ("no objects", b"[1]\n[2]\n", None),
]


@pytest.mark.parametrize(("raw", "told"), [case[1:] for case in TOLD], ids=[case[0] for case in TOLD])
def test_told(raw: bytes, told: str | None) -> None:
    found = sniff(raw, whole=True).told
    assert (found is None) == (told is None)
    assert told is None or (found or "").startswith(told)


def test_deep_json_is_no_harm() -> None:
    assert sniff(b"[" * 10_000 + b"\n" + b"]" * 10_000, whole=True).framing == "document"
    assert sniff(b"data: " + b"[" * 10_000 + b"\n\n", whole=True).framing == "sse"
