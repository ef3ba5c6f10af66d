"""Ids that the client named, put into the recorded answer."""

from __future__ import annotations

import json

import pytest

from harness.model.capture import Request
from harness.replay.edits import edited
from harness.replay.ids import event_edited, id_edits, rpc_id, wanted
from harness.replay.known import known
from harness.replay.recorded import Recording
from tests.replay.exchanges import frame, record, rpc, status


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'data: {"jsonrpc":"2.0","id":"x","result":{"id":"y"}}', b'"x"'),
        (b'data: {"result":{"id":"y","a":[{"id":1}]},"id": 7 ,"jsonrpc":"2.0"}', b"7"),
        (b'{"jsonrpc" : "2.0", "id" :null}', b"null"),
        (b'data: {"jsonrpc":"2.0","text":"\\"id\\":1 {","id":"q\\"uoted"}', b'"q\\"uoted"'),
    ],
)
def test_the_id_of_an_envelope(raw: bytes, value: bytes) -> None:
    span = rpc_id(raw)
    assert span is not None and raw[slice(*span)] == value


@pytest.mark.parametrize(
    "raw", [b"", b"data: [1]", b'{"id":"task","status":{}}', b'{"jsonrpc":"2.0","a":{"id":1}}']
)
def test_what_has_none(raw: bytes) -> None:
    assert rpc_id(raw) is None


def answered(tmp_path, chunks: tuple[bytes, ...], then: str, now: str) -> list[bytes]:
    capture = record(tmp_path, chunks, request=Request("POST", "/a2a/", (), then))
    (one,) = known([capture])
    edits = id_edits(one, Request("POST", "/a2a/", (), now))
    return [piece.data for piece in edited(Recording(capture).pieces(), edits)]


def test_all_ids_and_the_borders_of_chunks(tmp_path) -> None:
    body = frame({**status("WORKING"), "x": '{"contextId":"ctx"}'}) + frame(
        {"task": {"id": "task", "contextId": "ctx", "history": [{"messageId": "m1"}], "note": "ctx task m1"}}
    )
    then = rpc("SendStreamingMessage", contextId="ctx", taskId="task")
    now = rpc("SendStreamingMessage", rpc_id=99, contextId="C-2", taskId="T-2", messageId="M-2")
    got = answered(tmp_path, (body[:30], body[30:31], body[31:]), then, now)
    assert len(got) == 3
    want = body.replace(b'"r1"', b"99").replace(b'"ctx"', b'"C-2"').replace(b'"task",', b'"T-2",')
    want = want.replace(b'"m1"', b'"M-2"')
    assert b"".join(got) == want.replace(b'\\"ctx\\"', b'\\"C-2\\"')


def test_a_context_that_the_server_gave_becomes_the_clients(tmp_path) -> None:
    then, now = rpc("SendStreamingMessage"), rpc("SendStreamingMessage", contextId="mine")
    (got,) = answered(tmp_path, (frame(status("WORKING")),), then, now)
    assert b'"contextId": "mine"' in got and b'"taskId": "task"' in got


def test_ids_that_are_the_same_change_nothing(tmp_path) -> None:
    then = rpc("SendStreamingMessage", contextId="ctx")
    body = frame(status("WORKING"))
    assert answered(tmp_path, (body,), then, then) == [body]


def test_a_rest_answer_has_no_envelope(tmp_path) -> None:
    then = json.dumps({"message": {"messageId": "m1", "contextId": "ctx"}})
    now = json.dumps({"message": {"messageId": "m2", "contextId": "mine"}})
    body = b'data: {"task":{"id":"t","contextId":"ctx"}}\n\n'
    assert answered(tmp_path, (body,), then, now) == [body.replace(b"ctx", b"mine")]


def test_a_wire_logs_frame(tmp_path) -> None:
    (one,) = known([record(tmp_path, (b"",))])
    rpc_value, pairs = wanted(one, Request("POST", "/", (), rpc("SendStreamingMessage", contextId="mine")))
    text = event_edited('{"jsonrpc":"2.0","id":null,"result":{"contextId":"ctx"}}', rpc_value, pairs)
    assert json.loads(text) == {"jsonrpc": "2.0", "id": "r1", "result": {"contextId": "mine"}}
