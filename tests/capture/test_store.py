"""The native store: what was written is read back, and nothing is written elsewhere."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.capture import Body, find
from harness.capture.journal import Chunk, chunk_times
from harness.capture.naming import Name
from harness.capture.store import Writer, file_stem, read_run, safe, write_run
from harness.errors import CaptureError
from harness.model.capture import Capture, Ending, Head, Request

STREAM = Head(200, (("content-type", "text/event-stream; charset=utf-8"),))
NAME = Name("DA-09", "A2A_STREAM", 1, "client")
ASKED = Request("POST", "/a2a/", (("a2a-version", "1.0"),), '{"jsonrpc":"2.0"}')


def record(
    folder: Path, *chunks: bytes, name: Name = NAME, head: Head = STREAM, ending: Ending | None = "clean"
) -> Writer:
    writer = Writer(str(folder), name, ASKED, 1)
    writer.response(head, 2)
    for number, chunk in enumerate(chunks):
        writer.chunk(3 + number, chunk)
    if ending:
        writer.seal(ending, 99, "as it was")
    writer.close()
    return writer


def one(folder: Path) -> Capture:
    (capture,) = find([str(folder)]).captures
    return capture


def body(capture: Capture) -> bytes:
    return b"".join(Body(capture).chunks())


def journal(folder: Path) -> Path:
    return next(folder.glob("*.jsonl"))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
HEADERS = st.lists(st.tuples(st.sampled_from(["content-type", "x-a", "set-cookie"]), TEXT), max_size=4).map(
    tuple
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    name=st.builds(Name, TEXT, st.none() | TEXT, st.integers(0, 99), TEXT.filter(bool)),
    request=st.builds(Request, st.none() | TEXT, st.none() | TEXT, HEADERS, st.none() | TEXT),
    head=st.none() | st.builds(Head, st.none() | st.integers(100, 599), HEADERS),
    chunks=st.lists(
        st.binary(max_size=40)
        | st.sampled_from([b"# POST /a\n", b"HTTP/1.1 200 OK\r\n\r\n", b"# protocol: P  round: 1\n"]),
        max_size=6,
    ),
    ending=st.sampled_from(["clean", "upstream_cut", "client_left", "proxy_stopped", "refused"]),
    text=TEXT,
)
def test_the_round_trip_gives_the_same_capture(
    tmp_path_factory: pytest.TempPathFactory,
    name: Name,
    request: Request,
    head: Head | None,
    chunks: list[bytes],
    ending: Ending,
    text: str,
) -> None:
    """Promise 4, with names, heads and bodies of any kind."""
    folder = tmp_path_factory.mktemp("run")
    written: list[Chunk] = []
    with Writer(str(folder), name, request, 1) as writer:
        if head is not None:
            writer.response(head, 2)
            for number, chunk in enumerate(chunks):
                writer.chunk(10 + number, chunk)
                written.append(Chunk(10 + number, sum(map(len, chunks[:number])), len(chunk)))
        writer.seal(ending, 99, text)
    found = find([str(folder)])
    (capture,) = found.captures
    assert (found.unread, found.not_captures, capture.unread) == ((), 0, ())
    assert Name(capture.scenario, capture.protocol, capture.round, capture.leg) == name
    assert (capture.request, capture.head) == (request, head)
    assert (capture.ending, capture.ending_text, capture.timed) == (ending, text, bool(written))
    assert list(chunk_times(str(folder / (writer.stem + ".jsonl")))) == written
    assert body(capture) == (b"".join(chunks) if head else b"")


def test_a_run_folder(tmp_path: Path) -> None:
    record(tmp_path, b"data: a\n\n", b"data: b\n\n")
    write_run(str(tmp_path), {"id": "run-20260811-093000"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "DA-09-A2A_STREAM-r1.client.jsonl",
        "DA-09-A2A_STREAM-r1.client.sse",
        "run.json",
    ]
    found = find([str(tmp_path)])
    assert (len(found.captures), found.not_captures, found.unread) == (1, 0, ())
    lines = [json.loads(line) for line in journal(tmp_path).read_text().split("\n") if line]
    assert [line["kind"] for line in lines] == ["request", "response", "chunk", "chunk", "ending"]
    assert lines[0]["capture"] == 1
    assert lines[3] == {"kind": "chunk", "at_ns": 4, "offset": 9, "length": 9}


@pytest.mark.parametrize("named", [".sse", ".jsonl"])
def test_named_by_either_file(tmp_path: Path, named: str) -> None:
    record(tmp_path, b"data: a\n\n")
    (capture,) = find([str(tmp_path / f"DA-09-A2A_STREAM-r1.client{named}")]).captures
    assert (capture.ending, capture.timed, os.path.basename(capture.source)) == (
        "clean",
        True,
        "DA-09-A2A_STREAM-r1.client.sse",
    )


def test_bytes_are_on_the_disk_at_once(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), NAME, ASKED, 1)
    writer.response(STREAM, 2)
    writer.chunk(3, b"data: a\n\n")
    capture = one(tmp_path)
    assert (capture.ending, body(capture), capture.timed) == ("unsealed", b"data: a\n\n", True)
    writer.close()


def test_no_stream_is_a_body(tmp_path: Path) -> None:
    record(tmp_path, b"{}", head=Head(500, (("content-type", "application/json"),)))
    capture = one(tmp_path)
    assert capture.source.endswith(".body")
    assert (capture.framing, capture.head and capture.head.status) == ("document", 500)


def test_a_refused_request_has_no_body(tmp_path: Path) -> None:
    with Writer(str(tmp_path), NAME, ASKED, 1) as writer:
        writer.seal("refused", 2, "connection refused")
    capture = one(tmp_path)
    assert (capture.ending, capture.head, body(capture)) == ("refused", None, b"")
    assert capture.unread == ()


def test_packed_by_somebody(tmp_path: Path) -> None:
    record(tmp_path, b"data: a\n\n")
    for path in list(tmp_path.iterdir()):
        (tmp_path / (path.name + ".gz")).write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    capture = one(tmp_path)
    assert (capture.ending, capture.timed, body(capture)) == ("clean", True, b"data: a\n\n")


# journals that tell less than they should


def test_without_an_ending_it_is_unsealed(tmp_path: Path) -> None:
    record(tmp_path, b"data: a\n\n", ending=None)
    assert one(tmp_path).ending == "unsealed"


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_torn_last_line_is_told(tmp_path: Path, cut: int) -> None:
    record(tmp_path, b"data: a\n\n")
    path = journal(tmp_path)
    path.write_bytes(path.read_bytes()[: -1 - cut])
    capture = one(tmp_path)
    assert (capture.ending, body(capture)) == ("unsealed", b"data: a\n\n")
    assert ["torn" in entry.reason for entry in capture.unread] == [True]
    assert list(chunk_times(str(path))) == [Chunk(3, 0, 9)]


def test_a_last_line_that_lacks_only_its_line_end_counts(tmp_path: Path) -> None:
    record(tmp_path, b"data: a\n\n")
    path = journal(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    assert (one(tmp_path).ending, one(tmp_path).unread) == ("clean", ())


@pytest.mark.parametrize("block", [b"data: a\n\n", b"data: a\n\n" * 20_000])
def test_a_body_that_is_shorter_than_its_journal_says(tmp_path: Path, block: bytes) -> None:
    record(tmp_path, block, block)
    path = next(tmp_path.glob("*.sse"))
    path.write_bytes(path.read_bytes()[: len(block)])
    capture = one(tmp_path)
    assert f"its journal counts {2 * len(block)}" in capture.unread[0].reason
    assert capture.ending == "unsealed"  # the bytes that are gone may have held the end of the task


def test_a_body_that_is_gone(tmp_path: Path) -> None:
    record(tmp_path, b"data: a\n\n")
    next(tmp_path.glob("*.sse")).unlink()
    assert "is missing" in one(tmp_path).unread[0].reason


def test_a_journal_of_another_version_is_told(tmp_path: Path) -> None:
    record(tmp_path, b"data: a\n\n")
    path = journal(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'{"capture":1', b'{"capture":2'))
    assert "version 1" in one(tmp_path).unread[0].reason


JUNK: list[tuple[str, Any]] = [
    ("no numbers", b'{"kind":"chunk","at_ns":"x","offset":0,"length":1}\n'),
    ("negative", b'{"kind":"chunk","at_ns":1,"offset":-1,"length":1}\n'),
    ("no object", b"[1]\n"),
    ("no json", b"\xff\0\n"),
    ("deep", b"[" * 10_000 + b"\n"),
]


@pytest.mark.parametrize("junk", [case[1] for case in JUNK], ids=[case[0] for case in JUNK])
def test_junk_between_is_passed_over(tmp_path: Path, junk: bytes) -> None:
    record(tmp_path, b"data: a\n\n")
    path = journal(tmp_path)
    *lines, ending = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines) + junk + ending)
    assert one(tmp_path).ending == "clean"
    assert list(chunk_times(str(path))) == [Chunk(3, 0, 9)]


def test_odd_values_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.sse").write_bytes(b"data: a\n\n")
    lines = [
        {
            "capture": 1,
            "kind": "request",
            "scenario": 7,
            "round": "x",
            "method": 1,
            "headers": {"a": "b"},
            "body": {},
        },
        {"kind": "response", "status": "200", "headers": [["A", "b"], ["c"], 7, ["d", 1]]},
        {"kind": "ending", "ending": "odd"},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    capture = one(tmp_path)
    assert (capture.scenario, capture.round, capture.request) == ("a", 1, Request())
    assert (capture.head, capture.ending) == (Head(None, (("a", "b"),)), "unknown")


def test_many_chunks_cost_nothing_at_discovery(tmp_path: Path) -> None:
    record(tmp_path, *[b"data: a\n\n"] * 20_000)
    capture = one(tmp_path)
    assert (capture.ending, capture.unread) == ("clean", ())
    assert sum(1 for _ in chunk_times(str(journal(tmp_path)))) == 20_000


def test_a_long_request_before_the_chunks(tmp_path: Path) -> None:
    text = "x" * 500_000
    with Writer(str(tmp_path), NAME, ASKED._replace(body=text), 1) as writer:
        writer.response(STREAM, 2)
        for _ in range(2000):
            writer.chunk(3, b"data: a\n\n")
        writer.seal("clean", 4)
    capture = one(tmp_path)
    assert capture.request is not None
    assert (capture.request.body, capture.head, capture.ending) == (text, STREAM, "clean")


# the writer


def test_out_of_order_is_our_fault(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), NAME, ASKED, 1)
    with pytest.raises(CaptureError):
        writer.chunk(1, b"early")
    writer.response(STREAM, 2)
    with pytest.raises(CaptureError):
        writer.response(STREAM, 2)
    writer.seal("clean", 3)
    for call in (
        lambda: writer.chunk(4, b"late"),
        lambda: writer.seal("clean", 4),
        lambda: writer.response(STREAM, 4),
    ):
        with pytest.raises(CaptureError):
            call()


def test_equal_names_get_numbers(tmp_path: Path) -> None:
    for leg in ("client", "client", "search-agent", "search-agent"):
        record(tmp_path, b"data: a\n\n", name=NAME._replace(leg=leg))
    assert sorted(path.name for path in tmp_path.glob("*.sse")) == [
        "DA-09-A2A_STREAM-r1.client.2.sse",
        "DA-09-A2A_STREAM-r1.client.sse",
        "DA-09-A2A_STREAM-r1.search-agent.1.sse",
        "DA-09-A2A_STREAM-r1.search-agent.2.sse",
    ]
    assert {capture.scenario for capture in find([str(tmp_path)]).captures} == {"DA-09"}


def test_no_file_of_somebody_else_is_touched(tmp_path: Path) -> None:
    foreign = tmp_path / "DA-09-A2A_STREAM-r1.client.body"
    foreign.write_bytes(b"{}")
    assert record(tmp_path, b"data: a\n\n").stem == "DA-09-A2A_STREAM-r1.client.2"
    assert foreign.read_bytes() == b"{}"


HOSTILE = ["../../etc/passwd", "/etc/passwd", "..", ".", "", "a/b", "a\\b", "a\0b", "~", "-rf", "x" * 500, "字" * 300, "\n", ".hidden", "a:b", "\ud800", "CON"]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_is_written_outside_the_folder(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "a" / "run"
    folder.mkdir(parents=True)
    record(folder, b"data: a\n\n", name=Name(text, text, 1, text))
    record(folder, b"data: a\n\n", name=Name("x", None, 1, text))
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(folder.iterdir())
    assert len(list(folder.iterdir())) == 4
    assert all(not path.name.startswith((".", "~")) for path in folder.iterdir())


@given(st.text(), st.none() | st.text(), st.text())
def test_any_name_is_a_file_name(scenario: str, protocol: str | None, leg: str) -> None:
    stem = file_stem(Name(scenario, protocol, 1, leg))
    assert "/" not in stem
    assert not stem.startswith(".")
    assert len((stem + ".9999.jsonl.zst").encode()) < 255
    assert safe(stem)


def test_a_name_that_needs_no_change_has_none() -> None:
    assert file_stem(NAME) == "DA-09-A2A_STREAM-r1.client"
    assert file_stem(NAME._replace(leg="search-agent")) == "DA-09-A2A_STREAM-r1.search-agent.1"
    assert safe("会话-1_a.b") == "会话-1_a.b"


# run.json


def test_run_json_round_trip(tmp_path: Path) -> None:
    facts = {"id": "run-1", "when": "2026-08-11T09:30:00Z", "legs": ["client"], "会": [1, None]}
    write_run(str(tmp_path), facts)
    assert read_run(str(tmp_path)) == facts
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_no_run_json(tmp_path: Path) -> None:
    assert read_run(str(tmp_path)) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"run":2}', b"\xff", b"[" * 10_000])
def test_a_bad_run_json_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(CaptureError, match=r"run\.json"):
        read_run(str(tmp_path))


def test_chunks_of_one_read_keep_their_borders(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), NAME, ASKED, 1, client="c1", upstream="http://a:1")
    writer.response(STREAM, 2)
    writer.chunks(3, b"data: a\n\ndata: b\n\n", [b"data: a\n\n", b"data: b\n\n"])
    writer.seal("clean", 4)
    assert list(chunk_times(str(journal(tmp_path)))) == [Chunk(3, 0, 9), Chunk(3, 9, 9)]
    assert body(one(tmp_path)) == b"data: a\n\ndata: b\n\n"


def test_notes_stand_between(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), NAME, ASKED, 1)
    writer.note("request-cut", kept=1, size=2)
    writer.response(STREAM, 2)
    writer.note("decoded", encoding="gzip")
    writer.chunk(3, b"data: a\n\n")
    writer.note("held", bytes=7)
    writer.seal("timeout", 4)
    capture = one(tmp_path)
    assert (capture.ending, capture.unread, capture.timed) == ("timeout", (), True)
    assert capture.head == STREAM


@pytest.mark.parametrize("before", [0, 1, 100])
@pytest.mark.parametrize("sealed", [True, False])
def test_a_name_that_becomes_known_later(tmp_path: Path, before: int, sealed: bool) -> None:
    writer = Writer(str(tmp_path), Name("conversation-1", "A2A_STREAM"), ASKED, 1)
    writer.response(STREAM, 2)
    for number in range(before):
        writer.chunk(3 + number, b": ping\n\n")
    writer.rename(Name("ctx", "A2A_STREAM", 3))
    if sealed:
        writer.seal("clean", 200)
    writer.close()
    assert sorted(os.listdir(tmp_path)) == ["ctx-A2A_STREAM-r3.client.jsonl", "ctx-A2A_STREAM-r3.client.sse"]
    capture = one(tmp_path)
    if sealed or before < 30:
        assert (capture.scenario, capture.round) == ("ctx", 3)


def test_a_name_that_is_taken_is_not_taken_again(tmp_path: Path) -> None:
    record(tmp_path, name=Name("ctx", "A2A_STREAM"))
    writer = Writer(str(tmp_path), Name("conversation-1", "A2A_STREAM"), ASKED, 1)
    writer.rename(Name("ctx", "A2A_STREAM"))
    writer.seal("refused", 2)
    assert writer.stem == "conversation-1-A2A_STREAM-r1.client"


def test_numbers_may_begin_later(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), NAME, ASKED, 1, call=7)
    writer.close()
    assert (writer.call, writer.stem) == (7, "DA-09-A2A_STREAM-r1.client.7")


def test_a_journal_that_can_not_be_begun_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("harness.capture.store.os.write", full)
    with pytest.raises(OSError, match="No space"):
        Writer(str(tmp_path), NAME, ASKED, 1)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b'{"run": 1, "exch', b"[]", b"\xff"])
def test_a_damaged_run_json_beside_journals_is_told(tmp_path: Path, content: bytes) -> None:
    record(tmp_path, b"data: {}\n\n")
    (tmp_path / "run.json").write_bytes(content)
    (told,) = find([str(tmp_path)]).unread
    assert told.source == str(tmp_path / "run.json")
    assert told.reason.endswith("restore it or delete it")


def test_an_incomplete_run_is_told(tmp_path: Path) -> None:
    record(tmp_path, b"data: {}\n\n")
    write_run(str(tmp_path), {"incomplete": ["the disk was full"]})
    (told,) = find([str(tmp_path)]).unread
    assert "the disk was full" in told.reason
    assert told.source.endswith("run.json")
