"""A journal read from its first line to its last."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from harness.capture.discover import find
from harness.capture.moments import Moment, journal_of, moments

LINES = (
    b'{"capture":1,"kind":"request","at_ns":1,"scenario":"S"}\n'
    b'{"kind":"response","at_ns":2,"status":200,"headers":[]}\n'
    b'{"kind":"chunk","at_ns":3,"offset":0,"length":9}\n'
    b'{"kind":"note","what":"held","bytes":2}\n'
    b'{"kind":"ending","ending":"clean","text":""}\n'
)


def read(path: Path) -> list[tuple[str, int | None, int]]:
    return [(one.kind, one.at_ns, one.length) for one in moments(str(path))]


WANT = [("request", 1, 0), ("response", 2, 0), ("chunk", 3, 9), ("note", None, 0), ("ending", None, 0)]


def test_lines_in_their_order(tmp_path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINES)
    assert read(path) == WANT
    assert [one.line.get("what") for one in moments(str(path))] == [None, None, None, "held", None]


def test_a_packed_journal_beside_a_packed_body(tmp_path) -> None:
    (tmp_path / "x.sse.gz").write_bytes(gzip.compress(b"data: 1\n\n"))
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(LINES))
    (one,) = find([str(tmp_path)]).captures
    path = journal_of(one)
    assert path == str(tmp_path / "x.jsonl.gz") and read(Path(path)) == WANT


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n\n", b"no json\n[1]\n7\n", b'{"kind":7}\n', b'{"kind":"chunk","at_ns":-1,"length":true}\n'],
)
def test_what_is_no_line_of_a_journal(tmp_path, raw: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(raw + LINES + b'{"kind":"chu')
    assert [one for one in read(path) if one != ("chunk", None, 0)] == WANT


def test_a_line_that_is_too_long_ends_it(tmp_path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINES + b"x" * (3 << 20))
    assert [one.kind for one in moments(str(path), max_line=1 << 20)][:1] == ["request"]


def test_no_journal(tmp_path) -> None:
    (tmp_path / "x.sse").write_bytes(b"data: 1\n\n")
    (tmp_path / "y.jsonl").write_bytes(b'{"jsonrpc":"2.0","id":1,"result":{}}\n')
    assert [journal_of(one) for one in find([str(tmp_path)]).captures] == [None, None]
    assert Moment("x", None).line == {}
