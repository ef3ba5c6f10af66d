"""Secrets in files of every kind are found where they stand, and never shown."""

from __future__ import annotations

import base64
import gzip
import json
import os
from pathlib import Path

import pytest
import zstandard

from harness.capture.naming import Name
from harness.capture.redaction import Redactor, load
from harness.capture.redaction.scan import scan
from harness.capture.store import Writer
from harness.errors import CaptureError
from harness.model.capture import Head, Request
from tests.capture.redaction.bodies import fresh

GOLDEN = Path(__file__).parents[3] / "captures" / "golden"
SECRET = "Q7abcDEF2ghiJKL3mnoPQR4stuVWX5yz"
EVENT = b'data: {"taskId":"3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11","apiKey":"%s"}\n\n' % SECRET.encode()


def found(path: Path) -> list[tuple[str, int, str]]:
    seen = scan([str(path)], Redactor(load()))
    assert SECRET not in repr(seen)
    return [(os.path.basename(one.file), one.offset, one.kind) for one in seen.found]


FILES = {
    "stream.sse": EVENT,
    "frames.jsonl": b'{"result":{}}\n{"result":{"apiKey":"%s"}}\n' % SECRET.encode(),
    "curl.body": b"HTTP/1.1 200 OK\r\nX-Auth-Token: %s\r\n\r\ndata: {}\n\n" % SECRET.encode(),
    "curl.headers": b"HTTP/1.1 200 OK\r\nSet-Cookie: sid=%s\r\n\r\n" % SECRET.encode(),
    "ask.request.json": b'{"params":{"configuration":{"pushNotificationConfig":{"token":"%s"}}}}' % SECRET.encode(),
    "wire.log": b"raw: {\"text\":\"{\\\"password\\\":\\\"%s\\\"}\"}\n" % SECRET.encode(),
    "session.har": b'{"log":{"entries":[{"request":{"headers":[{"name":"X-Api-Key","value":"%s"}]}}]}}' % SECRET.encode(),
    "flows.mitm": b"72:7:headers;49:12:x-auth-token,32:%s,]}" % SECRET.encode(),
    "noted.sse": b"# POST /a2a\n# Authorization: Bearer %s\n\ndata: {}\n\n" % SECRET.encode(),
    "run.json": b'{"run":1,"legs":[{"upstream":"http://user:%s@host"}]}' % SECRET.encode(),
    "notes.txt": b"curl -H 'Authorization: Bearer %s' http://host" % SECRET.encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_each_kind_of_file(tmp_path, name, packed):
    raw = FILES[name]
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[packed]
    (tmp_path / (name + packed)).write_bytes(pack(raw))
    ((file, offset, kind),) = found(tmp_path)
    assert file == name + packed
    assert kind
    assert SECRET.encode() in raw[offset : offset + len(SECRET) + 8]


def test_a_native_capture_with_its_redaction_off(tmp_path):
    request = Request(
        "POST", f"/a2a?token={SECRET}", (("x-session-token", SECRET),), f'{{"secret":"{SECRET}"}}'
    )
    with Writer(str(tmp_path), Name("DA-01", "A2A_STREAM"), request, 1) as writer:
        writer.response(Head(200, (("content-type", "text/event-stream"), ("x-auth-token", SECRET))), 2)
        writer.chunk(3, EVENT)
        writer.seal("clean", 4)
    kinds = sorted(kind for _, _, kind in found(tmp_path))
    assert kinds == ["api-key", "secret", "token", "token", "token"]


def test_a_secret_of_a_head_is_found_in_other_files(tmp_path):
    (tmp_path / "b.headers").write_bytes(b"HTTP/1.1 200 OK\r\nX-Auth-Token: %s\r\n\r\n" % SECRET.encode())
    (tmp_path / "a.body").write_bytes(b'data: {"t":"' + base64.b64encode(b"x" + SECRET.encode()) + b'"}\n\n')
    assert [(file, kind) for file, _, kind in found(tmp_path)] == [
        ("a.body", "token"),
        ("b.headers", "token"),
    ]


def test_a_secret_over_the_border_of_reads(tmp_path):
    (tmp_path / "large.sse").write_bytes(b"data: %s\n\n" % (b"x" * ((1 << 20) - 30)) + EVENT)
    assert [kind for _, _, kind in found(tmp_path)] == ["api-key"]


def test_what_was_redacted_is_clean(tmp_path):
    (tmp_path / "stream.sse").write_bytes(fresh().data(EVENT))
    (tmp_path / "curl.headers").write_bytes(b"Set-Cookie: sid=<secret:cookie:12345678>; Path=/\r\n\r\n")
    assert found(tmp_path) == []


def test_the_golden_captures_are_clean():
    seen = scan([str(GOLDEN)], Redactor(load()))
    assert seen.found == seen.unread == ()
    assert seen.files > 1000


def test_what_can_not_be_read_is_told(tmp_path):
    (tmp_path / "cut.log.gz").write_bytes(gzip.compress(EVENT * 100)[:60])
    os.mkfifo(tmp_path / "pipe.sse")
    (tmp_path / "nowhere.sse").symlink_to(tmp_path / "none")
    seen = scan([str(tmp_path)], Redactor(load()))
    assert sorted(os.path.basename(one.source) for one in seen.unread) == [
        "cut.log.gz",
        "nowhere.sse",
        "pipe.sse",
    ]
    with pytest.raises(CaptureError):
        scan([str(tmp_path / "none")], Redactor(load()))


def test_names_that_are_no_text_are_printable(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.sse"
    with open(path, "wb") as file:
        file.write(EVENT)
    (one,) = scan([str(tmp_path)], Redactor(load())).found
    json.dumps(one.file).encode()
    assert "\\xff" in one.file
