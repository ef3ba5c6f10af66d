"""HTTP rules where it is easy to be wrong: what is right, what is another rule's, what is not known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.rules.example import Example, rpc_error, status, task
from tests.rules.protocol import judge

JSON = (("content-type", "application/json"),)
SSE = (("content-type", "Text/Event-Stream; charset=utf-8"),)
DONE = (task(), status("completed"))
SEND = {"jsonrpc": "2.0", "id": "r-1", "method": "SendMessage", "params": {"message": {}}}


@pytest.mark.parametrize(
    ("example", "codes"),
    [
        (Example(DONE, headers=SSE), ""),
        (Example((rpc_error(),), "T02: right", headers=JSON, framing="document"), ""),
        (Example((task("completed"),), "a Task", headers=JSON, framing="document"), "HTTP101 HTTP102"),
        (Example((), "nothing", headers=JSON, framing="document"), "HTTP101 HTTP102"),
        (Example(("<html>",), headers=(("content-type", "text/html"),), framing="document"), "HTTP101"),
        (Example(DONE, headers=(("date", "x"),)), "HTTP101"),
        (Example(DONE, headers=SSE, status=201), "HTTP101"),
        (Example((task("completed"),), request=SEND, headers=JSON, framing="document"), ""),
        (Example((rpc_error(),), status=503, headers=JSON, framing="document"), ""),
        (Example((), "empty stream"), "HTTP104"),
        (Example((": ping\n\n: ping\n\n",)), "HTTP104"),
        (Example(("data: x",), "never dispatched"), "HTTP104"),
        (Example((), ending="upstream_cut"), "HTTP103"),
        (Example((), ending="client_left"), ""),
        (Example((*DONE,), ending="client_left"), ""),
        (Example((*DONE,), ending="upstream_cut"), "HTTP103"),
    ],
)
def test_http(example: Example, codes: str) -> None:
    found = {code for code in judge(example).findings if code.startswith("HTTP")}
    assert found == set(codes.split())


@pytest.mark.parametrize(
    ("example", "more", "codes"),
    [
        (Example(DONE, status=None), {}, "HTTP101 HTTP102 NEG905"),
        (Example(DONE, headers=()), {}, "HTTP101 NEG905"),
        (Example(DONE, request=None, headers=JSON, framing="document"), {}, "HTTP101 HTTP102"),
        (Example(DONE, ending="unknown"), {}, "HTTP103"),
        (Example((task(),), ending="client_left"), {}, "HTTP103"),
        (Example(DONE), {"rebuilt": True, "framing": "jsonl"}, "HTTP101 HTTP102 HTTP103 HTTP104 NEG905"),
        (Example((), ending="proxy_stopped"), {}, "HTTP104"),
    ],
)
def test_what_is_not_known_is_not_checked(example: Example, more: dict[str, Any], codes: str) -> None:
    judged = judge(example, **more)
    assert set(codes.split()) <= set(judged.not_checked)


def test_an_error_in_mid_stream_has_no_http_status_to_repeat() -> None:
    rest = {"error": {"code": 500, "status": "INTERNAL", "message": "x"}}
    frames = (task()["result"], "event: error\ndata: " + json.dumps(rest) + "\n\n")
    assert "HTTP106" not in judge(Example(frames, request=None, target="/message:stream")).findings
