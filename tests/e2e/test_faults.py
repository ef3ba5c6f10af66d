"""Faults on real sockets: what the client saw, what the capture holds, the ending and the verdict.

The first rule of the recorder: the client sees what it would see without it. So most tests send one request to
the upstream itself and one through the recorder, and compare.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable
from contextlib import ExitStack

import brotli
import pytest
import zstandard

from tests.e2e import frames, recording
from tests.e2e.fault_server import SSE, FaultServer, Peer, Refusing
from tests.e2e.raw_client import V1, RawClient, Seen, post, stream_request

CONTEXT = "ctx-faults"
FRAMES = frames.stream(CONTEXT)
ASK = frames.stream(CONTEXT, "INPUT_REQUIRED")
WHOLE = b"".join(FRAMES)
REQUEST = stream_request(context=CONTEXT)


def end_of(folder):
    """Ending and outcome of the one round of the client's leg, the errors found, and the exit code."""
    report, rounds = recording.judged(folder)
    assert len(rounds) == 1
    errors = sorted(f.rule for f in rounds[0].findings if f.severity == "error")
    return rounds[0].ending, rounds[0].outcome, errors, report.exit


def both(folder, script: Callable[[Peer], None], headers=V1) -> tuple[Seen, Seen]:
    """What a client sees of `script` directly, and through a recorder."""
    with recording.before(folder, script) as (upstream, recorder):
        direct = post(upstream.url, REQUEST, headers)
        seen = post(recorder.addresses["client"], REQUEST, headers)
        recording.sealed(folder, 1)
    return direct, seen


# The upstream's faults


def cut_in_a_frame(peer: Peer) -> None:
    peer.head()
    for frame in FRAMES[:2]:
        peer.chunk(frame)
    peer.chunk(FRAMES[2][:40])
    peer.drop()


def cut_in_a_chunk(peer: Peer) -> None:
    peer.head()
    peer.chunk(FRAMES[0])
    peer.send(b"%x\r\n%s" % (len(FRAMES[1]), FRAMES[1][:40]))
    peer.drop()


def cut_of_a_known_length(peer: Peer) -> None:
    peer.head(headers=(*SSE, ("content-length", str(len(WHOLE)))), chunked=False)
    peer.send(FRAMES[0] + FRAMES[1][:40])
    peer.drop()


@pytest.mark.parametrize(
    ("script", "held"),
    [
        (cut_in_a_frame, FRAMES[0] + FRAMES[1] + FRAMES[2][:40]),
        (cut_in_a_chunk, FRAMES[0]),
        (cut_of_a_known_length, FRAMES[0] + FRAMES[1][:40]),
    ],
)
def test_upstream_cut(script, held, tmp_path):
    direct, seen = both(tmp_path, script)
    assert (seen.status, seen.end) == (direct.status, direct.end) == (200, "cut")
    kept = recording.body(recording.only(tmp_path))
    assert kept.startswith(held)
    assert seen.body.startswith(held)
    assert direct.body.startswith(kept)
    assert end_of(tmp_path) == ("upstream_cut", "TRANSPORT_ERROR", ["END505"], 1)


def test_upstream_reset(tmp_path):
    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(FRAMES[0])
        peer.wait(peer.server.go)
        peer.reset()

    with recording.before(tmp_path, script) as (upstream, recorder):
        with RawClient(recorder.addresses["client"]) as client:
            client.ask(REQUEST, V1)
            client.until(FRAMES[0].rstrip())
            upstream.go.set()
            seen = client.rest()
        recording.sealed(tmp_path, 1)
    assert seen.end in ("cut", "reset"), "an error stays an error"
    assert seen.body == FRAMES[0]
    assert recording.body(recording.only(tmp_path)) == FRAMES[0]
    assert end_of(tmp_path) == ("upstream_cut", "TRANSPORT_ERROR", ["END505"], 1)


def test_upstream_ends_without_a_terminal_state(tmp_path):
    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(FRAMES[0])
        peer.end()

    direct, seen = both(tmp_path, script)
    assert seen[2:] == direct[2:] == (FRAMES[0], "clean")
    assert end_of(tmp_path)[:2] == ("clean", "NO_TERMINAL")


