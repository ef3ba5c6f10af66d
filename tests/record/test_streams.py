"""Many streams, slow readers, bytes as they came."""

from __future__ import annotations

import gzip
import os
import threading
import zlib

import pytest

from harness.capture.store import read_run
from harness.pipeline import check
from harness.record import Leg
from tests.record.peers import (
    SSE,
    Client,
    Upstream,
    ask,
    body,
    chunked,
    event,
    get,
    journal,
    post,
    rpc,
    until,
)  # fmt: skip

WORKING, DONE = event(), event("TASK_STATE_COMPLETED")
STEM = "ctx-1-A2A_STREAM-r1.client"


def test_events_are_never_held_back(record, upstream):
    """Each event reaches the client, and the disk, before the upstream sends the next."""
    passed = threading.Semaphore(0)

    def answer(connection, head, data):
        connection.sendall(SSE)
        for number in range(20):
            connection.sendall(chunked(b"data: %d\n\n" % number))
            assert passed.acquire(timeout=10)
        connection.sendall(b"0\r\n\r\n")

    upstream.answer = answer
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        client.send(post(rpc()))
        for number in range(20):
            client.until(b"data: %d\n\n" % number)
            assert body(recorder.run_dir, STEM).endswith(b"data: %d\n\n" % number)
            passed.release()
        client.until(b"0\r\n\r\n")


def test_a_hundred_streams_at_once(record, upstream):
    gate = threading.Barrier(100)

    def answer(connection, head, data):
        gate.wait(30)
        connection.sendall(SSE + chunked(*[WORKING] * 20, DONE) + b"0\r\n\r\n")

    upstream.answer = answer
    seen = []

    def one(number):
        seen.append(ask(recorder.addresses["client"], post(rpc(context=f"c-{number}"))))

    with record() as recorder:
        threads = [threading.Thread(target=one, args=(number,)) for number in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(seen) == 100
    assert all(one.endswith(chunked(*[WORKING] * 20, DONE) + b"0\r\n\r\n") for one in seen)
    assert recorder.summary.sealed == 100
    assert {body(recorder.run_dir, f"c-{n}-A2A_STREAM-r1.client") for n in range(100)} == {
        WORKING * 20 + DONE
    }


def test_a_slow_reader_slows_the_upstream_down(record, upstream):
    """What the client does not read is not taken from the upstream: memory stays flat."""
    sent = []
    piece = chunked(b"data: " + b"x" * 60_000 + b"\n\n")

    def answer(connection, head, data):
        connection.sendall(SSE)
        connection.settimeout(1)
        try:
            for number in range(2000):
                connection.sendall(piece)
                sent.append(number)
        except TimeoutError:
            sent.append("stopped")
            return

    upstream.answer = answer
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        client.send(post(rpc())).until(b"data: ")
        until(lambda: "stopped" in sent, "back pressure at the upstream")
    assert len(sent) < 1500


def test_an_utf8_character_split_over_chunks(record, upstream):
    data = "data: \u4f60\u597d\n\n".encode()
    upstream.stream(data[:7], data[7:8], data[8:])
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    assert seen.endswith(chunked(data[:7], data[7:8], data[8:]) + b"0\r\n\r\n")
    assert body(recorder.run_dir, STEM) == data


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_compressed_stream_is_decoded_for_the_disk(record, upstream, encoding):
    pieces = packed(encoding, [WORKING, DONE])
    head = SSE.replace(b"\r\n\r\n", b"\r\nContent-Encoding: %s\r\n\r\n" % encoding.encode())
    upstream.answer = lambda connection, *_: connection.sendall(head + chunked(*pieces) + b"0\r\n\r\n")
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc(), headers=[f"Accept-Encoding: {encoding}"]))
    assert seen.endswith(chunked(*pieces) + b"0\r\n\r\n")
    assert f"accept-encoding: {encoding}" in upstream.requests[0][0].lower()
    assert body(recorder.run_dir, STEM) == WORKING + DONE
    lines = journal(recorder.run_dir, STEM)
    assert {"kind": "note", "what": "decoded", "encoding": encoding} in lines
    (round,) = check([recorder.run_dir]).rounds
    assert round.outcome == "COMPLETED"


def packed(encoding, texts):
    if encoding == "br":
        import brotli

        packer = brotli.Compressor()
        return [packer.process(text) + packer.flush() for text in texts] + [packer.finish()]
    if encoding == "zstd":
        import zstandard

        made = zstandard.ZstdCompressor().compressobj()
        flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
        return [made.compress(text) + made.flush(flush) for text in texts] + [made.flush()]
    packer = zlib.compressobj(wbits=31 if encoding == "gzip" else 15)
    return [packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH) for text in texts] + [packer.flush()]


def test_plain_bodies_may_be_asked_for(record, upstream):
    upstream.stream(DONE)
    with record(identity=True) as recorder:
        ask(recorder.addresses["client"], post(rpc(), headers=["Accept-Encoding: gzip"]))
    assert "accept-encoding: identity" in upstream.requests[0][0].lower()
    assert read_run(recorder.run_dir)["identity"] is True


