"""The disk fails, the traffic does not."""

from __future__ import annotations

import errno
import os

import pytest

from harness.capture import store
from harness.pipeline import check
from harness.record import Leg, Recorder, Settings
from tests.record.peers import ask, body, chunked, event, journal, post, rpc

WORKING, DONE = event(), event("TASK_STATE_COMPLETED")
WHOLE = chunked(WORKING, DONE) + b"0\r\n\r\n"


class Disk:
    """Refuses writes once `after` bytes of body and journal were taken."""

    def __init__(self, monkeypatch, after):
        self.left = after
        write = os.write

        def limited(fd, data):
            if self.left <= 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self.left -= len(data)
            return write(fd, data)

        monkeypatch.setattr(store.os, "write", limited)


@pytest.mark.parametrize("after", [0, 100, 700, 900])
def test_a_full_disk(record, upstream, monkeypatch, after):
    upstream.stream(WORKING, DONE)
    with record() as recorder:
        Disk(monkeypatch, after)
        seen = ask(recorder.addresses["client"], post(rpc()))
        monkeypatch.undo()
    assert seen.endswith(WHOLE)
    assert "No space left on device" in recorder.summary.incomplete[0]
    report = check([recorder.run_dir])
    assert report.exit == 3
    assert any("No space left on device" in one.reason for one in report.unread)


def test_a_disk_that_stays_full(record, upstream, monkeypatch):
    """Not even run.json can be written anew: what is missing is told in its place."""
    from harness.record import run

    def full(folder, facts):
        with open(os.path.join(folder, "run.json.new"), "w"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    upstream.stream(WORKING, DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc()))
        Disk(monkeypatch, 0)
        seen = ask(recorder.addresses["client"], post(rpc()))
        monkeypatch.undo()
        monkeypatch.setattr(run, "write_run", full)
    assert seen.endswith(WHOLE)
    assert not os.path.exists(os.path.join(recorder.run_dir, "run.json.new"))
    report = check([recorder.run_dir])
    assert [round.outcome for round in report.rounds] == ["COMPLETED"]
    assert report.exit == 3


def test_the_next_exchange_is_recorded_when_there_is_room_again(record, upstream, monkeypatch):
    upstream.stream(WORKING, DONE)
    with record() as recorder:
        Disk(monkeypatch, 100)
        ask(recorder.addresses["client"], post(rpc()))
        monkeypatch.undo()
        ask(recorder.addresses["client"], post(rpc()))
    assert body(recorder.run_dir, "ctx-1-A2A_STREAM-r2.client") == WORKING + DONE
    assert check([recorder.run_dir]).exit == 3


def test_a_folder_that_can_not_be_made(tmp_path, upstream):
    (tmp_path / "file").write_text("in the way")
    upstream.stream(WORKING, DONE)
    legs = (Leg("client", upstream.url, ("127.0.0.1", 0)),)
    with Recorder(Settings(legs, str(tmp_path / "file" / "run"))) as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    assert seen.endswith(WHOLE)
    assert recorder.summary.incomplete
    assert (recorder.summary.exchanges, recorder.summary.sealed) == (1, 0)


def test_nothing_is_written_outside_the_run_folder(tmp_path, record, upstream):
    upstream.stream(WORKING, DONE)
    with record(
        legs=(Leg("client", upstream.url, ("127.0.0.1", 0)), Leg("../up", upstream.url, ("127.0.0.1", 0)))
    ) as recorder:
        ask(recorder.addresses["client"], post(rpc(context="../../etc/x")))
        ask(recorder.addresses["client"], post(rpc(context="/" + "a" * 3000)))
        ask(recorder.addresses["../up"], post(rpc(context="x/../../y")))
    assert os.listdir(tmp_path) == ["run"]
    names = [name for name in os.listdir(recorder.run_dir) if name.endswith(".sse")]
    assert len(names) == 3
    assert all(len(name) < 255 and "/" not in name for name in names)
    assert recorder.summary.incomplete == ()


def test_a_request_beyond_what_is_kept_passes_whole(record, upstream):
    size = 3 << 20
    large = rpc(pad="x" * size)
    upstream.stream(DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(large))
    assert upstream.requests[0][1] == large
    (stem,) = [name[:-4] for name in os.listdir(recorder.run_dir) if name.endswith(".sse")]
    request, *rest = journal(recorder.run_dir, stem)
    assert len(request["body"]) == 1 << 20
    assert {"kind": "note", "what": "request-cut", "kept": 1 << 20, "size": len(large)} in rest


def test_a_chunked_request_passes_and_is_kept(record, upstream):
    upstream.stream(DONE)
    data = rpc()
    head = b"POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with record() as recorder:
        ask(recorder.addresses["client"], head + chunked(data[:20], data[20:]) + b"0\r\n\r\n")
    assert journal(recorder.run_dir, "ctx-1-A2A_STREAM-r1.client")[0]["body"] == data.decode()
    assert upstream.requests[0][1].endswith(b"0\r\n\r\n")
