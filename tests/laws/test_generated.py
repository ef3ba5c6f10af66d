"""The promises again, over streams that nobody recorded: lanes, cuts, determinism."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import lanes
from harness.model.capture import Capture, Head, Request
from harness.pipeline import Kit, Options, judge_capture, load
from tests.laws.generated import call, streams

CONTRACT_RULES = ("LEAK", "MASK", "BIND", "SYM", "END", "RES")
REQUEST = Request(
    "POST", "/", (), '{"jsonrpc":"2.0","id":"r-1","method":"SendStreamingMessage","params":{"message":{}}}'
)
CAPTURE = Capture("made.sse", "made.sse", "sse", head=Head(200, (("content-type", "text/event-stream"),)))


@cache
def kit(only: tuple[str, ...], lanes: bool) -> Kit:
    return load(Options(only=only, lanes=lanes))


@pytest.mark.parametrize("only", [(), ("LEAK", "MASK", "BIND"), CONTRACT_RULES])
@given(data=streams(), known=st.booleans())
@settings(max_examples=150)
def test_the_fast_lanes_change_nothing(only: tuple[str, ...], data: bytes, known: bool) -> None:
    """Promise 5, escapes and JSON in strings included."""
    capture = CAPTURE._replace(request=REQUEST if known else None)
    slow = judge_capture(capture, kit(only, False), [data])
    assert judge_capture(capture, kit(only, True), [data]) == slow


@pytest.mark.parametrize("only", [(), ("LEAK", "MASK", "BIND")])
@given(data=streams(), limit=st.integers(60, 4000))
@settings(max_examples=100)
def test_the_fast_lanes_read_no_line_that_is_too_long(only: tuple[str, ...], data: bytes, limit: int) -> None:
    """`--max-line` is kept in whatever lane a frame lies."""
    slow = judge_capture(CAPTURE, kit(only, False)._replace(max_line=limit), [data])
    assert judge_capture(CAPTURE, kit(only, True)._replace(max_line=limit), [data]) == slow


def hidden(part: dict[str, object]) -> bytes:
    """Ten token chunks, then a leak whose letters are printed as escapes."""
    head = {"taskId": "t-1", "contextId": "c-1"}
    updates: list[dict[str, object]] = [
        {"statusUpdate": {**head, "status": {"state": "TASK_STATE_WORKING"}}},
        *({"artifactUpdate": {**head, "artifact": {"artifactId": f"a-{n}", "parts": [{"text": "x"}]}}} for n in range(10)),
        {"artifactUpdate": {**head, "artifact": {"artifactId": "a-x", "parts": [part]}}},
        {"statusUpdate": {**head, "status": {"state": "TASK_STATE_COMPLETED"}}},
    ]  # fmt: skip
    frames = [json.dumps({"jsonrpc": "2.0", "id": "r-1", "result": update}) for update in updates]
    plain = '"_interrupt_kind' if "data" in part else '\\"_interrupt_kind'
    frames[-2] = frames[-2].replace("__interaction__", "\\u005f_interactio\\u006e__")
    frames[-2] = frames[-2].replace(plain, plain.replace("_", "\\u005f").replace("r", "\\u0072"))
    return "".join(f"data: {frame}\n\n" for frame in frames).encode()


LEAK = call(1, "a2a_delegate")


@pytest.mark.parametrize("only", [(), ("LEAK", "MASK", "BIND")])
@pytest.mark.parametrize("part", [{"data": LEAK}, {"text": json.dumps(LEAK)}], ids=["data", "text"])
def test_an_escape_hides_nothing(
    part: dict[str, object], only: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the law bites: a lane that forgets that letters can be printed as escapes differs."""
    data = hidden(part)
    assert b"interaction__" not in data and b"interrupt_kind" not in data
    slow = judge_capture(CAPTURE, kit(only, False), [data])
    assert [one.exposure for one in slow[0].round.interactions] == ["leaked"]
    assert judge_capture(CAPTURE, kit(only, True), [data]) == slow
    monkeypatch.setattr(lanes, "ESCAPE", b"\xff\xff")
    assert judge_capture(CAPTURE, kit(only, True), [data]) != slow


@given(data=streams(), seed=st.integers(0, 1 << 30))
@settings(max_examples=100)
def test_cuts_change_nothing(data: bytes, seed: int) -> None:
    """Promise 1, through all lanes."""
    pick = random.Random(seed)
    pieces, at = [], 0
    while at < len(data):
        size = pick.choice((1, 5, 100, 700, 3000))
        pieces.append(data[at : at + size])
        at += size
    whole = judge_capture(CAPTURE, kit((), True), [data])
    assert judge_capture(CAPTURE, kit((), True), pieces) == whole
    assert judge_capture(CAPTURE, kit((), True), [data]) == whole


@given(data=st.binary(max_size=3000))
@settings(max_examples=200)
def test_any_bytes_have_one_outcome(data: bytes) -> None:
    """Nothing that is read raises, and what holds no event is never COMPLETED."""
    [judged] = judge_capture(CAPTURE, kit((), True), [data])
    if not judged.facts.recognised:
        assert judged.round.outcome in ("INCONCLUSIVE", "NO_TERMINAL", "PROTOCOL_ERROR")
