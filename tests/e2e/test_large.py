"""Large and endless streams and slow readers: everything is on disk, and memory stays flat."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import frames, recorder_process, recording
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.raw_client import V1, RawClient, stream_request

pytestmark = pytest.mark.slow

CONTEXT = "ctx-large"
TOTAL = 200 << 20
FLAT = 24 << 20
"""Bytes by which a recorder's memory may grow, whatever passes."""
BUFFERED = 32 << 20
"""Bytes that may be under way between an upstream and a reader that does not read: buffers of the kernel."""
PIECE = frames.artifact(CONTEXT, "words of an answer " * 10, append=True)


@pytest.fixture
def captures(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "captures"
    shutil.rmtree(tmp_path / "captures", ignore_errors=True)


class Large:
    """A stream of `total` bytes and more; `total` None: without an end."""

    def __init__(self, total: int | None) -> None:
        self.total = total
        self.sent = 0
        self.digest = hashlib.sha256()

    def __call__(self, peer: Peer) -> None:
        peer.head()
        first, working, piece, last, done = frames.stream(CONTEXT)
        block = PIECE * 64
        for part in (first, working, piece):
            self.send(peer, part)
        while self.total is None or self.sent < self.total:
            self.send(peer, block)
        for part in (last, done):
            self.send(peer, part)
        peer.end()

    def send(self, peer: Peer, part: bytes) -> None:
        peer.chunk(part)
        self.sent += len(part)
        self.digest.update(part)


def standstill(large: Large) -> None:
    """Wait until the upstream can send no more because nobody reads."""
    seen, since = -1, time.monotonic()

    def still() -> bool:
        nonlocal seen, since
        if large.sent != seen:
            seen, since = large.sent, time.monotonic()
        return seen > 0 and time.monotonic() - since > 0.5

    recording.until(still, "the upstream to be held back")


def test_a_slow_reader_holds_the_upstream_back_and_costs_no_memory(captures):
    large = Large(TOTAL)
    with (
        FaultServer(large) as upstream,
        recorder_process.running(upstream.url, captures) as process,
        RawClient(process.url) as client,
    ):
        before = process.peak()
        client.small_window()
        client.ask(stream_request(context=CONTEXT), V1)
        for _ in range(3):
            read = large.sent
            standstill(large)
            assert large.sent - read < BUFFERED, "more was taken from the upstream than the reader can have"
            client.count(8 << 20)
        assert client.count() > 0
        recording.sealed(process.run_dir, 1)
        grown = process.peak() - before
    assert grown < FLAT, f"memory grew by {grown >> 20} MB"
    kept = Path(recording.only(process.run_dir).path)
    assert hashlib.sha256(kept.read_bytes()).digest() == large.digest.digest()
    report, (round,) = recording.judged(process.run_dir)
    assert (round.outcome, round.ending, report.exit) == ("COMPLETED", "clean", 0)


def test_a_stream_without_an_end(captures):
    large = Large(None)
    with FaultServer(large) as upstream, recorder_process.running(upstream.url, captures) as process:
        before = process.peak()
        client = RawClient(process.url)
        client.ask(stream_request(context=CONTEXT), V1)
        assert client.count(TOTAL // 2) >= TOTAL // 2
        client.leave()
        assert upstream.left.wait(recording.DEADLINE)
        recording.sealed(process.run_dir, 1)
        grown = process.peak() - before
    assert grown < FLAT, f"memory grew by {grown >> 20} MB"
    report, (round,) = recording.judged(process.run_dir)
    assert (round.outcome, round.ending, report.exit) == ("INCONCLUSIVE", "client_left", 3)


def test_an_answer_without_frames(captures):
    """One event of 24 MB: no frame ends, nothing is held back, and the line is too long to be judged."""
    text = "x" * (24 << 20)

    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(b"data: ")
        for at in range(0, len(text), 1 << 16):
            peer.chunk(text[at : at + (1 << 16)].encode())
        peer.end()

    with FaultServer(script) as upstream, recorder_process.running(upstream.url, captures) as process:
        before = process.peak()
        with RawClient(process.url) as client:
            client.ask(stream_request(context=CONTEXT), V1)
            assert client.count(len(text)) >= len(text)
            recording.sealed(process.run_dir, 1)
        grown = process.peak() - before
    assert grown < FLAT, f"memory grew by {grown >> 20} MB"
    assert Path(recording.only(process.run_dir).path).stat().st_size == len(text) + 6


def test_many_exchanges_one_after_the_other(captures):
    """A recorder runs for days: a finished exchange leaves next to nothing behind."""
    sent = frames.stream(CONTEXT)

    def script(peer: Peer) -> None:
        peer.head()
        for frame in sent:
            peer.chunk(frame)
        peer.end()

    def talk(process: recorder_process.Process, start: int, count: int) -> None:
        for number in range(start, start + count):
            with RawClient(process.url) as client:
                client.ask(stream_request(context=f"ctx-{number}"), V1)
                assert client.rest().end == "clean"

    with FaultServer(script) as upstream, recorder_process.running(upstream.url, captures, "-q") as process:
        talk(process, 0, 300)
        before = process.peak()
        talk(process, 300, 1000)
        grown = process.peak() - before
    assert grown < FLAT, f"memory grew by {grown >> 20} MB"
