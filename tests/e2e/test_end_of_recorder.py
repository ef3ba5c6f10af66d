"""The recorder's own end: SIGTERM seals, kill -9 loses nothing that the client got, a full disk disturbs nobody."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import frames, recorder_process, recording
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.raw_client import V1, RawClient, post, stream_request

CONTEXT = "ctx-end"
FRAMES = frames.stream(CONTEXT)
WHOLE = b"".join(FRAMES)
REQUEST = stream_request(context=CONTEXT)


def two_then_wait(peer: Peer) -> None:
    peer.head()
    peer.chunk(FRAMES[0])
    peer.chunk(FRAMES[1] + FRAMES[2][:40])
    peer.until_left()


def all_but_the_last_chunk(peer: Peer) -> None:
    peer.head()
    for frame in FRAMES:
        peer.chunk(frame)
    peer.until_left()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_seals(number, tmp_path):
    with FaultServer(two_then_wait) as upstream, recorder_process.running(upstream.url, tmp_path) as process:
        with RawClient(process.url) as client:
            client.ask(REQUEST, V1)
            client.until(FRAMES[2][:40])
            process.popen.send_signal(number)
            seen = client.rest()
        told = process.popen.communicate(timeout=recording.DEADLINE)[1]
    assert process.popen.returncode == 0, told
    assert "1 rounds, 1 exchanges, all recorded" in told
    assert (seen.body, seen.end) == (FRAMES[0] + FRAMES[1] + FRAMES[2][:40], "cut")
    assert recording.body(recording.only(process.run_dir)) == seen.body
    report, (round,) = recording.judged(process.run_dir)
    assert (round.ending, round.outcome, report.exit) == ("proxy_stopped", "INCONCLUSIVE", 3)


def test_a_signal_behind_the_end_of_the_task_leaves_a_whole_round(tmp_path):
    with (
        FaultServer(all_but_the_last_chunk) as upstream,
        recorder_process.running(upstream.url, tmp_path) as process,
        RawClient(process.url) as client,
    ):
        client.ask(REQUEST, V1)
        client.until(FRAMES[-1])
        process.popen.terminate()
        assert process.popen.wait(recording.DEADLINE) == 0
    report, (round,) = recording.judged(process.run_dir)
    assert (round.ending, round.outcome, report.exit) == ("proxy_stopped", "COMPLETED", 0)


@pytest.mark.parametrize(
    ("script", "outcome"), [(two_then_wait, "INCONCLUSIVE"), (all_but_the_last_chunk, "COMPLETED")]
)
def test_kill_loses_nothing_that_the_client_got(script, outcome, tmp_path):
    with (
        FaultServer(script) as upstream,
        recorder_process.running(upstream.url, tmp_path) as process,
        RawClient(process.url) as client,
    ):
        client.ask(REQUEST, V1)
        client.until(FRAMES[-1] if outcome == "COMPLETED" else FRAMES[2][:40])
        process.popen.kill()
        seen = client.rest()
    assert recording.body(recording.only(process.run_dir)) == seen.body
    (journal,) = recording.journals(process.run_dir).values()
    assert sum(line["length"] for line in journal if line["kind"] == "chunk") == len(seen.body)
    _, (round,) = recording.judged(process.run_dir)
    assert (round.ending, round.outcome) == ("unsealed", outcome)


def test_kill_in_the_midst_of_a_flood_loses_nothing_that_the_client_got(tmp_path):
    opening, piece = FRAMES[:3], frames.artifact(CONTEXT, "x" * 400, append=True)

    def script(peer: Peer) -> None:
        peer.head()
        for frame in opening:
            peer.chunk(frame)
        while True:
            peer.chunk(piece)

    with (
        FaultServer(script) as upstream,
        recorder_process.running(upstream.url, tmp_path) as process,
        RawClient(process.url) as client,
    ):
        client.ask(REQUEST, V1)
        while len(client.raw) < 5_000_000:
            client.more()
        process.popen.kill()
        seen = client.rest()
    kept = recording.body(recording.only(process.run_dir))
    (journal,) = recording.journals(process.run_dir).values()
    waiting = journal[-1]["bytes"] if journal[-1].get("what") == "held" else 0
    assert waiting <= 4096
    assert len(seen.body) <= len(kept) + waiting, (
        "only the tail of an unfinished frame may be missing, and is told"
    )
    sent = b"".join(opening) + piece * (len(seen.body) // len(piece) + 1 + len(kept) // len(piece))
    assert sent.startswith(kept)
    assert sent.startswith(seen.body)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB. Only root may mount one; else the test beside this one injects the error."""
    folder = tmp_path / "small"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small file system; test_write_errors injects the error instead")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here; test_write_errors injects the error instead")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def three_megabytes(peer: Peer) -> None:
    peer.head()
    first, working, piece, last, done = FRAMES
    for frame in (first, working, piece):
        peer.chunk(frame)
    for _ in range(3 * 1024):
        peer.chunk(frames.artifact(CONTEXT, "x" * 800, append=True))
    for frame in (last, done):
        peer.chunk(frame)
    peer.end()


