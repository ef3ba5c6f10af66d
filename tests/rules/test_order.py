"""ORD rules, and the contradictions of the specification that are nobody's fault (a2a.md section 0)."""

from __future__ import annotations

from typing import Any

import pytest

from harness.rules.example import Example, artifact, message, rpc, rpc_error, status, task, v03
from tests.rules.protocol import judge

DONE = status("completed")
ASK = status("input-required", "City?")
SAID = rpc({"message": message()})
OLD = {"jsonrpc": "2.0", "id": "r-1", "method": "message/stream", "params": {}}
SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
TURN_2 = {**SUBSCRIBE, "method": "SendStreamingMessage", "params": {"message": {"taskId": "t-1"}}}


def order(*frames: Any, **more: Any) -> dict[str, str]:
    found = judge(Example(frames, **more)).findings
    return {code: finding.severity for code, finding in found.items() if code.startswith("ORD")}


@pytest.mark.parametrize(
    ("frames", "more", "expected"),
    [
        ((task(), DONE), {}, {}),
        ((SAID,), {}, {}),
        ((task(), ASK), {}, {}),
        ((task(), ASK), {"ending": "client_left"}, {}),
        ((task(), DONE), {"ending": "client_left"}, {}),
        ((task(), status("auth-required", "x"), status("working"), DONE), {}, {}),
        ((task(), ASK, status("working"), DONE), {}, {"ORD509": "info"}),
        ((task("input-required"), status("working"), DONE), {"request": SUBSCRIBE}, {}),
        ((status("submitted"), DONE), {}, {"ORD501": "warning"}),
        ((status("working"), DONE), {"request": TURN_2}, {"ORD501": "info"}),
        ((artifact("x"), DONE), {}, {"ORD501": "warning"}),
        ((status("working"), DONE), {"request": SUBSCRIBE}, {"ORD502": "error"}),
        ((SAID, SAID), {}, {"ORD503": "error"}),
        ((SAID, rpc_error()), {}, {"ORD503": "error"}),
        ((task(), SAID, DONE), {}, {"ORD504": "error"}),
        ((task(), DONE, task("completed")), {}, {"ORD507": "warning"}),
        ((task(), DONE, task("failed")), {}, {"ORD505": "warning", "ORD507": "error"}),
        ((task(), task(), DONE), {}, {"ORD505": "warning"}),
        ((task(), status("working"), task("completed")), {}, {"ORD505": "warning"}),
        ((task(), ASK, task("input-required")), {}, {}),
        ((task(), status("working")), {}, {"ORD506": "error"}),
        ((task(), status("working")), {"ending": "unknown"}, {"ORD506": "error"}),
        ((task(), status("working")), {"ending": "upstream_cut"}, {}),
        ((task(), rpc_error()), {}, {}),
        ((task(), DONE, artifact("x")), {}, {"ORD507": "error"}),
        ((task(), DONE, rpc_error()), {}, {"ORD507": "error"}),
        ((task(), DONE, "data: [DONE]\n\n"), {}, {}),
        ((task("failed"), status("failed")), {}, {"ORD507": "warning"}),
        ((task(), DONE, status("working")), {}, {"ORD507": "error", "ORD509": "warning"}),
        ((task(), status("working"), status("submitted"), DONE), {}, {"ORD509": "warning"}),
    ],
)
def test_v1_streams(frames: Any, more: Any, expected: dict[str, str]) -> None:
    assert order(*frames, **more) == expected


def test_unfinished_streams_of_our_own_making_are_not_checked() -> None:
    for ending in ("client_left", "proxy_stopped", "unsealed"):
        assert "ORD506" in judge(Example((task(), status("working")), ending=ending)).not_checked


def test_single_bodies_are_no_streams() -> None:
    get = {**SUBSCRIBE, "method": "GetTask"}
    judged = judge(Example((rpc(task("working")["result"]["task"]),), request=get, framing="document"))
    assert {"ORD501", "ORD506"} <= set(judged.not_checked)
    lines = judge(Example((task("working")["result"]["task"],), request=None, framing="jsonl"))
    assert {"ORD501", "ORD506"} <= set(lines.not_checked)


OPENING = v03("task", status={"state": "submitted"})


def update(state: str, **more: Any) -> Any:
    return v03("status-update", status={"state": state}, **more)


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ((OPENING, update("completed", final=True)), {}),
        ((OPENING, update("input-required", final=False)), {}),
        ((OPENING, update("input-required", final=True)), {}),
        ((OPENING, update("completed", final=False)), {"ORD512": "warning"}),
        ((OPENING, update("working", final=True)), {"ORD511": "error", "ORD506": "error"}),
        ((OPENING, update("input-required", final=True), update("working", final=False)),
         {"ORD510": "warning", "ORD509": "info", "ORD506": "error"}),
        ((update("working", final=False), update("completed", final=True)), {"ORD501": "info"}),
        ((OPENING, v03("message", parts=[{"kind": "text", "text": "x"}]), update("completed", final=True)),
         {"ORD504": "warning"}),
    ],
)  # fmt: skip
def test_v03_streams(frames: Any, expected: dict[str, str]) -> None:
    assert order(*frames, request=OLD, request_headers=()) == expected


def test_the_connection_must_close_in_time() -> None:
    frames = (task(), DONE)
    assert "ORD508" not in order(*frames, at_ms=(0, 10, 4_000))
    assert "ORD508" in order(*frames, at_ms=(0, 10, 6_000))
    assert "ORD508" in judge(Example(frames)).not_checked
