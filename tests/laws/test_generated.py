"""The promises again, over streams that nobody recorded: lanes, cuts, determinism."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from harness import lanes
from harness.model.capture import Capture, Head, Request
from harness.pipeline import Kit, Options, judge_capture, load
from tests.laws.generated import streams

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
def test_a_skipped_escape_would_be_found(only: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The law bites: a lane that forgets that letters can be printed as escapes is caught."""
    monkeypatch.setattr(lanes, "ESCAPE", b"\xff\xff")

    def differs(data: bytes) -> bool:
        fast = judge_capture(CAPTURE, kit(only, True), [data])
        return fast != judge_capture(CAPTURE, kit(only, False), [data])

    assert find(streams(), differs, settings=settings(max_examples=3000, database=None))


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