def test_a_full_disk(small_disk):
    with FaultServer(three_megabytes) as upstream:
        direct = post(upstream.url, REQUEST)
        with recording.recorder(small_disk / "run", {"client": upstream.url}) as recorder:
            seen = post(recorder.addresses["client"], REQUEST)
            again = post(recorder.addresses["client"], REQUEST)
    assert seen.body == again.body == direct.body, "traffic goes on"
    assert seen.end == again.end == "clean"
    assert recorder.summary.incomplete
    report, rounds = recording.judged(small_disk / "run")
    assert {one.outcome for one in rounds} <= {"INCONCLUSIVE"}
    assert report.exit == 3


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT])
def test_write_errors(number, tmp_path, monkeypatch):
    """The third write of a body fails, and every one behind it."""
    real, failing = os.write, threading.Event()

    def write(fd, data):
        if b"done" in bytes(data):
            failing.set()
        if failing.is_set() and os.readlink(f"/proc/self/fd/{fd}").startswith(str(tmp_path)):
            raise OSError(number, os.strerror(number))
        return real(fd, data)

    def script(peer: Peer) -> None:
        peer.head()
        for frame in FRAMES:
            peer.chunk(frame)
        peer.end()

    with recording.before(tmp_path, script) as (_, recorder), monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        seen = post(recorder.addresses["client"], REQUEST)
    assert (seen.body, seen.end) == (WHOLE, "clean")
    assert failing.is_set()
    assert recorder.summary.incomplete
    told = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert told["incomplete"]
    report, (round,) = recording.judged(tmp_path)
    assert (round.outcome, report.exit) == ("INCONCLUSIVE", 3)


def test_a_folder_that_can_not_be_made_stops_no_traffic(tmp_path):
    (tmp_path / "file").write_text("not a folder")

    def script(peer: Peer) -> None:
        peer.head()
        for frame in FRAMES:
            peer.chunk(frame)
        peer.end()

    with recording.before(tmp_path / "file" / "run", script) as (_, recorder):
        seen = post(recorder.addresses["client"], REQUEST)
    assert (seen.body, seen.end) == (WHOLE, "clean")
    assert recorder.summary.incomplete
    assert (tmp_path / "file").read_text() == "not a folder"


@pytest.mark.parametrize(
    "name", ["../out", "a/../../out", "/tmp/harness-out-7f3a/x", "..", "x\0y", "con\nname", "é" * 300]
)
def test_nothing_is_written_outside_the_run_folder(name, tmp_path):
    """The scenario, the context id and the leg are a stranger's words."""

    def script(peer: Peer) -> None:
        peer.head()
        for frame in FRAMES:
            peer.chunk(frame)
        peer.end()

    run = tmp_path / "captures" / "run"
    before = set(tmp_path.rglob("*"))
    with FaultServer(script) as upstream:
        for scenario in (name, None):
            with recording.recorder(run, {"client": upstream.url}, scenario=scenario) as recorder:
                seen = post(recorder.addresses["client"], stream_request(context=name))
            assert seen.body == WHOLE
    outside = [
        path
        for path in {*tmp_path.rglob("*")} - before
        if run not in (path, *path.parents) and path != run.parent
    ]
    assert outside == []
    assert not Path("/tmp/harness-out-7f3a").exists()
    assert len(recording.captures(run)) == 2