def test_an_unknown_encoding_is_told(record, upstream):
    head = SSE.replace(b"\r\n\r\n", b"\r\nContent-Encoding: rot13\r\n\r\n")
    upstream.answer = lambda connection, *_: connection.sendall(head + chunked(b"qngn") + b"0\r\n\r\n")
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc()))
    assert body(recorder.run_dir, STEM) == b"qngn"
    assert any(line.get("what") == "not-decoded" for line in journal(recorder.run_dir, STEM))


def test_the_jdks_upgrade_to_h2c_is_taken_off(record, upstream):
    upstream.stream(DONE)
    lines = [
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
    ]
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(), headers=lines))
    head = upstream.requests[0][0].lower()
    assert "upgrade" not in head
    assert "http2-settings" not in head
    assert ["upgrade", "h2c"] in journal(recorder.run_dir, STEM)[0]["headers"]


def test_the_host_header_is_the_listeners(record, upstream):
    with record() as recorder:
        ask(recorder.addresses["client"], get("/health", "recorder.example:1"), b"ok")
    assert "host: recorder.example:1" in upstream.requests[0][0].lower()


def test_the_host_header_may_be_the_upstreams(record, upstream):
    with record(upstream_host=True) as recorder:
        ask(recorder.addresses["client"], get("/health"), b"ok")
    assert f"host: 127.0.0.1:{upstream.port}" in upstream.requests[0][0].lower()


def test_what_is_no_round_may_be_left_out(record, upstream):
    with record(leave_out_other=True) as recorder:
        ask(recorder.addresses["client"], get("/health"), b"ok")
    assert os.listdir(recorder.run_dir) == ["run.json"]
    assert recorder.summary.exchanges == 0


def test_the_legs_of_one_round(record, upstream):
    with Upstream() as remote, Upstream() as model:
        remote.stream(event("TASK_STATE_COMPLETED", "r1", "ctx-1_1_call"))
        model.stream(b'data: {"choices":[]}\n\n')

        def answer(connection, head, data):
            ask(recorder.addresses["llm"], post(b'{"model":"m","messages":[]}', "/v1/chat/completions"))
            ask(recorder.addresses["search-agent"], post(rpc(context="ctx-1_1_call")))
            connection.sendall(SSE + chunked(DONE) + b"0\r\n\r\n")

        upstream.answer = answer
        legs = [
            Leg(name, one.url, ("127.0.0.1", 0))
            for name, one in (("client", upstream), ("search-agent", remote), ("llm", model))
        ]
        with record(legs=tuple(legs)) as recorder:
            ask(recorder.addresses["client"], post(rpc()))
    stems = {one["stem"] for one in read_run(recorder.run_dir)["exchanges"]}
    assert stems == {STEM, "ctx-1-A2A_STREAM-r1.search-agent.1", "ctx-1-LLM-r1.llm.1"}
    assert {round.leg for round in check([recorder.run_dir]).rounds} == {"client", "search-agent"}


def test_two_recorders_beside_each_other(record, tmp_path, upstream):
    """A recorder in front of a recorder: no state is shared."""
    from harness.record import Recorder, Settings

    upstream.stream(WORKING, DONE)
    with record() as inner:
        legs = (Leg("client", inner.addresses["client"], ("127.0.0.1", 0)),)
        with Recorder(Settings(legs, str(tmp_path / "outer"))) as outer:
            ask(outer.addresses["client"], post(rpc()))
    assert body(inner.run_dir, STEM) == body(outer.run_dir, STEM) == WORKING + DONE


def test_it_can_be_entered_from_a_loop(record, upstream):
    import asyncio

    upstream.stream(DONE)

    async def main():
        async with record() as recorder:
            return await asyncio.to_thread(ask, recorder.addresses["client"], post(rpc()))

    assert asyncio.run(main()).endswith(b"0\r\n\r\n")


def test_it_stops_after_rounds(record, upstream):
    upstream.stream(DONE)
    with record(stop_rounds=2) as recorder:
        ask(recorder.addresses["client"], post(rpc()))
        assert not recorder.done.is_set()
        ask(recorder.addresses["client"], post(rpc()))
        assert recorder.done.wait(10)
    assert recorder.summary.rounds == 2


def test_a_damaged_gzip_body_passes_and_is_told(record, upstream):
    raw = gzip.compress(WORKING + DONE)[:-12]
    head = SSE.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    upstream.answer = lambda connection, *_: connection.sendall(head + chunked(raw) + b"0\r\n\r\n")
    with record() as recorder:
        seen = ask(recorder.addresses["client"], post(rpc()))
    assert seen.endswith(chunked(raw) + b"0\r\n\r\n")
    assert any(line.get("what") == "not-decoded" for line in journal(recorder.run_dir, STEM))


def test_http_2_without_tls_is_cut_and_told(record, upstream):
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        client.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").rest()
    assert upstream.requests == []
    assert any("HTTP/2 without TLS" in one for one in recorder.summary.warnings)
    assert recorder.summary.incomplete == ()


def test_what_is_no_request_is_told(record, upstream):
    with record() as recorder, Client(recorder.addresses["client"]) as client:
        assert client.send(b"NONSENSE\r\n\r\n").rest().startswith(b"HTTP/1.1 400 ")
    assert upstream.requests == []
    assert any("no HTTP request" in one for one in recorder.summary.warnings)