def test_upstream_ends_by_closing(tmp_path):
    """No length and no chunks: the end of the connection is the end of the body (RFC 9112, 6.3)."""

    def script(peer: Peer) -> None:
        peer.head(chunked=False)
        peer.send(WHOLE)
        peer.drop()

    direct, seen = both(tmp_path, script)
    assert seen[2:] == direct[2:] == (WHOLE, "clean")
    assert end_of(tmp_path) == ("clean", "COMPLETED", [], 0)


def test_upstream_refuses(tmp_path):
    with Refusing() as upstream, recording.recorder(tmp_path, {"client": upstream.url}) as recorder:
        seen = post(recorder.addresses["client"], REQUEST)
        recording.sealed(tmp_path, 1)
    assert seen.status in (None, 502), "no answer of the agent was made up"
    assert recording.only(tmp_path).head is None
    ending, outcome, errors, code = end_of(tmp_path)
    assert (ending, outcome, code) == ("refused", "TRANSPORT_ERROR", 3), errors


def test_upstream_never_answers_and_the_client_gives_up(tmp_path):
    def script(peer: Peer) -> None:
        peer.until_left()

    with recording.before(tmp_path, script) as (upstream, recorder):
        client = RawClient(recorder.addresses["client"])
        client.ask(REQUEST, V1)
        assert upstream.asked.wait(recording.DEADLINE)
        client.leave()
        assert upstream.left.wait(recording.DEADLINE), "the upstream learns that the client has left"
        recording.sealed(tmp_path, 1)
    assert end_of(tmp_path) == ("client_left", "INCONCLUSIVE", [], 3)


def test_upstream_never_answers_and_the_recorder_stops(tmp_path):
    def script(peer: Peer) -> None:
        peer.until_left()

    with FaultServer(script) as upstream, ExitStack() as stack:
        with recording.recorder(tmp_path, {"client": upstream.url}) as recorder:
            client = stack.enter_context(RawClient(recorder.addresses["client"]))
            client.ask(REQUEST, V1)
            assert upstream.asked.wait(recording.DEADLINE)
        assert client.rest().end in ("none", "reset")
    assert recorder.summary.incomplete == ()
    assert end_of(tmp_path) == ("proxy_stopped", "INCONCLUSIVE", [], 3)


def test_upstream_never_answers_and_our_limit_ends_it(tmp_path):
    def script(peer: Peer) -> None:
        peer.until_left()

    with recording.before(tmp_path, script, timeout=0.2) as (_, recorder):
        seen = post(recorder.addresses["client"], REQUEST)
        recording.sealed(tmp_path, 1)
    assert seen.status != 200
    ending, outcome, errors, code = end_of(tmp_path)
    assert (ending, outcome, errors, code) == ("timeout", "INCONCLUSIVE", [], 3)


@pytest.mark.parametrize("status", [401, 500, 503])
def test_an_http_error_stays_one(status, tmp_path):
    answer = b'{"jsonrpc":"2.0","id":"req-1","error":{"code":-32603,"message":"busy"}}'

    def script(peer: Peer) -> None:
        peer.head(
            status,
            (("content-type", "application/json"), ("content-length", str(len(answer)))),
            chunked=False,
        )
        peer.send(answer)

    direct, seen = both(tmp_path, script)
    assert (seen.status, seen.body, seen.end) == (direct.status, direct.body, direct.end)
    assert recording.body(recording.only(tmp_path)) == answer
    assert end_of(tmp_path) == ("clean", "HTTP_ERROR", ["END504"], 1)


# Encodings and borders


def _pieces(encoding: str) -> list[bytes]:
    """Each frame compressed and flushed, so that a reader can decode it as it comes."""
    if encoding == "br":
        br = brotli.Compressor()
        return [*(br.process(frame) + br.flush() for frame in FRAMES), br.finish()]
    if encoding == "zstd":
        zstd = zstandard.ZstdCompressor().compressobj()
        flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
        return [*(zstd.compress(frame) + zstd.flush(flush) for frame in FRAMES), zstd.flush()]
    window = {"gzip": 31, "deflate": 15, "raw-deflate": -15}[encoding]
    made = zlib.compressobj(wbits=window)
    return [*(made.compress(frame) + made.flush(zlib.Z_SYNC_FLUSH) for frame in FRAMES), made.flush()]


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "raw-deflate"])
def test_compressed_streams_reach_the_client_untouched_and_the_disk_decoded(encoding, tmp_path):
    pieces = _pieces(encoding)
    label = encoding.removeprefix("raw-")

    def script(peer: Peer) -> None:
        peer.head(headers=(*SSE, ("content-encoding", label)))
        for piece in pieces:
            peer.chunk(piece)
        peer.end()

    direct, seen = both(tmp_path, script, (*V1, ("Accept-Encoding", "gzip, br, zstd, deflate")))
    assert seen.body == direct.body == b"".join(pieces)
    assert dict(seen.headers)["content-encoding"] == label
    assert recording.body(recording.only(tmp_path)) == WHOLE
    assert end_of(tmp_path) == ("clean", "COMPLETED", [], 0)
    (journal,) = recording.journals(tmp_path).values()
    assert {"kind": "note", "what": "decoded", "encoding": label}.items() <= _note(journal, "decoded").items()


