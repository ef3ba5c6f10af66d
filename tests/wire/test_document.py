"""A whole body as one frame."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.frame import Frame, Rest, Span
from harness.wire.document import Decoder
from tests.wire.streams import cuts, run, tiles


@pytest.mark.parametrize("body", [b'{"a":1}', b'{\n  "a": 1\n}\n', b"\r\n[1]", b"no json", b"\xff"])
def test_the_body_is_the_frame(body: bytes) -> None:
    frames, rest = run(Decoder(5), [body[:2], body[2:]])
    text = body.decode("utf-8", "replace")
    assert frames == [Frame(1, Span(5, 5 + len(body)), text, replaced=text == "\ufffd")]
    assert rest == Rest(Span(5 + len(body), 5 + len(body)))


@pytest.mark.parametrize("body", [b"", b" \r\n\t"])
def test_a_blank_body_has_no_frame(body: bytes) -> None:
    assert run(Decoder(), [body]) == ([], Rest(Span(0, len(body))))


def test_a_bom_is_dropped_and_told() -> None:
    decoder = Decoder()
    frames, _ = run(decoder, [b"\xef\xbb\xbf{}"])
    assert (frames[0].data, decoder.manner.bom) == ("{}", True)


def test_an_oversize_body_is_cut() -> None:
    frames, _ = run(Decoder(max_line=300), [b"x" * 301])
    assert [(frame.flaw, frame.data, frame.span) for frame in frames] == [
        ("oversize", "x" * 200, Span(0, 301))
    ]


@given(st.binary(max_size=100), st.integers(1, 30), st.data())
def test_any_bytes_do_no_harm(body: bytes, limit: int, data: st.DataObject) -> None:
    frames, rest = run(Decoder(max_line=limit), data.draw(cuts(body)))
    assert tiles(frames, rest, 0, len(body))
    assert (frames, rest) == run(Decoder(max_line=limit), [body])
