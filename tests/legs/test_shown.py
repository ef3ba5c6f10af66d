"""What a stream showed: texts anywhere, cut into tokens, inside of JSON, in order; with bounded memory."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.a2a.reader import Reader
from harness.a2a.request import Asked
from harness.legs.shown import TRACKS, Shown
from harness.model.capture import Capture
from harness.model.frame import Frame, Span
from harness.rules.example import artifact, interrupt, message, rpc, rpc_error, status, task


def shown(*frames: Any, texts: tuple[str, ...] = (), order: tuple[str, ...] = (), keep: int = 0) -> Shown:
    made, reader = Shown(texts, order, keep), Reader(Capture("", "", "sse"), Asked())
    for number, one in enumerate(frames, 1):
        text = one if isinstance(one, str) else json.dumps(one)
        made.take(reader.read(Frame(number, Span(number * 100, number * 100 + 9), text)))
    return made


def token(text: str, kind: str = "llm_output", id: str = "a-1") -> Any:
    """A token chunk of the Java runtime, G2 (openjiuwen.md section 1b); each has an artifactId of its own."""
    data = {"type": kind, "index": 0, "payload": {"content": text, "result_type": "answer"}}
    return artifact({"data": data}, id=id)


@pytest.mark.parametrize(
    "frames",
    [
        (artifact("The answer is 42."),),
        (status("input-required", "The answer is 42."),),
        (rpc({"message": message("The answer is 42.")}),),
        (task(artifacts=[{"artifactId": "a", "parts": [{"text": "The answer is 42."}]}]),),
        (rpc_error(message="The answer is 42."),),
        (artifact({"data": {"deep": [{"er": "The answer is 42."}]}}),),
        (interrupt({"message": "x", "items": [{"message": "The answer is 42."}]}),),
        # JSON inside of a string, and once more inside of that (G1; tool_args of Python)
        (artifact(json.dumps({"payload": {"output": "The answer is 42."}})),),
        (artifact(json.dumps({"args": json.dumps({"a": "The answer is 42."})})),),
        (artifact('see {"a": "The \\u0061nswer is 42."} there'),),
        # tokens: random artifacts (G2), JSON text parts (G1), chunks of one artifact, plain texts
        (token("The ", id="1"), token("answer", id="2"), token(" is 42.", id="3")),
        tuple(artifact(json.dumps({"type": "llm_output", "payload": {"content": one}})) for one in ("The ans", "wer is")),
        (artifact("The "), artifact("answer is", append=True)),
        (artifact("The ans", id="1"), artifact("wer is 42.", id="2")),
        # mixed with other tokens
        (token("The "), token("hm ", "llm_reasoning"), status("working"), token("answer is")),
        # what is no event, and no JSON
        ('{"foreign": "The answer is 42."}',),
        ("The answer is 42.",),
    ],
)  # fmt: skip
def test_a_text_is_found_wherever_it_stands(frames: tuple[Any, ...]) -> None:
    assert shown(*frames, texts=("answer is",)).found


@pytest.mark.parametrize(
    "frames",
    [
        (),
        (artifact("The answer"), status("working")),
        (token("The answer "), token("is 42.", "llm_reasoning")),
        # what the user said is not shown by the agent
        (task(history=[{"role": "ROLE_USER", "parts": [{"text": "The answer is 42."}]}]),),
    ],
)
def test_a_text_that_nobody_shows(frames: tuple[Any, ...]) -> None:
    assert not shown(*frames, texts=("answer is",)).found


def test_outputs_of_several_remote_agents_that_come_mixed() -> None:
    def said(text: str, call: str) -> Any:
        return artifact({"text": text, "metadata": {"_remote_invocation": {"toolCallId": call}}})

    frames = (said("A cos", "c0"), said("B cos", "c1"), said("ts 1", "c0"), said("ts 2", "c1"))
    assert set(shown(*frames, texts=("A costs 1", "B costs 2")).found) == {"A costs 1", "B costs 2"}


def test_names_of_members_are_shown_too() -> None:
    assert shown(artifact({"data": {"_interrupt_kind": 7}}), texts=("_interrupt_kind",)).found


def test_where_it_stood() -> None:
    place = shown(artifact("x"), artifact("the answer"), texts=("answer",)).found["answer"]
    assert (place.event, place.span) == (2, Span(200, 209))
    assert place.pointer == "/result/artifactUpdate/artifact/parts/0/text"


@pytest.mark.parametrize(
    ("frames", "order", "reached"),
    [
        ((artifact("first"), artifact("then")), ("first", "then"), 2),
        ((artifact("then"), artifact("first")), ("first", "then"), 1),
        ((artifact("then first then"),), ("first", "then"), 2),
        ((artifact("then first"),), ("first", "then"), 1),
        ((token("fir"), token("st th"), token("en")), ("first", "then"), 2),
        ((artifact("once"),), ("once", "once"), 1),
        ((artifact("once"), artifact("once")), ("once", "once"), 2),
        # the JSON in a text and the text are one showing
        ((artifact(json.dumps({"a": "once"})),), ("once", "once"), 1),
        ((artifact("other"),), ("first",), 0),
    ],
)
def test_order(frames: tuple[Any, ...], order: tuple[str, ...], reached: int) -> None:
    assert shown(*frames, order=order).reached == reached


def test_texts_that_are_kept() -> None:
    made = shown(token("A costs "), token("1"), artifact("Done."), keep=100)
    assert "A costs 1" in made.texts
    assert not made.cut


def test_what_is_kept_is_bounded_and_told() -> None:
    made = shown(token("x" * 80), token("y" * 80), keep=100)
    assert made.cut
    assert max(map(len, made.texts)) == 100


def test_tracks_are_bounded() -> None:
    made = shown(*(artifact("x", id=f"a-{number}") for number in range(TRACKS)), texts=("xx",))
    assert len(made.texts) <= TRACKS
    assert made.found