def test_the_accept_encoding_of_the_client_is_passed_on(tmp_path):
    asked = (*V1, ("Accept-Encoding", "gzip;q=0.5, x-odd"))
    with recording.before(tmp_path, whole) as (upstream, recorder):
        post(recorder.addresses["client"], REQUEST, asked)
        assert b"\r\naccept-encoding: gzip;q=0.5, x-odd\r\n" in upstream.requests[0].lower()


def test_with_identity_the_upstream_is_asked_for_plain_bodies(tmp_path):
    with recording.before(tmp_path, whole, identity=True) as (upstream, recorder):
        post(recorder.addresses["client"], REQUEST, (*V1, ("Accept-Encoding", "gzip")))
        assert b"\r\naccept-encoding: identity\r\n" in upstream.requests[0].lower()


def test_an_encoded_stream_that_is_cut_keeps_what_could_be_decoded(tmp_path):
    pieces = _pieces("gzip")

    def script(peer: Peer) -> None:
        peer.head(headers=(*SSE, ("content-encoding", "gzip")))
        for piece in pieces[:3]:
            peer.chunk(piece)
        peer.drop()

    direct, seen = both(tmp_path, script)
    assert seen.body == direct.body
    assert recording.body(recording.only(tmp_path)) == b"".join(FRAMES[:3])
    assert end_of(tmp_path) == ("upstream_cut", "TRANSPORT_ERROR", ["END505"], 1)


def test_a_body_that_is_not_what_its_encoding_says_passes_untouched(tmp_path):
    def script(peer: Peer) -> None:
        peer.head(headers=(*SSE, ("content-encoding", "gzip")))
        peer.chunk(WHOLE)
        peer.end()

    direct, seen = both(tmp_path, script)
    assert seen.body == direct.body == WHOLE
    assert end_of(tmp_path)[1:] != ("COMPLETED", [], 0) or recording.body(recording.only(tmp_path)) == WHOLE


def test_characters_split_over_chunks(tmp_path):
    def script(peer: Peer) -> None:
        peer.head()
        for at in range(len(WHOLE)):
            peer.chunk(WHOLE[at : at + 1])
        peer.end()

    direct, seen = both(tmp_path, script)
    assert seen.body == direct.body == WHOLE
    assert recording.body(recording.only(tmp_path)) == WHOLE
    assert end_of(tmp_path) == ("clean", "COMPLETED", [], 0)


def whole(peer: Peer) -> None:
    peer.head()
    for frame in FRAMES:
        peer.chunk(frame)
    peer.end()


def test_events_are_not_held_back(tmp_path):
    """Each frame is sent when the client has got the one before: with any delay in between, nothing would move."""

    def script(peer: Peer) -> None:
        peer.head()
        for frame, gate in zip(FRAMES, gates, strict=True):
            peer.chunk(frame)
            peer.wait(gate)
        peer.end()

    gates = [threading.Event() for _ in FRAMES]
    with (
        recording.before(tmp_path, script) as (_, recorder),
        RawClient(recorder.addresses["client"]) as client,
    ):
        client.ask(REQUEST, V1)
        for frame, gate in zip(FRAMES, gates, strict=True):
            client.until(frame)
            assert frame in b"".join(path.read_bytes() for path in tmp_path.glob("*.sse")), (
                "on disk before passed on"
            )
            gate.set()
        assert client.rest()[2:] == (WHOLE, "clean")
        recording.sealed(tmp_path, 1)
    lengths = [
        line["length"]
        for line in next(iter(recording.journals(tmp_path).values()))
        if line["kind"] == "chunk"
    ]
    assert lengths == [len(frame) for frame in FRAMES], "the borders of chunks are those of the wire"


