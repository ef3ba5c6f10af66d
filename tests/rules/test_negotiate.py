"""NEG rules: they need the request, its headers, or the times, and say so where these are absent."""

from __future__ import annotations

from typing import Any

import pytest

from harness.rules.example import Example, artifact, rpc_error, status, task
from tests.rules.protocol import judge

DONE = status("completed")
JSON = (("content-type", "application/json"),)
SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
OLD = {"jsonrpc": "2.0", "id": "r-1", "method": "message/stream", "params": {}}


@pytest.mark.parametrize(
    ("example", "codes"),
    [
        (Example((task("completed"),), request=SUBSCRIBE), "NEG901"),
        (Example((task("working"), DONE), request=SUBSCRIBE), ""),
        (Example((rpc_error(-32001),), request=SUBSCRIBE, headers=JSON, framing="document"), ""),
        (Example((task("completed"),)), ""),
        (Example((task(), DONE), request_headers=JSON), "NEG902"),
        (Example((rpc_error(-32009),), request_headers=JSON, headers=JSON, framing="document"), "NEG902"),
        (Example((task(), DONE), target="/?a2a-version=1.0", request_headers=JSON), ""),
        (Example((), request=OLD, request_headers=JSON), ""),
        (Example((task(), status("auth-required"))), "NEG904"),
        (Example((task(), status("auth-required", "sign in"))), ""),
        (
            Example((task(), DONE), headers=(("content-type", "text/event-stream"), ("date", "x"))),
            "NEG905",
        ),
        (
            Example(
                (task(), DONE),
                headers=(
                    ("content-type", "text/event-stream"),
                    ("cache-control", "No-Store"),
                    ("x-accel-buffering", "no"),
                ),
            ),
            "",
        ),
    ],
)
def test_negotiation(example: Example, codes: str) -> None:
    found = {code for code in judge(example).findings if code.startswith("NEG")}
    assert found == set(codes.split())


@pytest.mark.parametrize(
    ("example", "codes"),
    [
        (Example((task(), DONE), request=None), "NEG901 NEG902"),
        (Example((task(), DONE), request_headers=()), "NEG902"),
        (Example((task(), DONE), headers=(("content-type", "text/event-stream"),)), "NEG905"),
        (Example((task(), DONE)), "NEG906"),
    ],
)
def test_not_checked(example: Example, codes: str) -> None:
    assert set(codes.split()) <= set(judge(example).not_checked)


def stamped(state: str, second: int) -> Any:
    frame = status(state)
    frame["result"]["statusUpdate"]["status"]["timestamp"] = f"2026-11-30T11:20:{second:02}Z"
    return frame


def test_a_burst_of_what_took_long_is_no_streaming() -> None:
    frames = (stamped("working", 10), artifact("x"), stamped("completed", 20))
    assert "NEG906" in judge(Example(frames, at_ms=(0, 0, 500, 600))).findings
    assert "NEG906" not in judge(Example(frames, at_ms=(0, 5_000, 9_900, 9_950))).findings
    quick = (stamped("working", 10), artifact("x"), stamped("completed", 10))
    assert "NEG906" in judge(Example(quick, at_ms=(0, 0, 0, 1))).not_checked
