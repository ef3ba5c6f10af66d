"""Pieces and their moments, out of the files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from harness.capture.adopt import Foreign, adopt
from harness.capture.discover import find
from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.model.capture import Head, Request
from harness.replay.projection import event
from harness.replay.recorded import Recording, close_of, reached_end
from tests.replay.exchanges import BODIES, STREAM, frame, record, status


def test_pieces_are_the_chunks_with_their_moments(tmp_path) -> None:
    recording = Recording(record(tmp_path, BODIES, gap_ns=10))
    assert recording.head_ns == 10
    assert [*recording.pieces()] == [(20 + 10 * at, data) for at, data in enumerate(BODIES)]
    assert recording.end_ns == 70


def test_the_same_from_packed_files(tmp_path) -> None:
    record(tmp_path, BODIES, gap_ns=10)
    for path in list(tmp_path.iterdir()):
        Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    (one,) = find([str(tmp_path)]).captures
    assert [piece.data for piece in Recording(one).pieces()] == [*BODIES]


def test_chunks_without_bytes_are_no_pieces(tmp_path) -> None:
    one = record(tmp_path, (b"", b"data: 1\n\n", b""))
    assert [piece.data for piece in Recording(one).pieces()] == [b"data: 1\n\n"]


def test_a_body_of_another_length_than_its_journal(tmp_path) -> None:
    one = record(tmp_path, (b"data: 1\n\n", b"data: 2\n\n"))
    path = Path(one.path)
    for raw in (b"data: 1\n\nda", b"data: 1\n\ndata: 2\n\ndata: 3\n\n"):
        path.write_bytes(raw)
        assert b"".join(piece.data for piece in Recording(one).pieces()) == raw


def test_without_a_journal_each_event_is_a_piece(tmp_path) -> None:
    (tmp_path / "x.sse").write_bytes(b"\xef\xbb\xbfdata: 1\r\n\r\n: c\r\n\r\ndata: 2\r\n\r\ndata: tail")
    (one,) = find([str(tmp_path)]).captures
    pieces = [piece.data for piece in Recording(one).pieces()]
    assert b"".join(pieces) == (tmp_path / "x.sse").read_bytes()
    assert len(pieces) == 3 and all(piece.due_ns == 0 for piece in Recording(one).pieces())


def test_an_ending_without_times_of_chunks_is_not_waited_for(tmp_path) -> None:
    name, head = Name("S"), Head(200, (("content-type", "text/event-stream"),))
    adopt(
        str(tmp_path), Foreign(name, None, head, [(None, b"data: 1\n\n")], True, "clean", "", 100, 150, 900)
    )
    recording = Recording(find([str(tmp_path)]).captures[0])
    assert [*recording.pieces()] == [(50, b"data: 1\n\n")] and recording.end_ns == 50


def test_a_head_that_took_its_time_without_chunks(tmp_path) -> None:
    with Writer(str(tmp_path), Name("S"), Request("GET", "/"), 100) as writer:
        writer.response(STREAM, 150)
        writer.seal("clean", 190)
    recording = Recording(find([str(tmp_path)]).captures[0])
    assert ([*recording.pieces()], recording.head_ns, recording.end_ns) == ([], 50, 90)


@pytest.mark.parametrize(
    ("data", "raw"),
    [
        ('{"a":1}', b'data: {"a":1}\n\n'),
        ('{"a":\n1}', b'data: {"a":\ndata: 1}\n\n'),
        ('{"a":\r\n1,\r"b":2}', b'data: {"a":\ndata: 1,\ndata: "b":2}\n\n'),
    ],
)
def test_a_frame_as_an_event(data: str, raw: bytes) -> None:
    assert event(data) == raw


@pytest.mark.parametrize(
    ("ending", "text", "head", "body", "close"),
    [
        ("clean", "", True, True, "clean"),
        ("upstream_cut", "peer closed connection", True, True, "cut"),
        ("upstream_cut", "[Errno 104] Connection reset by peer", True, True, "reset"),
        ("upstream_cut", "curl_rc=56: receiving failed", True, True, "reset"),
        ("upstream_cut", "", False, False, "silent"),
        ("refused", "", False, False, "unreachable"),
        ("client_left", "", True, True, "left"),
        ("timeout", "", True, False, "left"),
        ("timeout", "", False, False, "never"),
        ("proxy_stopped", "", True, True, "stopped"),
        (None, "", True, True, "stopped"),
    ],
)
def test_how_the_bytes_are_to_end(tmp_path, ending, text, head, body, close) -> None:
    one = record(tmp_path, BODIES if body else (), head=STREAM if head else None, ending=ending, text=text)
    assert close_of(one) == close


@pytest.mark.parametrize(
    ("state", "whole"), [("WORKING", False), ("INPUT_REQUIRED", True), ("COMPLETED", True), ("FAILED", True)]
)
def test_whether_the_stream_had_reached_its_end(tmp_path, state: str, whole: bool) -> None:
    assert reached_end(record(tmp_path, (frame(status("WORKING")), frame(status(state))))) is whole
