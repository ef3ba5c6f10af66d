"""Chunks have the members of the golden captures, in their order."""

from __future__ import annotations

import pytest

from harness.testbed.core import chunks
from tests.testbed.core import golden


def test_tokens_and_usage():
    assert golden.text(golden.chunks("oj_plain")) == golden.text(
        [
            chunks.token("llm_reasoning", 0, "Let me "),
            chunks.token("llm_output", 1, "The "),
            chunks.token("llm_output", 2, "answer is 42."),
            chunks.usage(11, 7),
        ]
    )


def test_an_answer():
    """The terminal chunk as G1 shows it."""
    told = golden.frames("oj_tokens_g1_textpart")[3]["artifactUpdate"]["artifact"]["parts"][0]["text"]
    assert told == golden.text(chunks.answer("The answer is 42.")).replace(": ", ":").replace(", ", ",")


def test_a_false_success():
    failed = chunks.controller_output(
        0,
        "task_failed",
        [{"text": "[181001] model call failed"}],
        {"task_id": "deep_agent_task_ctx-demo-01_1"},
    )
    told = [failed, chunks.false_answer("model call failed")]
    assert golden.text(golden.chunks("oj_false_completed_answer_error")) == golden.text(told)


@pytest.mark.parametrize(
    "value",
    [
        {"toolCallId": "c", "toolName": "t", "message": "m", "context": {"_interrupt_kind": "a2a_delegate"}},
        {
            "tool_call_id": "c",
            "tool_name": "t",
            "message": "m",
            "context": {"_interrupt_kind": "a2a_delegate"},
        },
    ],
)
def test_a_delegation_is_read_in_both_spellings(value):
    one = chunks.interaction(0, "c", value)
    assert chunks.is_delegation(one)
    assert chunks.interaction_of(one)[:4] == ("c", "t", "c", "m")


@pytest.mark.parametrize("value", ["Which?", {"toolCallId": "c", "toolName": "t", "message": "Which?"}])
def test_a_question_is_no_delegation(value):
    one = chunks.interaction(0, "c", value)
    assert not chunks.is_delegation(one)
    assert chunks.interaction_of(one).message == "Which?"


def test_content_is_no_delegation():
    assert not chunks.is_delegation(chunks.answer("a2a_delegate"))
