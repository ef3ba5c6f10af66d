"""One diff with everything in it, for the tests of its forms."""

from __future__ import annotations

from harness.diff.values import Change, Difference, Pair, Row, Side, Undecided
from harness.model.frame import Span
from harness.model.interaction import Place

A, B = Place(4, "/result/x", Span(1, 9)), Place(53, "/result/y", Span(2, 8))
HOSTILE = "</code> `` @all\x1b[31m\u202e[x](javascript:1)\n| a |"
CHANGES = (
    Change("contract", "outcome", "changed", "outcome", "COMPLETED", "FAILED"),
    Change("contract", "interaction", "added", "verify-agent", None, "leaked delegation on content", b=B),
    Change("shape", "event", "removed", "artifact llm_output", "Searching.", None, A, times=3),
    Change("shape", "surface", "changed", "dialect", "v0.3", "v1.0"),
    Change("text", "text", "changed", HOSTILE, HOSTILE, "甲 2 元" * 60, A, B),
    Change("timing", "order", "reordered", "artifact llm_output", None, None, A, B),
)
ROWS = (
    Row("skipped", None, None, None, times=2),
    Row("equal", None, "status working", "status working", 2, 2),
    Row("removed", "shape", 'artifact llm_output "Searching."', None, 3, None),
    Row("added", "contract", None, "artifact controller_output", None, 5),
    Row("changed", "text", HOSTILE, "甲 2 元" * 60, 6, 7),
    Row("reordered", "timing", "x", "x", 8, 9),
)
SIDES = (Side("a/DA-09.sse", "COMPLETED", "clean", 7), Side("b/DA-09.sse", "FAILED", "unknown", 243))
FULL = Pair(
    "DA-09", 1, "client", "A2A_STREAM", "deep-research", *SIDES, CHANGES, ROWS, ("B: torn",), ("coarse",)
)
ROUND = (Change("contract", "round", "removed", "EXP-01 r1", "COMPLETED, 3 events"),)
GONE = Pair("EXP-01", 1, "client", None, None, SIDES[0], None, ROUND)
SAME = Pair("DA-01", 1, "client", None, None, *SIDES)


def difference() -> Difference:
    """All of them."""
    pairs = (SAME, FULL, GONE)
    return Difference("0.1.0", "masked", "a", "b", 1, pairs, (Undecided("b/x.log", "no capture"),))