# The client's faults


def test_client_leaves_in_mid_stream(tmp_path):
    def script(peer: Peer) -> None:
        peer.head()
        for frame in FRAMES[:3]:
            peer.chunk(frame)
        peer.until_left()

    with recording.before(tmp_path, script) as (upstream, recorder):
        client = RawClient(recorder.addresses["client"])
        client.ask(REQUEST, V1)
        client.until(FRAMES[2])
        client.leave()
        assert upstream.left.wait(recording.DEADLINE), "the upstream learns that the client has left"
        recording.sealed(tmp_path, 1)
    assert recording.body(recording.only(tmp_path)) == b"".join(FRAMES[:3])
    assert end_of(tmp_path) == ("client_left", "INCONCLUSIVE", [], 3)


@pytest.mark.parametrize("way", ["leave", "reset"])
def test_client_leaves_behind_the_terminal_event_and_before_the_last_chunk(way, tmp_path):
    """As the Java SDK's client does in every good run (java-sdk.md, 1)."""

    def script(peer: Peer) -> None:
        peer.head()
        for frame in FRAMES:
            peer.chunk(frame)
        peer.until_left()

    with recording.before(tmp_path, script) as (_, recorder):
        client = RawClient(recorder.addresses["client"])
        client.ask(REQUEST, V1)
        client.until(FRAMES[-1])
        getattr(client, way)()
        recording.sealed(tmp_path, 1)
    assert recording.body(recording.only(tmp_path)) == WHOLE
    assert end_of(tmp_path) == ("client_left", "COMPLETED", [], 0)


def test_client_leaves_at_input_required_while_the_server_keeps_the_stream_open(tmp_path):
    def script(peer: Peer) -> None:
        peer.head()
        for frame in ASK:
            peer.chunk(frame)
        peer.until_left()

    with recording.before(tmp_path, script) as (_, recorder):
        client = RawClient(recorder.addresses["client"])
        client.ask(REQUEST, V1)
        client.until(ASK[-1])
        client.leave()
        recording.sealed(tmp_path, 1)
    assert recording.body(recording.only(tmp_path)) == b"".join(ASK)
    assert end_of(tmp_path) == ("client_left", "INTERACTION", [], 0)


def test_client_leaves_in_the_middle_of_its_request(tmp_path):
    with recording.before(tmp_path, whole) as (upstream, recorder):
        client = RawClient(recorder.addresses["client"])
        client.ask(REQUEST[:40], V1, told_length=4000)
        client.leave()
        recorder_is_alive = post(recorder.addresses["client"], REQUEST)
        recording.sealed(tmp_path, 1)
    assert recorder_is_alive.body == WHOLE
    assert len(upstream.requests) == 1, "half a request does not reach the agent"


# Many and large


def test_a_hundred_streams_at_once(tmp_path):
    """None ends before all have begun."""
    begun = threading.Semaphore(0)
    go = threading.Event()

    def script(peer: Peer) -> None:
        context = peer.request.rpartition(b'"contextId": "')[2].partition(b'"')[0].decode()
        peer.head()
        first, *rest = frames.stream(context)
        peer.chunk(first)
        begun.release()
        peer.wait(go)
        for frame in rest:
            peer.chunk(frame)
        peer.end()

    names = [f"ctx-{number}" for number in range(100)]
    seen: dict[str, Seen] = {}
    with recording.before(tmp_path, script) as (_, recorder):

        def one(name: str) -> None:
            seen[name] = post(recorder.addresses["client"], stream_request(context=name))

        threads = [threading.Thread(target=one, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for _ in names:
            assert begun.acquire(timeout=recording.DEADLINE)
        go.set()
        for thread in threads:
            thread.join(recording.DEADLINE)
        recording.sealed(tmp_path, 100)
    kept = {one.scenario: recording.body(one) for one in recording.captures(tmp_path)}
    assert kept == {name: b"".join(frames.stream(name)) for name in names}
    assert {name: one.body for name, one in seen.items()} == kept
    report, rounds = recording.judged(tmp_path)
    assert {(one.outcome, one.ending, one.round) for one in rounds} == {("COMPLETED", "clean", 1)}
    assert report.exit == 0


def _note(journal, what):
    return next((line for line in journal if line["kind"] == "note" and line["what"] == what), {})
