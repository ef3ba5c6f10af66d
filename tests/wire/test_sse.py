"""SSE by WHATWG HTML 9.2.5 and 9.2.6; cases of the facts page `a2a.md` section 3."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.model.frame import Frame, Rest, Span
from harness.wire.sse import Decoder
from tests.wire.streams import Stream, Wanted, cuts, run, sse, tiles


def frames_of(body: bytes) -> list[Frame]:
    return run(Decoder(), [body])[0]


def every_cut(body: bytes) -> list[list[bytes]]:
    """Whole, byte by byte, and cut in two at each place."""
    halves = [[body[:at], body[at:]] for at in range(1, len(body))]
    return [[body], [body[at : at + 1] for at in range(len(body))], *halves]


DATA = [
    ("lf", b"data: a\n\n", ["a"]),
    ("crlf", b"data: a\r\n\r\n", ["a"]),
    ("lone cr", b"data: a\r\rdata: b\r\r", ["a", "b"]),
    ("mixed line ends", b"data: a\r\n\ndata: b\r\n\rdata: c\n\r\n", ["a", "b", "c"]),
    ("crlf is one end, not two", b"data: a\r\ndata: b\r\n\r\n", ["a\nb"]),
    ("exactly one space is removed", b"data:  x\n\n", [" x"]),
    ("no space", b"data:x\n\n", ["x"]),
    ("a tab is no space", b"data:\tx\n\n", ["\tx"]),
    ("only the first colon divides", b'data:{"a":1}\n\n', ['{"a":1}']),
    ("data lines are joined", b"data: a\ndata: b\n\n", ["a\nb"]),
    ("one trailing newline is removed", b"data: a\ndata:\n\n", ["a\n"]),
    ("no colon: a field with an empty value", b"data\n\n", [""]),
    ("two of them", b"data\ndata\n\n", ["\n"]),
    ("an empty value is data", b"data:\n\n", [""]),
    ("no data dispatches nothing", b"event: x\n\n", []),
    ("blank lines dispatch nothing", b"\n\n\n\n\n", []),
    ("three blank lines between", b"data:a\n\n\n\ndata:b\n\n", ["a", "b"]),
    ("two blank lines between", b"data:a\n\n\ndata:b\n\n", ["a", "b"]),
    ("an unterminated event is discarded", b"data: a\n\ndata: b\n", ["a"]),
    ("so is one without any line end", b"data: a\n\ndata: b", ["a"]),
    ("names are case-sensitive", b"Data: a\nDATA: b\n\n", []),
    ("a leading space makes a name unknown", b" data: a\n\n", []),
    ("a longer name is unknown", b"data2: a\n\n", []),
    ("a BOM at the start is dropped", b"\xef\xbb\xbfdata: a\n\n", ["a"]),
    ("only one", b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", []),
    ("and only at the start", b"data: a\n\n\xef\xbb\xbfdata: b\n\n", ["a"]),
    ("a BOM inside data stays", b"data: \xef\xbb\xbf\n\n", ["\ufeff"]),
    ("a part of a BOM is no BOM", b"\xef\xbbdata: a\n\ndata: b\n\n", ["b"]),
    ("only CR and LF end lines", "data: a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\n\n".encode(), ["a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"]),
    ("NUL is data", b"data: a\0b\n\n", ["a\0b"]),
    ("invalid UTF-8 is replaced", b"data: a\xffb\n\n", ["a\ufffdb"]),
    ("a truncated character is replaced once", b"data: \xe4\xbd\n\n", ["\ufffd"]),
    ("a coded surrogate is three replacements", b"data: \xed\xa0\x80\n\n", ["\ufffd" * 3]),
    ("a line end ends a broken character", b"data: \xe4\n\ndata: b\n\n", ["\ufffd", "b"]),
    ("[DONE] is data like any other", b"data: [DONE]\n\n", ["[DONE]"]),
    ("a last lone CR is a blank line", b"data: a\n\r", ["a"]),
    ("nothing", b"", []),
    ("only comments", b": ping\r\n\r\n: ping\r\n\r\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "wanted"), [case[1:] for case in DATA], ids=[case[0] for case in DATA])
def test_data(body: bytes, wanted: list[str]) -> None:
    for chunks in every_cut(body):
        frames, rest = run(Decoder(), chunks)
        assert [frame.data for frame in frames] == wanted
        assert tiles(frames, rest, 0, len(body))


def test_the_name_is_reset_after_every_blank_line() -> None:
    """Also where nothing was dispatched (the JS SDK 1.3.0 keeps it)."""
    names = [
        f.name
        for f in frames_of(
            b"event: a\n\ndata: 1\n\nevent: b\nevent: c\ndata: 2\n\ndata: 3\n\nevent:d\nevent\ndata:4\n\n"
        )
    ]
    assert names == ["", "c", "", ""]


def test_one_name_line_is_not_taken_for_another() -> None:
    body = b"event:a\nevent:b\ndata:1\n\nevent:a\ndata:2\n\nevent: a\ndata:3\n\nevent:a\ndata:4\n\n"
    assert [f.name for f in frames_of(body)] == ["b", "a", "a", "a"]


def test_the_id_stays_in_force() -> None:
    body = b"data: 0\n\nid: 1\ndata: a\n\ndata: b\n\nid: x\0y\ndata: c\n\nid: 2\n\ndata: d\n\nid\ndata: e\n\n"
    assert [f.last_id for f in frames_of(body)] == [None, "1", "1", "1", "2", ""]


RETRY = [(b"10", 10), (b"007", 7), (b"-1", None), (b"+1", None), (b"1.5", None), (b"", None), ("１".encode(), None), (b"1 ", None), (b"9" * 5000, None)]  # fmt: skip


@pytest.mark.parametrize(("value", "wanted"), RETRY)
def test_retry_is_ascii_digits_only(value: bytes, wanted: int | None) -> None:
    decoder = Decoder()
    frames, _ = run(decoder, [b"retry: " + value + b"\ndata: a\n\n"])
    assert (decoder.retry, frames[0].unknown) == (wanted, ())


def test_comments_and_unknown_lines_are_kept_for_the_next_frame() -> None:
    body = b": ping\n\n:\nfoo: 1\nbar\ndata: a\n\ndata: b\n\n: late\n"
    frames, rest = run(Decoder(), [body])
    assert [(f.comments, f.unknown) for f in frames] == [((" ping", ""), ("foo: 1", "bar")), ((), ())]
    assert (rest.comments, rest.tail, rest.newline) == ((" late",), None, True)


RESTS = [
    ("nothing", b"data: a\n\n", None, True),
    ("blank lines", b"data: a\n\n\n\n\n", None, True),
    ("an event without its blank line", b"data: a\n\ndata: b\ndata: c\n", "b\nc", True),
    ("an event without a line end", b"data: a\n\ndata: b", "b", False),
    ("half a name", b"data: a\n\nda", "", False),
    ("a name without data", b"data: a\n\nevent: jsonrpc\n", "", True),
    ("half a comment", b"data: a\n\n: pi", None, False),
    ("an unknown line", b"data: a\n\n<html>", None, False),
    ("a part of a BOM", b"\xef\xbb", None, False),
    ("a CR ends the line", b"data: b\r", "b", True),
]


@pytest.mark.parametrize(
    ("body", "tail", "newline"), [case[1:] for case in RESTS], ids=[case[0] for case in RESTS]
)
def test_rest(body: bytes, tail: str | None, newline: bool) -> None:
    for chunks in every_cut(body):
        _, rest = run(Decoder(), chunks)
        assert (rest.tail, rest.newline) == (tail, newline)


def test_spans_belong_to_what_a_blank_line_closed() -> None:
    """Comments and blocks without data belong to the frame behind them, the BOM to the first."""
    frames, rest = run(Decoder(100), [b"\xef\xbb\xbfdata:a\n\n:x\n\ndata:b\n\n\n"])
    assert [f.span for f in frames] == [Span(100, 111), Span(111, 123)]
    assert rest == Rest(Span(123, 124), newline=True)


def test_what_was_replaced_is_told_once() -> None:
    body = b"data: \xff\n\ndata: \xef\xbf\xbd\n\nevent: \xff\ndata: a\n\n: \xff\ndata: b\n\n"
    assert [f.replaced for f in frames_of(body)] == [True, False, True, True]


@pytest.mark.parametrize(
    ("body", "bom", "ends"),
    [
        (b"\xef\xbb\xbfdata: a\n\n", True, {"lf"}),
        (b"data: a\r\n\r\n", False, {"crlf"}),
        (b"data: a\r\rdata: b\r\n\n", False, {"cr", "crlf", "lf"}),
        (b"data: a", False, set()),
    ],
)
def test_manner(body: bytes, bom: bool, ends: set[str]) -> None:
    for chunks in every_cut(body):
        decoder = Decoder()
        run(decoder, chunks)
        assert decoder.manner == (bom, ends)


OVERSIZE = [
    ("one line", b"data: " + b"x" * 60 + b"\n\n", "x" * 60),
    ("many lines", b"data: 0123456\n" * 9 + b"\n", None),
    ("cut at 200 characters", b"data: " + "字".encode() * 900 + b"\n\n", "字" * 200),
]


@pytest.mark.parametrize(
    ("body", "wanted"), [case[1:] for case in OVERSIZE], ids=[case[0] for case in OVERSIZE]
)
def test_oversize_data_is_cut_and_decoding_goes_on(body: bytes, wanted: str | None) -> None:
    whole = body + b"data: after\n\n"
    results = []
    for chunks in [[whole], [whole[at : at + 1] for at in range(len(whole))], [whole[:70], whole[70:]]]:
        frames, rest = run(Decoder(max_line=40), chunks)
        assert [f.flaw for f in frames] == ["oversize", None]
        assert frames[1].data == "after"
        assert tiles(frames, rest, 0, len(whole))
        assert wanted is None or frames[0].data == wanted
        results.append((frames, rest))
    assert results[1:] == results[:-1]


def test_a_line_of_just_the_limit_is_whole() -> None:
    body = b"data: 89\n\ndata: 890\n\n"
    assert [f.flaw for f in run(Decoder(max_line=8), [body])[0]] == [None, "oversize"]


def test_an_oversize_line_that_no_frame_shows_is_told_at_the_end() -> None:
    _, rest = run(Decoder(max_line=10), [b":" + b"x" * 20 + b"\n\ndata: a\n\n"])
    assert (rest.flaw, rest.comments) == ("oversize", ())


def test_an_oversize_tail_is_told() -> None:
    _, rest = run(Decoder(max_line=10), [b"data: " + b"x" * 20])
    assert (rest.flaw, rest.tail) == ("oversize", "x" * 20)


def test_frames_passed_by_are_counted() -> None:
    decoder = Decoder()
    decoder.feed(b"data: a\n\n")
    decoder.skip(2, 18)
    assert decoder.feed(b"data: d\n\n") == [Frame(4, Span(27, 36), "d")]


@pytest.mark.parametrize(
    ("fed", "clean"),
    [
        (b"", True),
        (b"data: a\n\n", True),
        (b"data: a\r\n\r\n", True),
        (b"data: a\n\n\n", False),
        (b"data: a\n\n: ping\n\n", False),
        (b"data: a\n\nevent", False),
        (b"data: a\n\nevent: b\n", False),
        (b"data: a\r\n\r", False),
        (b"id: 1\ndata: a\n\n", False),
        (b"\xef\xbb", False),
        (b"\xef\xbb\xbf", False),
        (b"\xef\xbb\xbfdata: a\n\n", True),
    ],
)
def test_when_frames_may_be_passed_by(fed: bytes, clean: bool) -> None:
    decoder = Decoder()
    decoder.feed(fed)
    assert decoder.is_between == clean


@settings(max_examples=300)
@given(st.data(), st.one_of(sse(), sse(one_eol=True)))
def test_any_cut_of_any_stream(data: st.DataObject, stream: Stream) -> None:
    """Promises 1 and 2: what the model says, for every way of cutting."""
    frames, rest = run(Decoder(7), data.draw(cuts(stream.body)))
    assert [Wanted(f.data, f.name, f.last_id, f.comments, f.unknown) for f in frames] == stream.frames
    assert [f.span.end - 7 for f in frames] == stream.ends
    assert (rest.tail, rest.newline) == (stream.tail, stream.newline)
    assert tiles(frames, rest, 7, 7 + len(stream.body))
    assert (frames, rest) == run(Decoder(7), [stream.body])


@given(st.binary(max_size=300), st.integers(1, 60), st.data())
def test_any_bytes_do_no_harm(body: bytes, limit: int, data: st.DataObject) -> None:
    frames, rest = run(Decoder(max_line=limit), data.draw(cuts(body)))
    assert tiles(frames, rest, 0, len(body))
    assert (frames, rest) == run(Decoder(max_line=limit), [body])


SHAPES = [
    ("plain", b"event:jsonrpc\ndata:" + b'{"a":1}' * 50 + b"\n\n"),
    ("crlf", b"data: " + b'{"a":1}' * 50 + b"\r\n\r\n"),
    ("lone cr", b"data: " + b'{"a":1}' * 50 + b"\r\r"),
    ("mixed", b"data: " + b'{"a":1}' * 50 + b"\r\n\n"),
    ("blank lines", b"\n" * 400),
    ("carriage returns", b"\r" * 400),
    ("short lines", b"data\n" * 80),
]


@pytest.mark.parametrize("block", [shape[1] for shape in SHAPES], ids=[shape[0] for shape in SHAPES])
@pytest.mark.usefixtures("no_hang")
def test_cost_is_linear(block: bytes) -> None:
    """Thirty-two MiB in one piece after the other: a second scan of what was seen would never end."""
    chunk = block * ((1 << 20) // len(block))
    decoder = Decoder()
    for _ in range(32):
        decoder.feed(chunk)
    _, rest = decoder.finish()
    assert rest.span.end == 32 * len(chunk)


@pytest.mark.usefixtures("no_hang")
def test_a_line_without_end_costs_no_memory_and_no_second_scan() -> None:
    decoder = Decoder(max_line=1 << 16)
    chunk = b"x" * (1 << 16)
    tracemalloc.start()
    decoder.feed(b"data: ")
    for _ in range(4096):
        decoder.feed(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    frames = decoder.feed(b"\n\ndata: a\n\n")
    assert [f.flaw for f in frames] == ["oversize", None]
    assert frames[0].span == Span(0, 6 + 4096 * len(chunk) + 2)
    assert peak < 1 << 20


@pytest.mark.parametrize("line", [b":\n", b"x\n", b"data\n", b"data:" + b"y" * 1000 + b"\n", b"event:z\n"])
def test_an_event_without_end_costs_no_memory(line: bytes) -> None:
    decoder = Decoder(max_line=1 << 14)
    chunk = line * ((1 << 14) // len(line))
    tracemalloc.start()
    for _ in range(30):
        decoder.feed(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


def test_a_line_that_the_end_cuts_is_not_obeyed() -> None:
    """Found by fuzzing: `retry` without its line end counted."""
    decoder = Decoder()
    run(decoder, [b"retry: 5\nretry: 12"])
    assert decoder.retry == 5
