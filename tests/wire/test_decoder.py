"""The choice of a decoder by framing, and the laws over every golden capture."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from harness.capture import Body, find
from harness.model.capture import Capture, Framing
from harness.wire import decoder
from tests.wire.streams import run, tiles

GOLDEN = Path(__file__).parents[2] / "captures" / "golden"
CAPTURES = find([str(GOLDEN)]).captures


@pytest.mark.parametrize(
    ("framing", "wanted"),
    [
        ("sse", ["1"]),
        ("jsonl", ["data:1"]),
        ("document", ["data:1\n\n"]),
        ("wirelog", []),
        ("none", ["data:1\n\n"]),
    ],
)
def test_the_framing_decides(framing: Framing, wanted: list[str]) -> None:
    frames, rest = run(decoder(framing), [b"data:1\n\n"])
    assert [frame.data for frame in frames] == wanted
    assert tiles(frames, rest, 0, 8)


def test_there_are_golden_captures() -> None:
    assert len(CAPTURES) > 300


@pytest.mark.parametrize(
    "capture", CAPTURES, ids=[capture.source[len(str(GOLDEN)) + 1 :] for capture in CAPTURES]
)
def test_golden_captures_keep_the_laws(capture: Capture) -> None:
    """Promises 1 and 2 over every golden capture, byte by byte and cut at random."""
    body = b"".join(Body(capture).chunks())
    pick = random.Random(1)
    places = sorted(pick.randrange(len(body) + 1) for _ in range(20))
    at_random = [body[a:b] for a, b in zip([0, *places], [*places, len(body)], strict=True)]
    whole = run(decoder(capture.framing, capture.start), [body])
    assert tiles(*whole, capture.start, capture.start + len(body))
    assert run(decoder(capture.framing, capture.start), at_random) == whole
    assert (
        run(decoder(capture.framing, capture.start), [body[at : at + 1] for at in range(len(body))]) == whole
    )
