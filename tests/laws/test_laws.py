"""The promises of the design, over every golden capture: cuts, determinism, lanes, silence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from harness.capture.discover import find
from harness.capture.files import Body
from harness.model.capture import Capture
from harness.pipeline import Kit, Options, check, judge_capture, load
from harness.report.json import text

GOLDEN = Path(__file__).parents[2] / "captures" / "golden"
CONTRACT_RULES = ("LEAK", "MASK", "BIND", "SYM", "END", "RES")


@cache
def captures() -> tuple[Capture, ...]:
    return find([str(GOLDEN)], stdin=None, max_line=16 << 20).captures


@cache
def kit(only: tuple[str, ...] = (), lanes: bool = True) -> Kit:
    return load(Options(only=only, lanes=lanes))


def body(capture: Capture) -> bytes:
    return b"".join(Body(capture).chunks())


def cut(data: bytes, pick: random.Random) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        size = pick.choice((1, 2, 3, 7, 64, 500, 5000))
        yield data[at : at + size]
        at += size


def test_there_are_captures_to_hold_the_laws_on() -> None:
    assert len(captures()) > 300


@pytest.mark.parametrize("lanes", [True, False])
def test_cuts_change_nothing(lanes: bool) -> None:
    """Promise 1: whole, byte by byte and cut at random give the same rounds."""
    pick = random.Random(7)
    for capture in captures():
        data = body(capture)
        whole = judge_capture(capture, kit(lanes=lanes), [data])
        assert judge_capture(capture, kit(lanes=lanes), list(cut(data, pick))) == whole, capture.source
        if len(data) < 10_000:
            singly = [data[at : at + 1] for at in range(len(data))]
            assert judge_capture(capture, kit(lanes=lanes), singly) == whole, capture.source


def test_the_same_input_gives_the_same_bytes() -> None:
    """Promise 3: order of the paths, processes and a second run change no byte of the report."""
    folders = sorted(str(path) for path in GOLDEN.iterdir() if path.is_dir())
    first = text(check(folders))
    assert text(check(folders[::-1])) == first
    assert text(check(folders, Options(jobs=2))) == first


@pytest.mark.parametrize("only", [(), ("LEAK", "MASK", "BIND"), CONTRACT_RULES])
def test_the_fast_lanes_change_no_verdict(only: tuple[str, ...]) -> None:
    """Promise 5: typed decoding and skipping by markers give what decoding every frame gives."""
    for capture in captures():
        data = body(capture)
        fast = judge_capture(capture, kit(only), [data])
        assert fast == judge_capture(capture, kit(only, lanes=False), [data]), capture.source


def test_silence_is_no_pass(tmp_path: Path) -> None:
    """Promise 7: what holds no recognised event is undecided, never green."""
    for name, data in {
        "foreign.sse": b'data: {"choices": []}\n\n',
        "words.sse": b"data: hello\n\n",
        "empty.json": b"{}",
    }.items():
        (tmp_path / name).write_bytes(data)
        report = check([str(tmp_path / name)])
        assert report.exit in (1, 3), name
        assert [round.outcome for round in report.rounds] == ["INCONCLUSIVE"] * len(report.rounds), name
    assert check([str(tmp_path)], Options(topology="edpa")).exit == 3
