"""Which captures lie under paths, and what they are called (semantics section 1)."""

from __future__ import annotations

import gzip
import io
import os
import socket
from pathlib import Path

import pytest
import zstandard

from harness.capture import Body, Found, find
from harness.capture.sniff import WINDOW
from harness.errors import CaptureError
from harness.model.capture import Capture, Head, Request

SSE = b'event:jsonrpc\ndata:{"jsonrpc":"2.0","id":1,"result":{"task":{}}}\n\n'
RPC = b'{"jsonrpc":"2.0","id":1,"result":{}}'
LOG = b"# protocol: A2A_STREAM  round: 3  sessionId: DA-09\n\ntaskId: t\ncontextId: c\n\n====== RESPONSE (0 events) ======\n"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def one(*paths: str) -> Capture:
    found = find(list(paths))
    assert found.unread == ()
    (capture,) = found.captures
    return capture


def body(capture: Capture) -> bytes:
    return b"".join(Body(capture).chunks())


def sources(found: Found) -> list[str]:
    return [capture.source for capture in found.captures]


# content, not name


CONTENT = [
    ("raw sse", SSE, "sse", SSE),
    ("curl -i", HEAD + SSE, "sse", SSE),
    ("curl -i over http/2", b"HTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n" + SSE, "sse", SSE),
    ("noted sse", b"# POST /a2a/\n# status=200 ct=text/event-stream\n" + SSE, "sse", SSE),
    ("noted document", b"# POST /a2a/\n# status=200 ct=application/json\n" + RPC, "document", RPC),
    ("document", RPC, "document", RPC),
    ("pretty document", b'{\n "jsonrpc": "2.0"\n}\n', "document", b'{\n "jsonrpc": "2.0"\n}\n'),
    ("frames", RPC + b"\n" + RPC + b"\n", "jsonl", RPC + b"\n" + RPC + b"\n"),
    ("core chunks", b'{"type":"answer","index":0,"payload":{}}\n' * 2, "jsonl", b'{"type":"answer","index":0,"payload":{}}\n' * 2),
    ("wire log", LOG, "wirelog", b"====== RESPONSE (0 events) ======\n"),
    ("a BOM before a head", b"\xef\xbb\xbf" + HEAD + SSE, "sse", SSE),
]  # fmt: skip


