"""The answer of a chat completion: chunks of a stream, or one object; cut, damaged, foreign."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.llm.answer import MOST, Answer
from harness.llm.values import Answered, ToolCall
from harness.model.frame import Frame, Span


def frames(*texts: str) -> list[Frame]:
    return [Frame(number, Span(0, 0), text) for number, text in enumerate(texts, 1)]


def read(*texts: str, streamed: bool = True, whole: bool = True) -> Answered:
    answer = Answer(streamed=streamed)
    for frame in frames(*texts):
        answer.take(frame)
    return answer.finish(whole=whole)


def delta(finish: str | None = None, **said: Any) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": said, "finish_reason": finish}]})


def call(place: int, id: str | None = None, name: str | None = None, arguments: str = "") -> dict[str, Any]:
    return {"index": place, "id": id, "function": {"name": name, "arguments": arguments}}


def test_a_stream_of_text() -> None:
    said = read(
        delta(role="assistant"), delta(content="The "), delta(content="answer"), delta("stop"), "[DONE]"
    )
    assert said == Answered(text="The answer")


def test_calls_whose_arguments_come_in_pieces_and_mixed() -> None:
    said = read(
        delta(tool_calls=[call(0, "c0", "search-agent", '{"q":')]),
        delta(tool_calls=[call(1, "c1", "verify-agent", '{"q":"B"}')]),
        delta(tool_calls=[call(0, arguments='"A"}')]),
        delta("tool_calls"),
        "[DONE]",
    )
    assert said.calls == (
        ToolCall("c0", "search-agent", '{"q":"A"}'),
        ToolCall("c1", "verify-agent", '{"q":"B"}'),
    )
    assert said.flaw is None


def test_one_object() -> None:
    message = {"role": "assistant", "content": "hm", "tool_calls": [{"id": "c", "function": {"name": "t"}}]}
    said = read(json.dumps({"choices": [{"message": message}]}), streamed=False)
    assert said == Answered((ToolCall("c", "t"),), "hm")


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ((), "no answer was recorded"),
        ((delta(content="The "),), "breaks off"),
        ((delta(content="The "), '{"choices":[{"del'), "frame 2 of the answer is no JSON"),
        (('{"type":"message_start","message":{}}', "[DONE]"), "frame 1 of the answer is no chat completion"),
    ],
)
def test_what_is_not_whole_is_told(texts: tuple[str, ...], told: str) -> None:
    assert told in (read(*texts).flaw or "")


def test_what_stood_before_the_fault_is_kept() -> None:
    said = read(delta(tool_calls=[call(0, "c0", "t", "{}")]), "oops", delta("stop"))
    assert said.calls == (ToolCall("c0", "t", "{}"),)
    assert "frame 2" in (said.flaw or "")


def test_a_finish_reason_ends_a_stream_without_done() -> None:
    assert read(delta("stop", content="x")).flaw is None


def test_one_object_of_a_connection_that_broke_off() -> None:
    assert read('{"choices":[{"message":{}}]}', streamed=False, whole=False).flaw == "the answer breaks off"


def test_an_error_of_the_model_is_an_answer() -> None:
    assert read('{"error":{"message":"overloaded"}}') == Answered()


def test_memory_is_bounded() -> None:
    piece = "x" * (MOST // 2 + 1)
    said = read(delta(content=piece), delta(content=piece), delta("stop"))
    assert len(said.text) <= MOST
    assert "longer than" in (said.flaw or "")


@pytest.mark.parametrize(
    "value", [7, [], {"choices": 7}, {"choices": [7, {"delta": 7}, {"delta": {"tool_calls": [7]}}]}]
)
def test_nothing_raises(value: object) -> None:
    read(json.dumps(value))
