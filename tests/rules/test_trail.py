"""What is left of a stream that others are compared with: prints, states, places, and bounds."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

import pytest

from harness.a2a.reader import Reader
from harness.a2a.request import Asked
from harness.model.capture import Capture
from harness.model.event import Event
from harness.model.frame import Frame, Span
from harness.rules import trail as module
from harness.rules.example import artifact, status, task
from harness.rules.trail import Trail, fingerprint, trail

DONE = status("completed")


def events(frames: Iterable[Any]) -> Iterator[Event]:
    reader = Reader(Capture("c", "c", "sse"), Asked())
    for number, frame in enumerate(frames, 1):
        yield reader.read(Frame(number, Span(number * 10, number * 10 + 5), json.dumps(frame)))


def made(*frames: Any) -> Trail:
    return trail(events(frames))


def print_of(frame: Any) -> int:
    return fingerprint(next(events([frame])))


def test_updates_leave_prints_and_places() -> None:
    one = made(task(), status("working"), artifact("a"), DONE, artifact("after the end"))
    assert len(one.prints) == len(set(one.prints)) == 3
    assert list(one.numbers) == [2, 3, 4]
    assert one.place(1) == (3, "", Span(30, 35))
    assert one.place(9) == one.place(2), "what comes behind the last one stands there"
    assert (one.whole, one.snapshot, one.truncated) == (True, True, False)
    assert made(task()).place(0) == (None, None, None)


def test_a_snapshot_is_in_the_state_in_which_the_chunks_left_the_task() -> None:
    """However the text came, and in whatever parts (a2a.md M03: the snapshot has s0 to s5)."""
    early = made(task(), artifact("s0 "), artifact("s1 ", append=True), artifact("b", id="a-2"), DONE)
    held = [
        {"artifactId": "a-2", "parts": [{"text": "b"}]},
        {"artifactId": "a-1", "parts": [{"text": "s0 "}, {"text": "s1 "}]},
    ]
    assert made(task("working", artifacts=held), DONE).states[0] == early.states[3]
    assert made(task("working", artifacts=held[:1]), DONE).states[0] not in early.states
    assert len(set(early.states)) == 4


@pytest.mark.parametrize(
    "other",
    [
        artifact("x", append=False),
        artifact("x", lastChunk=False, metadata={}),
        {**artifact("x"), "id": 7},
        artifact("x")["result"],
    ],
    ids=["a printed default", "an empty member", "another request", "REST"],
)
def test_one_update_has_one_print_on_every_stream(other: Any) -> None:
    """java-sdk.md 2: one serialiser prints all empty members; the envelope is the request's own."""
    assert print_of(other) == print_of(artifact("x"))


def test_numbers_count_by_value() -> None:
    """java-sdk.md 3: ints come as `1.0` from one serialiser."""
    assert print_of(artifact({"data": {"i": 1}})) == print_of(artifact({"data": {"i": 1.0}}))
    assert print_of(artifact({"data": {"i": 1}})) != print_of(artifact({"data": {"i": 2}}))


def test_the_time_stamp_of_a_status_does_not_count() -> None:
    later = status("working")
    later["result"]["statusUpdate"]["status"]["timestamp"] = "2026-11-30T11:20:19Z"
    assert print_of(later) == print_of(status("working"))


@pytest.mark.parametrize(
    "other",
    [artifact("y"), artifact("x", append=True), artifact("x", lastChunk=True), artifact("x", id="a-2"), DONE],
)
def test_other_updates_have_other_prints(other: Any) -> None:
    assert print_of(other) != print_of(artifact("x"))


@pytest.mark.parametrize(
    "text",
    ["[" * 980 + "]" * 980, '{"a":[' * 480 + "]}" * 480, "1" + "0" * 5_000, "1e999", '"\\ud800"'],
    ids=["lists", "objects", "digits", "infinite", "a lone surrogate"],
)
def test_any_frame_has_a_print(text: str) -> None:
    """Up to the depth at which the reader itself gives up."""
    frame = json.dumps(artifact({"data": "HERE"})).replace('"HERE"', text)
    read = Reader(Capture("c", "c", "sse"), Asked()).read(Frame(1, Span(0, 5), frame))
    assert read.kind == "artifact"
    assert fingerprint(read) != print_of(artifact("x"))


def test_a_trail_ends_before_what_can_not_be_read() -> None:
    read = Reader(Capture("c", "c", "sse"), Asked())
    broken = [read.read(Frame(9, Span(0, 5), "{"))]
    one = trail([*events([task(), artifact("a")]), *broken, *events([DONE])])
    assert (one.unread, one.whole, len(one.prints)) == (True, False, 1)
    assert not made(task(), DONE).unread


def test_reading_stops_where_the_bound_is() -> None:
    """An endless stream is read no further, and is not taken for a whole one."""
    chunks = (artifact(str(number), append=True) for number in count())
    one = trail(events(chunks), most=1000)
    assert one.truncated
    assert len(one.prints) == 1000


def test_many_artifacts_are_a_bound_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ARTIFACTS", 50)
    one = trail(events(artifact("x", id=f"a-{number}") for number in count()))
    assert one.truncated
    assert not one.artifacts


def test_no_text_is_kept() -> None:
    frames = [artifact("x" * 2_000 + str(number), append=True) for number in range(2_000)]
    tracemalloc.start()
    one = trail(events(frames))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(one.prints) == 2_000
    assert held < 500_000, "4 MB of text went through"


def test_chunks_that_repeat_the_text_are_noticed() -> None:
    assert made(task(), artifact("ab"), artifact("abc", append=True)).cumulative
    assert not made(task(), artifact("ab"), artifact("c", append=True)).cumulative