@pytest.mark.parametrize("name", ["x.sse", "x.body", "x.log", "x.jsonl", "x.txt", "x"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
@pytest.mark.parametrize(
    ("content", "framing", "wanted"), [case[1:] for case in CONTENT], ids=[case[0] for case in CONTENT]
)
def test_content_decides_not_the_name(
    name: str, pack: object, content: bytes, framing: str, wanted: bytes
) -> None:
    assert callable(pack)
    put({name: pack(content)})
    capture = one(name)
    assert (capture.framing, body(capture)) == (framing, wanted)


def test_what_curl_i_tells() -> None:
    put({"x.txt": HEAD + SSE})
    capture = one("x.txt")
    assert (capture.head, capture.start, capture.ending) == (
        Head(200, (("content-type", "text/event-stream"),)),
        len(HEAD),
        "unknown",
    )


def test_what_notes_tell() -> None:
    notes = b'# POST /a2a/\n# {"jsonrpc":"2.0","id":7}\n# status=200 ct=text/event-stream; charset=utf-8\n'
    put({"x.sse": notes + SSE})
    capture = one("x.sse")
    assert capture.request == Request("POST", "/a2a/", (), '{"jsonrpc":"2.0","id":7}')
    assert capture.head == Head(200, (("content-type", "text/event-stream; charset=utf-8"),))
    assert capture.start == len(notes)


def test_what_a_wire_log_tells() -> None:
    put({"run/other-REST-r1.log": LOG})
    capture = one("run")
    assert (capture.scenario, capture.protocol, capture.round, capture.leg) == (
        "DA-09",
        "A2A_STREAM",
        3,
        "client",
    )
    assert (capture.task_id, capture.context_id, capture.rebuilt, capture.group) == ("t", "c", True, "run")


def test_a_long_request_in_a_wire_log() -> None:
    text = b"".join(b"  | " + b"x" * 1000 + b"\n" for _ in range(300))
    put({"x.log": LOG.replace(b"taskId", b"text:\n" + text + b"taskId")})
    capture = one("x.log")
    assert body(capture) == b"====== RESPONSE (0 events) ======\n"


def test_a_wire_log_without_responses_is_told() -> None:
    put({"x.log": LOG[:60]})
    capture = one("x.log")
    assert (capture.framing, body(capture)) == ("wirelog", b"")
    assert "RESPONSE" in capture.unread[0].reason


def test_a_compressed_body_inside_a_head_is_told() -> None:
    put({"x.txt": HEAD + gzip.compress(SSE)})
    capture = one("x.txt")
    assert capture.framing == "none"
    assert "--compressed" in (capture.told or "")


# names


def test_names_of_streams() -> None:
    put({"run/DA-09-A2A_STREAM-r2.search-agent.1.sse": SSE})
    capture = one("run")
    assert (capture.scenario, capture.protocol, capture.round, capture.leg) == (
        "DA-09",
        "A2A_STREAM",
        2,
        "search-agent",
    )
    assert (capture.source, capture.group) == ("run/DA-09-A2A_STREAM-r2.search-agent.1.sse", "run")


@pytest.mark.parametrize(("path", "source", "group"), [("a/b", "a/b/x.sse", "a/b"), ("a", "a/b/x.sse", "a/b"), ("./a/", "./a/b/x.sse", "./a/b"), ("a/b/x.sse", "a/b/x.sse", "a/b"), (".", "./a/b/x.sse", "./a/b"), ("../{}/a", "../{}/a/b/x.sse", "../{}/a/b")])  # fmt: skip
def test_the_source_is_the_path_as_given(here: Path, path: str, source: str, group: str) -> None:
    put({"a/b/x.sse": SSE})
    capture = one(path.format(here.name))
    assert (capture.source, capture.group) == (source.format(here.name), group.format(here.name))


def test_a_file_of_the_working_folder_has_that_folder_as_group() -> None:
    put({"x.sse": SSE})
    assert one("x.sse").group == "."


def test_a_name_that_is_no_utf_8_can_be_printed() -> None:
    name = os.fsdecode(b"x\xff.sse")
    put({f"run/{name}": SSE})
    capture = one("run")
    assert (capture.source, capture.scenario, body(capture)) == ("run/x\\xff.sse", "x\\xff", SSE)
    assert one(f"run/{name}").source == "run/x\\xff.sse"


# one capture of several files


CURL = {
    "d/a.body": SSE,
    "d/a.headers": HEAD,
    "d/a.rc": b"curl_rc=18\n",
    "d/a.request.json": b'{"jsonrpc":"2.0","id":1}\n',
}


@pytest.mark.parametrize(
    "path", ["d", "d/a.body", "d/a.headers", "d/a.rc", "d/a.request.json", "d/*", "d/a.*"]
)
def test_a_body_and_what_stands_beside_it_is_one_capture(path: str) -> None:
    put(CURL)
    capture = one(path)
    assert (capture.source, capture.ending, capture.framing) == ("d/a.body", "upstream_cut", "sse")
    assert capture.request == Request(body='{"jsonrpc":"2.0","id":1}')
    assert capture.head == Head(200, (("content-type", "text/event-stream"),))
    assert find([path]).not_captures == 0


@pytest.mark.parametrize("path", ["d", "d/a.headers", "d/a.rc", "d/a.request.json"])
def test_an_absent_body_is_an_empty_one(path: str) -> None:
    put({name: content for name, content in CURL.items() if name != "d/a.body"})
    capture = one(path)
    assert (capture.source, capture.ending, capture.framing, capture.start, capture.end) == (
        "d/a.body",
        "upstream_cut",
        "sse",
        0,
        0,
    )
    assert body(capture) == b""


@pytest.mark.parametrize("kept", ["d/a.headers", "d/a.rc"])
def test_one_sidecar_that_speaks_is_enough(kept: str) -> None:
    put({kept: CURL[kept]})
    assert one("d").source == "d/a.body"


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.headers", b"no header\n"), ("a.rc", b"export PATH\n"), ("a.request.json", b"{}")],
)
def test_one_that_does_not_is_no_capture(name: str, content: bytes) -> None:
    put({f"d/{name}": content})
    assert find(["d"]) == Found((), 1, ())


def test_sidecars_of_a_packed_body() -> None:
    put({**{k: v for k, v in CURL.items() if k != "d/a.body"}, "d/a.body.gz": gzip.compress(SSE)})
    capture = one("d")
    assert (capture.source, capture.ending, body(capture)) == ("d/a.body.gz", "upstream_cut", SSE)


def test_sidecars_of_a_stream() -> None:
    put({"d/a.sse": SSE, "d/a.rc": b"curl_rc=28\n"})
    assert one("d").ending == "client_left"


def test_a_json_answer_without_a_body_has_its_type() -> None:
    put(
        {"d/a.headers": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n", "d/a.rc": b"curl_rc=18"}
    )
    assert one("d").framing == "document"


def test_a_sidecar_of_no_known_form_is_told() -> None:
    put({"d/a.body": SSE, "d/a.rc": b"0\n"})
    capture = one("d")
    assert capture.ending == "unknown"
    assert [entry.source for entry in capture.unread] == ["d/a.rc"]


def test_lines_beside_a_stream_are_a_capture_of_their_own() -> None:
    put({"d/a.sse": SSE, "d/a.jsonl": RPC + b"\n" + RPC})
    assert sources(find(["d"])) == ["d/a.sse", "d/a.jsonl"]


def test_an_html_page_with_a_head_is_a_capture() -> None:
    put({"d/a.body": b"<html>", "d/a.headers": b"HTTP/1.1 503 \r\ncontent-type: text/html\r\n\r\n"})
    capture = one("d")
    assert (capture.framing, capture.head and capture.head.status) == ("document", 503)


# what is no capture


def test_in_a_folder_some_endings_must_be_captures() -> None:
    put({
        "d/a.log": b"some other log\n", "d/b.har": b"{}", "d/c.mitm": b"1:a,", "d/d.sse": b"\0\1\2", "d/e.body": b"text", "d/f.jsonl": b"text",
        "d/README.md": b"#", "d/x.json": RPC, "d/run.json": b"{}", "d/noext": SSE,
    })  # fmt: skip
    found = find(["d"])
    assert sources(found) == ["d/d.sse", "d/e.body", "d/f.jsonl"]
    assert [capture.framing for capture in found.captures] == ["sse", "document", "jsonl"]
    assert [entry.source for entry in found.unread] == ["d/a.log", "d/b.har", "d/c.mitm"]
    assert found.not_captures == 3


@pytest.mark.parametrize("content", [b"hello\n", b"\0\xff\xfe" * 10, b"<html></html>"])
def test_a_named_file_must_be_a_capture(content: bytes) -> None:
    put({"x.txt": content})
    found = find(["x.txt"])
    assert found.captures == ()
    assert found.unread[0].source == "x.txt"
    assert "no capture" in found.unread[0].reason


@pytest.mark.parametrize("name", ["x.sse", "x.body", "x.jsonl", "x.txt", "x.sse.gz"])
def test_an_empty_file_is_an_empty_body(name: str) -> None:
    put({name: gzip.compress(b"") if name.endswith("gz") else b""})
    capture = one(name)
    assert body(capture) == b""
    assert capture.framing in ("sse", "jsonl")
    assert capture.told is None


def test_an_empty_log_is_told() -> None:
    put({"d/x.log": b""})
    assert one("d").told is not None


def test_requests_and_other_protocols_are_told() -> None:
    put({
        "d/requests.jsonl": b'{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{}}\n',
        "d/ui.sse": b'data: {"type":"start"}\n\ndata: {"type":"finish"}\n\n',
    })  # fmt: skip
    assert [(c.framing, c.told is None) for c in find(["d"]).captures] == [
        ("document", False),
        ("sse", False),
    ]


# paths


def test_folders_are_read_to_the_bottom_in_order() -> None:
    put({"d/b/c/x.sse": SSE, "d/b/a.sse": SSE, "d/z.sse": SSE, "d/a/q.sse": SSE, "d/dir.sse/y.sse": SSE})
    assert sources(find(["d"])) == ["d/z.sse", "d/a/q.sse", "d/b/a.sse", "d/b/c/x.sse", "d/dir.sse/y.sse"]


@pytest.mark.parametrize(("pattern", "wanted"), [("d/*.sse", ["d/a.sse", "d/b.sse"]), ("d/[b]*", ["d/b.sse"]), ("**/*.sse", ["d/a.sse", "d/b.sse", "d/e/c.sse"]), ("?", ["d/a.sse", "d/b.sse", "d/e/c.sse"])])  # fmt: skip
def test_patterns(pattern: str, wanted: list[str]) -> None:
    put({"d/a.sse": SSE, "d/b.sse": SSE, "d/e/c.sse": SSE})
    assert sources(find([pattern])) == wanted


def test_a_name_with_brackets_is_a_name_first() -> None:
    put({"d[1]/a.sse": SSE})
    assert sources(find(["d[1]"])) == ["d[1]/a.sse"]


@pytest.mark.parametrize("path", ["nowhere.sse", "nowhere/*.sse", ""])
def test_what_does_not_exist_is_an_error(path: str) -> None:
    with pytest.raises(CaptureError) as caught:
        find([path])
    assert caught.value.exit_code == 3
    assert "check the path" in str(caught.value)


def test_each_file_is_one_capture_however_often_named() -> None:
    put({"d/a.sse": SSE})
    assert sources(find(["d", "d/a.sse", "./d", "d/*", "d"])) == ["d/a.sse"]


def test_nothing_is_nothing() -> None:
    assert find([]) == Found((), 0, ())


# standard input


@pytest.mark.parametrize(
    ("content", "framing"),
    [(SSE, "sse"), (gzip.compress(SSE, mtime=0), "sse"), (b"", "sse"), (RPC, "document")],
)
def test_standard_input(content: bytes, framing: str) -> None:
    found = find(["-", "-"], stdin=io.BytesIO(content))
    (capture,) = found.captures
    assert (capture.source, capture.scenario, capture.group, capture.framing) == ("-", "-", "", framing)
    assert body(capture) == (SSE if framing == "sse" and content else content)


def test_a_log_from_standard_input_has_its_session() -> None:
    assert find(["-"], stdin=io.BytesIO(LOG)).captures[0].scenario == "DA-09"


def test_noise_from_standard_input_is_told() -> None:
    found = find(["-"], stdin=io.BytesIO(b"hello"))
    assert [entry.source for entry in found.unread] == ["-"]


def test_no_standard_input() -> None:
    with pytest.raises(CaptureError, match="not open"):
        find(["-"])


# what stands in a folder beside files


def test_sockets_pipes_and_links(here: Path) -> None:
    put({"d/real.sse": SSE, "e/f/deep.sse": SSE})
    os.mkfifo("d/pipe.sse")
    server = socket.socket(socket.AF_UNIX)
    server.bind("d/s.sse")
    server.close()
    Path("d/device.sse").symlink_to("/dev/null")
    Path("d/dangling.sse").symlink_to("nowhere")
    Path("d/dangling.txt").symlink_to("nowhere")
    Path("d/loop.sse").symlink_to("loop.sse")
    Path("d/up").symlink_to("..")
    Path("d/linked.sse").symlink_to("../e/f/deep.sse")
    found = find(["d"])
    assert sources(found) == ["d/linked.sse", "d/real.sse", "d/up/e/f/deep.sse"]
    assert sorted(entry.source for entry in found.unread) == ["d/dangling.sse", "d/loop.sse"]
    assert found.not_captures == 4


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pipe.sse", "a pipe"),
        ("device", "a device"),
        ("dangling", "no such file"),
        ("loop", "can not be opened"),
    ],
)
def test_named_they_are_told(name: str, reason: str) -> None:
    os.mkfifo("pipe.sse")
    Path("device").symlink_to("/dev/null")
    Path("dangling").symlink_to("nowhere")
    Path("loop").symlink_to("loop")
    found = find([name])
    assert found.captures == ()
    assert [(entry.source, entry.reason.startswith(reason)) for entry in found.unread] == [(name, True)]


