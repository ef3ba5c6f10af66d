"""JSON lines: one frame a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.frame import Span
from harness.wire.jsonl import Decoder
from tests.wire.streams import cuts, run, tiles

CASES = [
    ("lines", b'{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']),
    ("crlf", b'{"a":1}\r\n{"b":2}\r\n', ['{"a":1}', '{"b":2}']),
    ("the last line needs no end", b"1\n2", ["1", "2"]),
    ("blank lines are no frames", b"\n1\n \t\r\n\n2\n\n", ["1", "2"]),
    ("a BOM is dropped", b"\xef\xbb\xbf1\n", ["1"]),
    ("also where the first line is blank", b"\xef\xbb\xbf\n1\n", ["1"]),
    ("but only at the start", b"\n\xef\xbb\xbf1\n", ["\ufeff1"]),
    ("a lone CR is white space", b"[1,\r2]\n", ["[1,\r2]"]),
    ("no other line ends", "1\u2028\u0085\x0b2\n".encode(), ["1\u2028\u0085\x0b2"]),
    ("invalid UTF-8", b"\xff\n", ["\ufffd"]),
    ("nothing", b"", []),
    ("nothing but blanks", b"\n\r\n  ", []),
]


@pytest.mark.parametrize(("body", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_frames(body: bytes, wanted: list[str]) -> None:
    for chunks in ([body], [body[at : at + 1] for at in range(len(body))]):
        frames, rest = run(Decoder(), chunks)
        assert [frame.data for frame in frames] == wanted
        assert tiles(frames, rest, 0, len(body))


def test_blank_lines_belong_to_the_next_frame() -> None:
    frames, rest = run(Decoder(10), [b"1\n\n\n2\n\n"])
    assert [frame.span for frame in frames] == [Span(10, 12), Span(12, 16)]
    assert rest.span == Span(16, 17)


def test_manner() -> None:
    decoder = Decoder()
    run(decoder, [b"\xef\xbb\xbf1\r\n2\n"])
    assert decoder.manner == (True, {"lf", "crlf"})


def test_an_oversize_line_is_cut_and_reading_goes_on() -> None:
    body = b"x" * 500 + b"\n" + b"y" * 10 + b"\n"
    for chunks in ([body], [body[at : at + 7] for at in range(0, len(body), 7)]):
        frames, _ = run(Decoder(max_line=10), chunks)
        assert [(frame.flaw, frame.data) for frame in frames] == [("oversize", "x" * 200), (None, "y" * 10)]


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\ufeff"), max_size=20)),
    st.data(),
)
def test_any_cut(lines: list[str], data: st.DataObject) -> None:
    body = "".join(line + "\n" for line in lines).encode()
    frames, rest = run(Decoder(), data.draw(cuts(body)))
    assert [frame.data for frame in frames] == [line for line in lines if line.strip(" \t")]
    assert tiles(frames, rest, 0, len(body))


@given(st.binary(max_size=200), st.integers(1, 30), st.data())
def test_any_bytes_do_no_harm(body: bytes, limit: int, data: st.DataObject) -> None:
    frames, rest = run(Decoder(max_line=limit), data.draw(cuts(body)))
    assert tiles(frames, rest, 0, len(body))
    assert (frames, rest) == run(Decoder(max_line=limit), [body])
