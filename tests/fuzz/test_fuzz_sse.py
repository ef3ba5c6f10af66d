"""The SSE fuzz target: a minute finds nothing, and a planted fault is found at once."""

from __future__ import annotations

import pytest

from harness.model.frame import Frame
from harness.wire.fields import Gathered
from harness.wire.sse import Decoder
from tests.fuzz.fuzz_sse import Fault, Told, hunt, reference


class LosesCr(Decoder):
    """Planted: a CR at the end of a chunk is lost."""

    def feed(self, chunk: bytes) -> list[Frame]:
        return super().feed(chunk.removesuffix(b"\r"))


class SplitsCrlf(Decoder):
    """Planted: a CRLF that two chunks share is two line ends."""

    def feed(self, chunk: bytes) -> list[Frame]:
        return super().feed(chunk[:-1] + b"\n" if chunk.endswith(b"\r") else chunk)


class Forgetful(Gathered):
    """An event whose name is not reset by a blank line without data."""

    def _reset(self) -> None:
        name = getattr(self, "_name", "")
        without_data = getattr(self, "_data", None) is None
        super()._reset()
        if without_data:
            self._name = name


class KeepsName(Decoder):
    """Planted: a block without data leaves its event name to the next one."""

    def __init__(self) -> None:
        super().__init__()
        self._event = Forgetful(1 << 20)


@pytest.mark.parametrize("planted", [LosesCr, SplitsCrlf, KeepsName])
def test_a_planted_fault_is_found(planted: type[Decoder]) -> None:
    found = hunt(planted, seconds=20, seed=1)
    assert isinstance(found, Fault)
    assert found.tries < 20_000


@pytest.mark.slow
def test_a_minute_of_fuzzing_finds_nothing() -> None:
    found = hunt(Decoder, seconds=60, seed=20260811)
    assert not isinstance(found, Fault), found
    assert found > 10_000


def test_two_seconds_of_fuzzing_find_nothing() -> None:
    found = hunt(Decoder, seconds=2, seed=42)
    assert not isinstance(found, Fault), found


def test_the_reference_reads_the_examples_of_the_standard() -> None:
    """HTML 9.2.6: the examples printed below the algorithm."""
    stocks = b"data: YHOO\ndata: +2\ndata: 10\n\n"
    assert reference(stocks)[0] == [Told("YHOO\n+2\n10", "", None)]
    four = b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event"
    assert reference(four)[0] == [Told("first event", "", "1"), Told("second event", "", "")]
    assert [e.data for e in reference(b"data\n\ndata\ndata\n\ndata:")[0]] == ["", "\n"]