@pytest.mark.parametrize("path", ["d", "d/a.sse"])
def test_a_file_without_permission_is_told(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put({"d/a.sse": SSE, "d/b.sse": SSE})
    opened = os.open

    def refuse(name: str, *rest: int) -> int:
        if str(name).endswith("a.sse"):
            raise PermissionError(13, "Permission denied")
        return opened(name, *rest)

    monkeypatch.setattr(os, "open", refuse)
    found = find([path])
    assert [(entry.source, entry.reason) for entry in found.unread] == [
        ("d/a.sse", "permission denied; make the file readable")
    ]
    assert sources(found) == (["d/b.sse"] if path == "d" else [])


def test_a_folder_without_permission_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    put({"d/secret/a.sse": SSE, "d/b.sse": SSE})
    scandir = os.scandir

    def refuse(name: str) -> object:
        if str(name).endswith("secret"):
            raise PermissionError(13, "Permission denied")
        return scandir(name)

    monkeypatch.setattr(os, "scandir", refuse)
    found = find(["d"])
    assert (sources(found), [entry.source for entry in found.unread]) == (["d/b.sse"], ["d/secret"])


def dig(name: str, depth: int) -> None:
    """Folders `name` in one another, below `d`; deeper than a path can be, if asked for."""
    back = os.getcwd()
    put({"d/a.sse": SSE})
    os.chdir("d")
    for _ in range(depth):
        os.mkdir(name)
        os.chdir(name)
    put({"b.sse": SSE})
    os.chdir(back)


def fill(name: str, depth: int) -> None:
    back = os.getcwd()
    os.chdir("d")
    for _ in range(depth):
        os.chdir(name)
    os.unlink("b.sse")
    for _ in range(depth):
        os.chdir("..")
        os.rmdir(name)
    os.chdir(back)


def test_folders_deeper_than_the_stack() -> None:
    dig("x", 1100)
    assert sources(find(["d"])) == ["d/a.sse", "d/" + "x/" * 1100 + "b.sse"]
    fill("x", 1100)


def test_folders_deeper_than_a_path_may_be_are_told() -> None:
    dig("y" * 200, 25)
    found = find(["d"])
    assert sources(found) == ["d/a.sse"]
    assert ["name too long" in entry.reason for entry in found.unread] == [True]
    fill("y" * 200, 25)


def test_discovery_is_lazy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first 64 KiB of each capture are read."""
    put({f"d/{number:04}-A2A_STREAM-r1.sse": SSE * 3000 for number in range(30)})
    taken: list[int] = []
    pread = os.pread

    def counted(fd: int, size: int, at: int) -> bytes:
        data = pread(fd, size, at)
        taken.append(len(data))
        return data

    monkeypatch.setattr(os, "pread", counted)
    assert len(find(["d"]).captures) == 30
    assert sum(taken) <= 30 * (WINDOW + 8)
