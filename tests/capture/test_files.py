"""Bytes off the disk: plain, gzip, zstd; whatever is wrong with them is told with its place."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.capture import files
from harness.capture.files import Body, is_plain
from harness.model.capture import Capture
from harness.model.frame import Span

TEXT = b"data: 0123456789\n\n" * 5000


def capture(path: Path, start: int = 0, end: int | None = None) -> Capture:
    return Capture(source="x.sse", path=str(path), framing="sse", start=start, end=end)


def body(
    path: Path, start: int = 0, end: int | None = None, size: int = 1 << 20, **options: int
) -> tuple[bytes, list[str]]:
    read = Body(capture(path, start, end), **options)
    return b"".join(read.chunks(size)), [entry.reason for entry in read.unread]


def packed(kind: str, text: bytes) -> bytes:
    if kind == "gzip":
        return gzip.compress(text)
    return zstandard.compress(text) if kind == "zstd" else text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.sse"


@pytest.mark.parametrize("kind", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("size", [7, 1 << 20])
@pytest.mark.parametrize(
    ("start", "end"),
    [(0, None), (5, None), (5, 70_000), (0, 10), (3, 3), (89_999, 90_000), (90_001, None), (0, 99_999)],
)
def test_slices_of_the_decompressed_file(
    path: Path, kind: str, size: int, start: int, end: int | None
) -> None:
    path.write_bytes(packed(kind, TEXT))
    assert body(path, start, end, size) == (TEXT[start:end], [])


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_several_archives_behind_one_another(path: Path, kind: str) -> None:
    path.write_bytes(packed(kind, b"a") + packed(kind, b"") + packed(kind, TEXT))
    assert body(path) == (b"a" + TEXT, [])


def test_a_skippable_zstd_frame_holds_nothing(path: Path) -> None:
    skippable = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"skip"
    path.write_bytes(packed("zstd", b"a") + skippable + packed("zstd", b"b"))
    assert body(path) == (b"ab", [])
    path.write_bytes(skippable + packed("zstd", b"b"))
    assert body(path) == (b"b", [])


def test_zeros_behind_a_gzip_are_padding(path: Path) -> None:
    path.write_bytes(packed("gzip", b"a") + b"\0" * 600)
    assert body(path) == (b"a", [])


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
@pytest.mark.parametrize("cut", [5, 9, 30, -1, -5])
def test_a_truncated_archive_is_read_as_far_as_it_goes(path: Path, kind: str, cut: int) -> None:
    path.write_bytes(packed(kind, b"kept") + packed(kind, os.urandom(5000))[:cut])
    text, reasons = body(path)
    assert text.startswith(b"kept")
    assert len(reasons) == 1
    assert f"the {kind} archive" in reasons[0]


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_damaged_archive_is_read_up_to_the_damage(path: Path, kind: str) -> None:
    good = packed(kind, TEXT)
    path.write_bytes(good + b"junk, which no archive begins with")
    read = Body(capture(path))
    assert b"".join(read.chunks()) == TEXT
    assert [(entry.source, entry.span) for entry in read.unread] == [("x.sse", Span(len(TEXT), len(TEXT)))]
    assert "damaged" in read.unread[0].reason


def test_a_bad_checksum_is_told(path: Path) -> None:
    good = bytearray(packed("gzip", TEXT))
    good[-6] ^= 1
    path.write_bytes(good)
    text, reasons = body(path)
    assert text == TEXT[: len(text)]
    assert "damaged" in reasons[0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([b"\x1f\x8b", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd\x04"]),
    st.binary(max_size=200),
)
def test_any_archive_does_no_harm(path: Path, magic: bytes, rest: bytes) -> None:
    path.write_bytes(magic + rest)
    body(path)


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_bomb_is_stopped(path: Path, kind: str) -> None:
    """Two hundred MB of zeros in a few hundred KB: memory stays small, and the stop is told."""
    if kind == "gzip":
        unit = gzip.compress(b"\0" * (50 << 20))
    else:
        unit = zstandard.compress(b"\0" * (50 << 20))
    path.write_bytes(unit * 4)
    read = Body(capture(path), expansion=60 << 20)
    tracemalloc.start()
    size = sum(map(len, read.chunks()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size == 60 << 20
    assert [entry.span for entry in read.unread] == [Span(60 << 20, 60 << 20)]
    assert "expands to more than" in read.unread[0].reason
    assert peak < 80 << 20


def test_by_default_a_hundredfold_is_enough(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "EXPANSION_FLOOR", 1000)
    path.write_bytes(gzip.compress(b"\0" * 100_000))
    size = path.stat().st_size
    text, reasons = body(path)
    assert len(text) == 100 * size < 100_000
    assert len(reasons) == 1


def test_a_file_that_grows_is_judged_as_it_was_opened(path: Path) -> None:
    path.write_bytes(b"a" * 100)
    read = Body(capture(path))
    chunks: Iterator[bytes] = read.chunks(10)
    got = next(chunks)
    with path.open("ab") as file:
        file.write(b"b" * 50)
    got += b"".join(chunks)
    assert got == b"a" * 100
    assert [entry.span for entry in read.unread] == [Span(100, 150)]
    assert "grew from 100 to 150 bytes" in read.unread[0].reason


def test_a_file_that_shrinks_is_told(path: Path) -> None:
    path.write_bytes(b"a" * 100)
    read = Body(capture(path))
    chunks = read.chunks(10)
    next(chunks)
    path.write_bytes(b"a" * 15)
    assert len(b"".join(chunks)) == 5
    assert "shrank to 15 bytes" in read.unread[0].reason


def test_an_absent_body_is_empty(path: Path) -> None:
    assert body(path, 0, 0) == (b"", [])
    assert not is_plain(capture(path, 0, 0))


def test_a_file_that_went_is_told(path: Path) -> None:
    text, reasons = body(path)
    assert text == b""
    assert "no such file" in reasons[0]


def test_no_pipe_is_ever_opened(path: Path) -> None:
    os.mkfifo(path)
    text, reasons = body(path)
    assert text == b""
    assert "never opened" in reasons[0]


def test_reading_that_fails_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"a" * 100)
    read = Body(capture(path))
    chunks = read.chunks(10)
    next(chunks)

    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", fail)
    assert list(chunks) == []
    assert "Input/output error" in read.unread[0].reason


@pytest.mark.parametrize("kind", ["plain", "gzip", "zstd"])
def test_is_plain(path: Path, kind: str) -> None:
    path.write_bytes(packed(kind, TEXT))
    assert is_plain(capture(path)) == (kind == "plain")
