"""What a client gets from the replay: bytes, chunks, heads, endings; over real sockets."""

from __future__ import annotations

import json
import socket
import threading
import time
from itertools import accumulate

import httpx
import pytest

from harness.capture.discover import find
from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.errors import CaptureError, UsageError
from harness.model.capture import Head, Request
from harness.replay import Served, Server
from harness.replay import server as server_module
from tests.replay.exchanges import (
    BODIES,
    JSON,
    SSE,
    Raw,
    chunks,
    frame,
    get,
    post,
    record,
    rpc,
    split,
    status,
)

BODY = BODIES
ASK = rpc("SendStreamingMessage", "hi", contextId="ctx")
DEADLINE_S = 10


def one(server: Server, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """One request over a connection of its own, to its end."""
    with Raw(server.address) as raw:
        raw.send(request)
        return split(raw.all())


def asked(body: str = ASK, *more: str) -> bytes:
    return post("/a2a/", body, "Connection: close", *more)


# bytes and chunks


def test_bytes_chunks_status_and_headers_are_those_recorded(tmp_path) -> None:
    with Server([record(tmp_path, BODY, gap_ns=1000)]) as server:
        code, headers, rest = one(server, asked())
    assert code == 200
    assert headers == {
        "content-type": "text/event-stream",
        "x-own": "kept",
        "transfer-encoding": "chunked",
        "connection": "close",
    }
    assert chunks(rest) == ([*BODY], True, 0)


@pytest.mark.parametrize("speed", [0, 1, 1000])
def test_httpx_gets_the_body_with_its_borders(tmp_path, speed: float) -> None:
    """A read of the client may end inside a chunk, so it may see more borders, but never fewer."""
    with Server([record(tmp_path, BODY)], speed=speed) as server, httpx.Client() as client:
        for _ in range(2):
            with client.stream("POST", f"{server.address}/a2a/", content=ASK) as answer:
                got = [*answer.iter_raw()]
            assert b"".join(got) == b"".join(BODY)
            assert {*accumulate(map(len, got))} >= {*accumulate(map(len, BODY))}


def test_a_connection_is_used_again_and_requests_may_be_sent_ahead(tmp_path) -> None:
    with Server([record(tmp_path, BODY)], speed=0) as server, Raw(server.address) as raw:
        raw.send(post("/a2a/", ASK) * 2 + get("/nope") + asked())
        got = raw.all()
    assert got.count(b"HTTP/1.1 200 OK\r\n") == 3
    assert got.count(b"HTTP/1.1 404 Not Found\r\n") == 1


def test_a_document_has_its_length(tmp_path) -> None:
    head = Head(404, (*JSON, ("content-length", "7")))
    with Server([record(tmp_path, (b'{"a"', b":1}"), head=head)], speed=0) as server:
        code, headers, rest = one(server, asked())
    assert (code, headers["content-length"], rest) == (404, "7", b'{"a":1}')


def test_a_body_that_was_compressed_goes_out_as_it_is_on_disk(tmp_path) -> None:
    head = Head(200, (*JSON, ("content-encoding", "gzip"), ("content-length", "99")))
    with Server([record(tmp_path, (b'{"a":1}',), head=head)], speed=0) as server:
        _, headers, rest = one(server, asked())
    assert "content-encoding" not in headers
    assert (headers["content-length"], rest) == ("7", b'{"a":1}')


def test_http_1_0_gets_a_body_that_ends_with_the_connection(tmp_path) -> None:
    request = asked().replace(b"HTTP/1.1", b"HTTP/1.0")
    with Server([record(tmp_path, BODY)], speed=0) as server:
        _, headers, rest = one(server, request)
    assert "transfer-encoding" not in headers
    assert rest == b"".join(BODY)


def test_head_and_options(tmp_path) -> None:
    card = Request("GET", "/card", (), None)
    captures = [
        record(tmp_path, (b"{}",), request=card, name=Name("o", "OTHER"), head=Head(200, JSON)),
        record(tmp_path, BODY),
    ]
    with Server(captures, speed=0) as server:
        code, headers, rest = one(server, get("/card", "Connection: close", method="HEAD"))
        assert (code, headers["content-type"], rest) == (200, "application/json", b"")
        code, headers, rest = one(server, get("/card", "Connection: close", method="OPTIONS"))
        assert (code, headers["allow"], rest) == (204, "GET, HEAD, OPTIONS", b"")
        assert one(server, get("/nope", "Connection: close", method="HEAD"))[::2] == (404, b"")


@pytest.mark.parametrize("code", [204, 304])
def test_a_status_without_a_body(tmp_path, code: int) -> None:
    with Server([record(tmp_path, (), head=Head(code, ()))], speed=0) as server:
        assert one(server, asked())[::2] == (code, b"")


def test_trailers_come_behind_the_last_chunk(tmp_path) -> None:
    asked_for = Request("POST", "/a2a/", (("host", "h"),), ASK)
    with Writer(str(tmp_path), Name("T"), asked_for, 1) as writer:
        writer.response(Head(200, SSE), 2)
        writer.chunk(3, b"data: 1\n\n")
        writer.note("trailers", headers=[["x-sum", "7"], ["bad name", "x"], [1, 2], 3])
        writer.seal("clean", 4)
    with Server(find([str(tmp_path)]).captures, speed=0) as server:
        rest = one(server, asked())[2]
    assert rest.endswith(b"data: 1\n\n\r\n0\r\nx-sum: 7\r\n\r\n")


@pytest.mark.parametrize(
    ("recorded", "sent"),
    [
        ("http://agent:1/a2a?x", "{}/a2a?x"),
        ("https://agent:1", "{}"),
        ("http://agent:10/x", "http://agent:10/x"),
        ("/relative", "/relative"),
    ],
)
def test_a_redirect_to_the_recorded_server_leads_to_the_replay(tmp_path, recorded: str, sent: str) -> None:
    request = Request("POST", "/a2a/", (("host", "agent:1"),), ASK)
    capture = record(tmp_path, (), request=request, head=Head(307, (("location", recorded),)))
    with Server([capture], speed=0) as server:
        assert one(server, asked())[1]["location"] == sent.format("http://h")


def test_hostile_headers_of_a_capture_do_not_split_the_head(tmp_path) -> None:
    head = Head(200, (("x", "a\r\nset-cookie: b"), ("bad name", "x"), ("y", "\ud800é"), *SSE))
    with Server([record(tmp_path, BODY, head=head)], speed=0) as server:
        _, headers, rest = one(server, asked())
    assert "set-cookie" not in headers and "x" not in headers and headers["y"] == "?é"
    assert chunks(rest)[1]


def test_the_gaps_are_kept(tmp_path) -> None:
    """No timing is asserted but the order of moments: nothing comes before its time."""
    capture = record(tmp_path, (b"data: 1\n\n", b"data: 2\n\n"), gap_ns=100_000_000)
    with Server([capture]) as server, Raw(server.address) as raw:
        start = time.monotonic()
        raw.send(asked())
        raw.until(b"data: 1")
        first = time.monotonic() - start
        raw.until(b"data: 2")
        second = time.monotonic() - start
    assert first >= 0.2 and second >= 0.3


# endings


def test_a_cut_between_events_is_cut_again(tmp_path) -> None:
    capture = record(tmp_path, BODY, ending="upstream_cut", text="peer closed connection")
    with Server([capture], speed=0) as server:
        assert chunks(one(server, post("/a2a/", ASK))[2]) == ([*BODY], False, 0)
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.post(f"{server.address}/a2a/", content=ASK)


def test_a_cut_inside_an_event_is_a_cut_inside_a_chunk(tmp_path) -> None:
    capture = record(tmp_path, (*BODY, b'data: {"ha'), ending="upstream_cut")
    with Server([capture], speed=0) as server:
        assert chunks(one(server, post("/a2a/", ASK))[2]) == ([*BODY, b'data: {"ha'], False, 1)


def test_a_document_that_was_cut_keeps_its_promised_length(tmp_path) -> None:
    head = Head(200, (*JSON, ("content-length", "100")))
    with Server([record(tmp_path, (b"{",), head=head, ending="upstream_cut")], speed=0) as server:
        _, headers, rest = one(server, post("/a2a/", ASK))
    assert (headers["content-length"], rest) == ("100", b"{")


def test_a_reset_is_a_reset_and_loses_no_byte(tmp_path) -> None:
    capture = record(tmp_path, BODY, ending="upstream_cut", text="Connection reset by peer")
    with Server([capture], speed=0) as server, Raw(server.address) as raw:
        raw.send(post("/a2a/", ASK))
        assert chunks(split(raw.all())[2])[0] == [*BODY]
        assert raw.reset


def test_an_upstream_that_said_nothing(tmp_path) -> None:
    capture = record(tmp_path, (), head=None, ending="upstream_cut")
    with Server([capture], speed=0) as server, Raw(server.address) as raw:
        raw.send(post("/a2a/", ASK))
        assert raw.all() == b""


@pytest.mark.parametrize("ending", ["client_left", "timeout", "proxy_stopped", None])
def test_an_upstream_that_never_answered(tmp_path, ending: str | None) -> None:
    served: list[Served] = []
    capture = record(tmp_path, (), head=None, ending=ending)
    with Server([capture], speed=0, hold_s=0.01, served=served.append) as server, Raw(server.address) as raw:
        raw.send(post("/a2a/", ASK))
        assert raw.all() == b""
    assert [(one.status, one.end) for one in served] == [(None, "silent")]


def test_an_upstream_that_was_not_there(tmp_path) -> None:
    with Server([record(tmp_path, (), head=None, ending="refused")], speed=0) as server:
        code, _, rest = one(server, asked())
    assert code == 502 and "could not be reached" in json.loads(rest)["error"]


def test_a_stream_that_the_client_left_stays_open_until_it_leaves(tmp_path) -> None:
    served: list[Served] = []
    told = threading.Event()

    def keep(answer: Served) -> None:
        served.append(answer)
        told.set()

    capture = record(tmp_path, BODY, ending="client_left")
    with Server([capture], speed=0, hold_s=DEADLINE_S, served=keep) as server:
        with Raw(server.address) as raw:
            raw.send(post("/a2a/", ASK))
            raw.until(b"COMPLETED")
            assert not told.is_set()
        assert told.wait(DEADLINE_S)
    assert served[0].end == "client_left" and served[0].sent == len(b"".join(BODY))


@pytest.mark.parametrize(
    ("last", "whole"), [("COMPLETED", True), ("INPUT_REQUIRED", True), ("WORKING", False)]
)
@pytest.mark.parametrize("ending", ["client_left", "proxy_stopped", None])
def test_after_the_recorded_time_it_ends_as_the_stream_says(
    tmp_path, last: str, whole: bool, ending: str | None
) -> None:
    capture = record(tmp_path, (frame(status(last)),), ending=ending)
    with Server([capture], speed=0, hold_s=0.01) as server:
        assert chunks(one(server, asked())[2])[1] is whole


# cards, ids, what is not known


def test_a_card_names_the_replay_as_the_client_calls_it(tmp_path) -> None:
    card = {"supportedInterfaces": [{"url": "http://agent:8191/a2a"}], "name": "Ä"}
    capture = record(
        tmp_path,
        (json.dumps(card)[:20].encode(), json.dumps(card)[20:].encode()),
        request=Request("GET", "/.well-known/agent-card.json", (), None),
        head=Head(200, (*JSON, ("content-length", str(len(json.dumps(card)))))),
    )
    with Server([capture], speed=0) as server:
        port = server.address.rpartition(":")[2]
        for host in ("127.0.0.1", "localhost"):
            answer = httpx.get(f"http://{host}:{port}/.well-known/agent-card.json")
            assert answer.json() == {**card, "supportedInterfaces": [{"url": f"http://{host}:{port}/a2a"}]}
        code, _, rest = one(server, get("/.well-known/agent-card.json", "Connection: close", "X: y").replace(
            b"Host: h", b"Host: bad host/"
        ))  # fmt: skip
        assert code == 200 and json.loads(rest)["supportedInterfaces"][0]["url"] == f"{server.address}/a2a"


def test_ids_are_the_clients_only_where_that_is_asked_for(tmp_path) -> None:
    capture = record(tmp_path, BODY)
    now = rpc("SendStreamingMessage", "hi", rpc_id="mine", contextId="C")
    for rewrite in (False, True):
        with Server([capture], speed=0, rewrite_ids=rewrite) as server:
            got = httpx.post(f"{server.address}/a2a/", content=now).content
        assert (b'"id": "mine"' in got, b'"contextId": "C"' in got) == (rewrite, rewrite)
        assert b'"taskId": "task"' in got


def test_an_unknown_request_is_told_what_is_known(tmp_path) -> None:
    with Server([record(tmp_path, BODY)], speed=0) as server:
        answer = httpx.post(f"{server.address}/a2a/", content=rpc("SendMessage", contextId="x"))
    told = answer.json()
    assert answer.status_code == 404
    assert told["asked"] == {"method": "POST", "path": "/a2a", "rpc_method": "SendMessage", "context_id": "x"}
    assert [(row["method"], row["path"], row["rpc_method"], row["scenario"]) for row in told["known"]] == [
        ("POST", "/a2a", "SendStreamingMessage", "S")
    ]
    assert "mend" in told


def test_what_was_served_is_told(tmp_path) -> None:
    served: list[Served] = []
    with Server([record(tmp_path, BODY)], speed=0, served=served.append) as server:
        one(server, asked())
        one(server, get("/nope?x", "Connection: close"))
    assert served[0][:3] == ("POST", "/a2a/", "SendStreamingMessage")
    assert (served[0].status, served[0].sent, served[0].end) == (200, len(b"".join(BODY)), "clean")
    assert (served[1].target, served[1].source, served[1].status) == ("/nope?x", None, 404)


# hostile and slow clients


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x00\n\n", 400),
        (b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"GET /" + b"a" * 70_000, 431),
        (b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n" + b"y" * 500_000, 400),
    ],
)
def test_a_refusal_reaches_the_client(tmp_path, request_: bytes, code: int, capfd) -> None:
    with Server([record(tmp_path, BODY)], speed=0) as server:
        assert one(server, request_)[0] == code
        assert one(server, asked())[0] == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"params":' * 999 + b"1" + b"}" * 999,
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"SendStreamingMessage","params":{"n":' + b"9" * 5000 + b"}}",
        b'{"jsonrpc":"2.0","id":{"a":[1]},"method":["x"],"params":[1]}',
        b'{"jsonrpc":"2.0","method":"SendStreamingMessage","params":{"message":{"contextId":7,"taskId":["x"],"parts":1}}}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"SendStreamingMessage","params":{"message":{"contextId":"\\udfff"}}}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("rewrite", [False, True])
def test_hostile_bodies_get_an_answer(tmp_path, body: bytes, rewrite: bool, capfd) -> None:
    with Server([record(tmp_path, BODY)], speed=0, rewrite_ids=rewrite) as server:
        assert one(server, post("/a2a/", body, "Connection: close"))[0] in (200, 404)
    assert capfd.readouterr() == ("", "")


def test_a_request_that_never_ends_is_given_up(tmp_path, monkeypatch) -> None:
    from harness.replay import session

    monkeypatch.setattr(session, "PATIENCE_S", 0.05)
    monkeypatch.setattr(session, "IDLE_S", 0.05)
    with Server([record(tmp_path, BODY)], speed=0) as server:
        assert one(server, b"POST / HTTP/1.1\r\nHost:")[0] == 408
        assert one(server, post("/a2a/", ASK)[:-3])[0] == 408
        with Raw(server.address) as raw:
            assert raw.all() == b""


def test_a_client_that_waits_for_100_continue(tmp_path) -> None:
    with Server([record(tmp_path, BODY)], speed=0) as server, Raw(server.address) as raw:
        request = asked(ASK, "Expect: 100-continue")
        head, _, body = request.partition(b"\r\n\r\n")
        raw.send(head + b"\r\n\r\n")
        raw.until(b"100 Continue\r\n\r\n")
        raw.send(body)
        assert b"HTTP/1.1 200 OK" in raw.all()


def test_a_client_that_sends_no_more_still_gets_its_answer(tmp_path) -> None:
    with Server([record(tmp_path, BODY)]) as server, Raw(server.address) as raw:
        raw.send(post("/a2a/", ASK))
        raw.socket.shutdown(socket.SHUT_WR)
        assert chunks(split(raw.all())[2]) == ([*BODY], True, 0)


def test_a_client_that_leaves_in_the_middle_disturbs_nobody(tmp_path, capfd) -> None:
    big = tuple(b"data: " + b"x" * 50_000 + b"\n\n" for _ in range(200))
    with Server([record(tmp_path, big, gap_ns=0)], speed=0) as server:
        for _ in range(5):
            with Raw(server.address) as raw:
                raw.send(post("/a2a/", ASK))
                raw.until(b"xxx")
        assert b"".join(chunks(one(server, asked())[2])[0]) == b"".join(big)
    assert capfd.readouterr().err == ""


def test_many_streams_at_once(tmp_path) -> None:
    with Server([record(tmp_path, BODY)]) as server:
        raws = [Raw(server.address) for _ in range(50)]
        for raw in raws:
            raw.send(asked())
        assert all(chunks(split(raw.all())[2]) == ([*BODY], True, 0) for raw in raws)
        for raw in raws:
            raw.socket.close()


def test_a_slow_reader_holds_no_memory_and_the_end_of_the_server_ends_it(tmp_path) -> None:
    big = tuple(b"data: " + b"x" * 1_000_000 + b"\n\n" for _ in range(20))
    capture = record(tmp_path, big, gap_ns=0)
    server = Server([capture], speed=0)
    with server:
        raw = Raw(server.address)
        raw.send(asked())
        raw.until(b"xxx")
        (link,) = server._tasks.values()
        assert link.transport.get_write_buffer_size() < 4_000_000
    assert not server._tasks
    raw.socket.close()


def test_a_capture_that_is_gone_ends_one_connection_only(tmp_path, capfd) -> None:
    gone, kept = (
        record(tmp_path, BODY, name=Name(name), request=Request("POST", f"/{name}", (), ASK)) for name in "ab"
    )
    with Server([gone, kept], speed=0) as server:
        for ending in (".sse", ".jsonl"):
            (
                tmp_path / f"{server.known[0].capture.path.rpartition('/')[2].removesuffix('.sse')}{ending}"
            ).unlink()
        assert not chunks(one(server, post("/a", ASK, "Connection: close"))[2])[1]
        assert one(server, post("/b", ASK, "Connection: close"))[0] == 200
    assert "Traceback" not in capfd.readouterr().err


# starting and ending


def test_a_port_that_is_taken_is_a_usage_error(tmp_path) -> None:
    capture = record(tmp_path, BODY)
    with Server([capture]) as server:
        port = int(server.address.rpartition(":")[2])
        with pytest.raises(UsageError, match="can not listen"), Server([capture], listen=("127.0.0.1", port)):
            pass


@pytest.mark.parametrize("speed", [-1, float("nan"), float("inf")])
def test_speeds_that_mean_nothing(tmp_path, speed: float) -> None:
    with pytest.raises(UsageError):
        Server([record(tmp_path, BODY)], speed=speed)


def test_nothing_to_serve() -> None:
    with pytest.raises(CaptureError):
        Server([])


def test_no_thread_is_left(tmp_path) -> None:
    with Server([record(tmp_path, BODY)]):
        assert any(thread.name == "harness-replay" for thread in threading.enumerate())
    assert not any(thread.name == "harness-replay" for thread in threading.enumerate())


def test_it_listens_on_loopback_only() -> None:
    assert server_module.LOOPBACK == "127.0.0.1"
