"""Any bytes at all: found, read and decoded without traceback, hang or unbounded memory."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.capture import Body, find
from harness.model.capture import Capture
from harness.model.frame import Frame, Rest
from harness.wire import decoder

ENDINGS = ["x.sse", "x.body", "x.log", "x.jsonl", "x.headers", "x.rc", "x.request.json", "x.sse.gz", "x.txt"]
STARTS = [
    b"",
    b"\x1f\x8b\x08",
    b"\x28\xb5\x2f\xfd",
    b"HTTP/1.1 200 OK\r\n",
    b"# protocol: ",
    b"# POST /\n",
    b'{"capture":1,',
    b"{",
    b"[",
    b"data:",
    b"curl_rc=",
]


def read(capture: Capture, max_line: int = 1 << 16) -> tuple[list[Frame], Rest, Body]:
    reader, body = decoder(capture.framing, capture.start, max_line), Body(capture)
    frames = [frame for chunk in body.chunks() for frame in reader.feed(chunk)]
    last, rest = reader.finish()
    return frames + last, rest, body


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(ENDINGS),
        st.tuples(st.sampled_from(STARTS), st.binary(max_size=120)).map(b"".join),
        min_size=1,
    )
)
def test_any_bytes_in_any_file(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    folder = tmp_path_factory.mktemp("run")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    for paths in ([str(folder)], [str(folder / name) for name in files]):
        found = find(paths, max_line=100)
        for capture in found.captures:
            frames, rest, _ = read(capture, 50)
            spans = [frame.span for frame in frames] + [rest.span]
            assert [span.start for span in spans] == [capture.start, *(span.end for span in spans[:-1])]
        assert found.captures or found.unread or found.not_captures


DEEP = 10_000
NASTY = [
    ("deep json in sse", "x.sse", b"data: " + b"[" * DEEP + b"]" * DEEP + b"\n\n"),
    ("deep json", "x.body", b"[" * DEEP + b"]" * DEEP),
    ("deep json lines", "x.jsonl", (b'{"a":' * DEEP + b"}" * DEEP + b"\n") * 2),
    (
        "deep json in a log",
        "x.log",
        b"# protocol: P  round: 1  sessionId: S\n====== RESPONSE (1 events) ======\n[1] A\n  raw: "
        + b"[" * DEEP
        + b"\n",
    ),
    ("deep request", "x.request.json", b"[" * DEEP),
    ("deep journal", "x.jsonl", b'{"capture":1,"kind":"request","body":' + b"[" * DEEP + b"\n"),
    ("a number of a million digits", "x.jsonl", b"1" * 1_000_000 + b"\n"),
    ("zeros", "x.sse", b"\0" * 100_000),
    (
        "a round of a million digits",
        "x.log",
        b"# protocol: P  round: " + b"9" * 1_000_000 + b"  sessionId: S\n",
    ),
    ("a status of many digits", "x.body", b"HTTP/1.1 " + b"2" * 100_000 + b"\r\n\r\n"),
    ("a head without end", "x.body", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 20_000),
    ("notes without end", "x.sse", b"# a\n" * 30_000),
    ("many heads", "x.body", b"HTTP/1.1 100 Continue\r\n\r\n" * 3000),
    ("many spaces", "x.log", b"# protocol:" + b" " * 60_000 + b"\n"),
    ("many spaces in a header", "x.body", b"HTTP/1.1 200 OK\r\na: b" + b" " * 60_000 + b"c\r\n\r\n"),
    ("many spaces in a note", "x.sse", b"# status=" + b" " * 60_000 + b"x\n"),
    ("many spaces in a type", "x.sse", b"# ct=" + b" " * 60_000 + b"\n"),
    (
        "many spaces in a request line",
        "x.log",
        b"# protocol: P\n====== WIRE REQUEST\n" + b"POST " * 9_000 + b" " * 9_000 + b"\n",
    ),
    (
        "a raw of cut marks",
        "x.log",
        b"# protocol: P\n====== RESPONSE (1 events) ======\n[1] A\n  raw: "
        + b" ... <truncated>" * 4_000
        + b" " * 9_000
        + b"x\n",
    ),
]


@pytest.mark.parametrize(("name", "content"), [case[1:] for case in NASTY], ids=[case[0] for case in NASTY])
def test_nasty_files(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / "x.rc").write_bytes(b"curl_rc=0")
    (tmp_path / name).write_bytes(content)
    begin = time.process_time()
    for capture in find([str(tmp_path)]).captures:
        read(capture)
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    "size", [64 << 20, pytest.param(1 << 30, marks=pytest.mark.slow)], ids=["64 MiB", "1 GiB"]
)
@pytest.mark.parametrize("name", ["x.sse", "x.jsonl", "x.body", "x.log"])
def test_a_line_without_end(tmp_path: Path, name: str, size: int) -> None:
    """A sparse file: found, read and told as oversize, in a few MB of memory."""
    path = tmp_path / name
    start = {
        "x.sse": b"data: ",
        "x.jsonl": b"{}\n[",
        "x.body": b"{\n",
        "x.log": b"# protocol: P  round: 1  sessionId: S\n====== RESPONSE (1 events) ======\n[1] A\n  raw: {",
    }[name]
    with path.open("wb") as file:
        file.write(start)
        file.truncate(size)
    tracemalloc.start()
    (capture,) = find([str(path)]).captures
    frames, rest, body = read(capture)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    flaws = [rest.flaw, *(frame.flaw for frame in frames)]
    assert "oversize" in flaws
    assert body.unread == []
    assert peak < 16 << 20


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_bomb_is_found_cheaply(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    (tmp_path / "x.sse.gz").write_bytes(pack(b"data: " + b"\0" * (200 << 20)))
    tracemalloc.start()
    (capture,) = find([str(tmp_path)]).captures
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert capture.framing == "sse"
    assert peak < 80 << 20


def test_discovery_imports_little() -> None:
    """Neither archives nor patterns nor temporary files are loaded before they are met."""
    heavy = {
        "zlib",
        "gzip",
        "zstandard",
        "glob",
        "tempfile",
        "pathlib",
        "random",
        "dataclasses",
        "inspect",
        "asyncio",
        "hashlib",
    }
    script = f"import sys; before = set(sys.modules); import harness.capture, harness.wire.sse; print(sorted(({heavy!r} & set(sys.modules)) - before))"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True, env=env
    )
    assert ran.stdout.strip() == "[]"
