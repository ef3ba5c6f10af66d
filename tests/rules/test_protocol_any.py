"""No frame of any shape makes a protocol rule raise: the peer's faults are data."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.rules.example import Example
from tests.rules.protocol import judge

NAMES = st.sampled_from(
    "jsonrpc id result error task message statusUpdate artifactUpdate status_update kind status state parts content "
    "text raw url data artifact artifactId history artifacts metadata agentEvent code type @type details payload taskId "
    "contextId task_id final role messageId timestamp append lastChunk".split()
)
WORDS = st.sampled_from(
    ["", "x", "2.0", "t-1", "c-1", "r-1", "task", "status-update", "working", "completed", "input-required", "agent",
     "ROLE_AGENT", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_CANCELLED", "2026-11-30T11:20:12Z"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=30,
)
BODY = st.fixed_dictionaries(
    {},
    optional={
        "id": WORDS, "taskId": WORDS, "contextId": WORDS, "final": VALUES, "append": st.booleans(), "lastChunk": st.booleans(),
        "status": st.fixed_dictionaries({}, optional={"state": WORDS | VALUES, "message": VALUES, "timestamp": VALUES}) | VALUES,
        "artifact": st.fixed_dictionaries({}, optional={"artifactId": WORDS, "parts": VALUES, "metadata": VALUES}) | VALUES,
        "artifacts": VALUES, "history": VALUES, "role": WORDS | VALUES, "parts": VALUES, "messageId": WORDS,
        "kind": st.sampled_from(["task", "message", "status-update", "artifact-update"]) | VALUES,
    },
)  # fmt: skip
EVENT = st.dictionaries(
    st.sampled_from(["task", "message", "statusUpdate", "artifactUpdate", "status_update"]),
    BODY,
    min_size=1,
    max_size=2,
)
FRAME = (
    st.fixed_dictionaries(
        {"jsonrpc": WORDS | VALUES, "result": EVENT | BODY | VALUES}, optional={"id": VALUES, "error": VALUES}
    )
    | st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": VALUES, "error": VALUES})
    | EVENT
    | BODY
    | VALUES
)


@given(
    st.lists(FRAME, max_size=6),
    st.sampled_from(["sse", "jsonl"]),
    VALUES,
    st.sampled_from(["/", "/message:stream"]),
)
@settings(max_examples=300, deadline=None)
def test_any_stream_is_judged(frames: list[Any], framing: str, rpc_id: Any, target: str) -> None:
    frames = [json.dumps(frame) for frame in frames]
    texts = tuple(f"data: {frame}\n\n" if framing == "sse" else f"{frame}\n" for frame in frames)
    request = {"jsonrpc": "2.0", "id": rpc_id, "method": "SendStreamingMessage", "params": rpc_id}
    judge(Example(texts, framing=framing, request=request, target=target))
    judge(Example(texts, framing=framing, request=None, target=target, status=400))


DEEP = "[" * 5000 + "]" * 5000
PLACES = (
    '{"jsonrpc":DEEP,"id":1,"result":{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}}',
    '{"jsonrpc":"2.0","id":DEEP,"result":{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":DEEP,"message":DEEP,"data":DEEP}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":[{"@type":DEEP}]}}',
    '{"error":{"code":DEEP,"status":DEEP,"details":[{"@type":DEEP}]}}',
    '{"jsonrpc":"2.0","id":1,"result":{"kind":DEEP,"id":"t","status":{"state":DEEP}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":DEEP,"status":{"state":DEEP,"timestamp":DEEP}}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"message":{"role":DEEP,"parts":[{"text":DEEP,"data":DEEP}]}}}',
    '{"jsonrpc":"2.0","id":1,"result":DEEP}',
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("target", ["/", "/tasks/t"])
def test_deep_values_are_named_and_not_printed(place: str, target: str) -> None:
    frame = f"data: {place.replace('DEEP', DEEP)}\n\n"
    judge(Example((frame, frame), target=target))
    judge(Example((frame,), request=None, target=target, status=404))
