"""A redacted copy holds no secret, and is otherwise what it was copied from."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from harness.capture import Body, find
from harness.capture.journal import chunk_times
from harness.capture.naming import Name
from harness.capture.redaction import Redactor, load
from harness.capture.redaction.copy import copy
from harness.capture.redaction.scan import scan
from harness.capture.store import Writer, write_run
from harness.errors import CaptureError, UsageError
from harness.model.capture import Head, Request
from tests.capture.redaction.bodies import PSEUDONYM
from tests.capture.redaction.test_scan import FILES, GOLDEN, SECRET

PLAIN = b'data: {"text":"hello"}\n\n'
SECRET_EVENT = b'data: {"apiKey":"%s","text":"price"}\n\n' % SECRET.encode()


def copied(source: Path, target: Path):
    made = copy(str(source), str(target), Redactor(load(), b"k"))
    left = [path for path in target.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert left == []
    assert scan([str(target)], Redactor(load())).found == ()
    return made


def test_every_kind_of_file(tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    (source / "below").mkdir(parents=True)
    for name, raw in FILES.items():
        if name != "flows.mitm":
            (source / name).write_bytes(raw)
    (source / "below" / "packed.log.gz").write_bytes(gzip.compress(FILES["wire.log"]))
    made = copied(source, target)
    names = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert names == {*FILES, os.path.join("below", "packed.log")} - {"flows.mitm"}
    assert made.files == len(names)
    assert made.unread == ()
    for name in set(FILES) - {"flows.mitm"}:
        written = (target / name).read_bytes().decode()
        assert PSEUDONYM.sub(SECRET, written).encode() == FILES[name]


def native(folder: Path) -> None:
    """A capture whose secret arrived in three chunks, and whose end was cut."""
    folder.mkdir()
    request = Request("POST", f"/a2a?token={SECRET}&x=1", (("authorization", f"Bearer {SECRET}"),), "{}")
    with Writer(str(folder), Name("DA-01", "A2A_STREAM"), request, 1) as writer:
        writer.response(Head(200, (("content-type", "text/event-stream"), ("set-cookie", f"a={SECRET}"))), 2)
        for at, data in enumerate(
            (PLAIN, SECRET_EVENT[:25], SECRET_EVENT[25:30], SECRET_EVENT[30:], PLAIN, b"data: {")
        ):
            writer.chunk(3 + at, data)
        writer.note("decoded", encoding="gzip", text=f"Bearer {SECRET}")
        writer.seal("upstream_cut", 99, f"reset by http://user:{SECRET}@host")
    write_run(str(folder), {"id": "run-1", "system": {"api_key": SECRET}})


def test_a_native_capture_keeps_its_times_and_its_offsets(tmp_path):
    native(tmp_path / "in")
    copied(tmp_path / "in", tmp_path / "out")
    (one,) = find([str(tmp_path / "out")]).captures
    body = b"".join(Body(one).chunks())
    assert PSEUDONYM.sub(SECRET, body.decode()).encode() == PLAIN + SECRET_EVENT + PLAIN + b"data: {"
    assert one.ending == "upstream_cut"
    assert one.ending_text.startswith("reset by http://user:<secret:")
    assert one.request is not None
    assert one.request.headers[0][1].startswith("Bearer <secret:authorization:")
    assert one.unread == ()
    chunks = list(chunk_times(str(next((tmp_path / "out").glob("*.jsonl")))))
    assert [chunk.at_ns for chunk in chunks] == [3, 4, 6, 7, 8]
    assert [chunk.offset for chunk in chunks] == [sum(c.length for c in chunks[:at]) for at in range(5)]
    assert sum(chunk.length for chunk in chunks) == len(body)
    assert body[chunks[3].offset :].startswith(PLAIN)


def test_equal_secrets_stay_equal_over_files(tmp_path):
    native(tmp_path / "in")
    copied(tmp_path / "in", tmp_path / "out")
    texts = "".join(path.read_text() for path in sorted((tmp_path / "out").iterdir()))
    assert len({one[-9:-1] for one in PSEUDONYM.findall(texts)}) == 1


def test_a_capture_without_secrets_is_copied_as_it_is(tmp_path):
    source = GOLDEN / "openjiuwen-on-java-sdk"
    made = copied(source, tmp_path / "out")
    assert made.secrets == 0
    for path in source.iterdir():
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


def test_a_single_file(tmp_path):
    (tmp_path / "a.sse").write_bytes(SECRET_EVENT)
    assert copied(tmp_path / "a.sse", tmp_path / "out").files == 1
    assert (tmp_path / "out" / "a.sse").exists()


def test_what_is_no_text_is_told_and_not_copied(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "flows.mitm").write_bytes(FILES["flows.mitm"])
    (tmp_path / "in" / "picture.png").write_bytes(b"\x89PNG\x00")
    made = copied(tmp_path / "in", tmp_path / "out")
    assert [os.path.basename(one.source) for one in made.unread] == ["flows.mitm", "picture.png"]
    assert made.files == 0


def test_places_that_a_copy_may_not_have(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    for target in (tmp_path / "in", tmp_path / "in" / "out", tmp_path / "full", tmp_path / "full" / "x"):
        with pytest.raises(UsageError):
            copy(str(tmp_path / "in"), str(target), Redactor(load()))
    with pytest.raises(CaptureError):
        copy(str(tmp_path / "none"), str(tmp_path / "out"), Redactor(load()))


def test_a_journal_with_torn_and_foreign_lines(tmp_path):
    native(tmp_path / "in")
    (journal,) = (tmp_path / "in").glob("*.jsonl")
    lines = journal.read_bytes().split(b"\n")
    lines[3:3] = [b'{"kind":"chunk","at_ns":0,"offset":"x"}', b"[1]"]
    journal.write_bytes(b"\n".join(lines[:-2]) + b'\n{"kind":"note","apiKey":"%s' % SECRET.encode())
    copied(tmp_path / "in", tmp_path / "out")
    (one,) = find([str(tmp_path / "out")]).captures
    assert one.ending == "unsealed"
    assert json.loads((tmp_path / "out" / "run.json").read_text())["run"] == 1
