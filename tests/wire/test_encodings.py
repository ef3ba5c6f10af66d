"""Content codings are undone as the bytes come, whatever the cuts; faults are told, never raised."""

from __future__ import annotations

import gzip
import sys
import zlib
from itertools import pairwise

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from harness.wire.encodings import PIECE, decoder

EVENTS = [b'data: {"index":%d,"text":"%s"}\n\n' % (index, b"price " * 9) for index in range(300)]
BODY = b"".join(EVENTS)


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


CODED = {
    "gzip": ("gzip", gzip.compress(BODY)),
    "x-gzip": ("x-gzip", gzip.compress(BODY)),
    "gzip, two members, padded": ("gzip", gzip.compress(BODY[:999]) + gzip.compress(BODY[999:]) + b"\0" * 8),
    "deflate": ("deflate", zlib.compress(BODY)),
    "deflate, bare": ("deflate", bare_deflate(BODY)),
    "br": ("br", brotli.compress(BODY)),
    "zstd": ("zstd", zstandard.compress(BODY)),
    "zstd, two frames": ("zstd", zstandard.compress(BODY[:999]) + zstandard.compress(BODY[999:])),
    "a stack": ("gzip, br", brotli.compress(gzip.compress(BODY))),
    "capitals": ("GZIP", gzip.compress(BODY)),
    "identity": ("identity", BODY),
    "nothing": ("", BODY),
    "no header": (None, BODY),
}


def decoded(name: str | None, pieces: list[bytes]) -> tuple[bytes, str | None]:
    one = decoder(name)
    out = b"".join([one.feed(piece) for piece in pieces]) + one.finish()
    return out, one.flaw


@pytest.mark.parametrize("what", CODED)
@pytest.mark.parametrize("size", [1, 7, 1000, sys.maxsize])
def test_any_cut_gives_the_same_bytes(what, size):
    name, raw = CODED[what]
    assert decoded(name, [raw[at : at + size] for at in range(0, len(raw), size)]) == (BODY, None)


@given(st.sampled_from(sorted(CODED)), st.lists(st.integers(0, 20_000), max_size=8))
def test_random_cuts_give_the_same_bytes(what, cuts):
    name, raw = CODED[what]
    places = sorted({0, len(raw), *(cut % len(raw) for cut in cuts)})
    pieces = [raw[start:end] for start, end in pairwise(places)]
    assert decoded(name, pieces) == (BODY, None)


class Gzip:
    """A server that flushes each event."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(wbits=31)

    def event(self, data: bytes) -> bytes:
        return self._packer.compress(data) + self._packer.flush(zlib.Z_SYNC_FLUSH)


class Brotli:
    def __init__(self) -> None:
        self._packer = brotli.Compressor()

    def event(self, data: bytes) -> bytes:
        return self._packer.process(data) + self._packer.flush()


class Zstd:
    def __init__(self) -> None:
        self._packer = zstandard.ZstdCompressor().compressobj()

    def event(self, data: bytes) -> bytes:
        return self._packer.compress(data) + self._packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


@pytest.mark.parametrize(("name", "server"), [("gzip", Gzip), ("br", Brotli), ("zstd", Zstd)])
def test_a_flushed_event_comes_out_at_once(name, server):
    packer, one = server(), decoder(name)
    for event in EVENTS:
        assert one.feed(packer.event(event)) == event
    assert one.flaw is None


CUT = [what for what, (name, _) in CODED.items() if name not in (None, "", "identity")]


@pytest.mark.parametrize("what", CUT)
def test_a_body_that_is_cut_is_told(what):
    name, raw = CODED[what]
    out, flaw = decoded(name, [raw[: len(raw) // 2]])
    assert BODY.startswith(out)
    assert flaw is not None
    assert "cut off" in flaw


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "br, gzip"])
def test_bytes_that_are_no_coding_are_told(name):
    out, flaw = decoded(name, [b"data: {}\n\n", b"data: {}\n\n"])
    assert out == b""
    assert flaw is not None
    assert "damaged" in flaw


def test_what_came_before_the_damage_stays():
    raw = bytearray(CODED["gzip"][1])
    raw[-8] ^= 0xFF  # of the checksum
    out, flaw = decoded("gzip", [bytes(raw[:-8]), bytes(raw[-8:])])
    assert out == BODY
    assert flaw is not None
    assert "damaged" in flaw


def test_after_a_flaw_nothing_more_comes():
    one = decoder("gzip")
    assert one.feed(b"plain") == b""
    assert one.feed(CODED["gzip"][1]) == b""


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "gzip, br"])
def test_an_empty_body_is_no_flaw(name):
    assert decoded(name, []) == (b"", None)


def test_a_coding_that_is_not_known_leaves_the_bytes_and_is_told():
    out, flaw = decoded("gzip, sdch", [b"abc", b"def"])
    assert out == b"abcdef"
    assert flaw == "the content coding 'sdch' is not known: bytes are as they came"


@pytest.mark.parametrize(
    ("name", "pack"), [("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstandard.compress)]
)
def test_a_bomb_comes_in_small_pieces(name, pack):
    bomb = pack(b"\0" * (64 << 20))
    one = decoder(name)
    sizes = [len(piece) for piece in one.pieces(bomb)]
    assert sum(sizes) == 64 << 20
    assert max(sizes) <= {"gzip": 1, "br": 2, "zstd": 128}[name] * PIECE


@given(st.sampled_from(["gzip", "deflate", "br", "zstd", "br, gzip"]), st.lists(st.binary(), max_size=5))
def test_nothing_raises(name, pieces):
    decoded(name, pieces)
