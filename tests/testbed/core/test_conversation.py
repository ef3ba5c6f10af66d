"""What is remembered of a conversation, and how waiting calls get their results."""

from __future__ import annotations

import pytest

from harness.testbed.core import rails
from harness.testbed.core.conversation import Conversation
from harness.testbed.core.model_client import ToolCall

CALLS = [ToolCall("a", "search-agent", "{}"), ToolCall("b", "search-agent", "{}")]


def waiting(*calls):
    talk = Conversation("ctx", "system")
    talk.open("hi")
    talk.messages.append({"role": "assistant", "content": ""})
    talk.called([call.id for call in calls])
    talk.waiting = {call.id: rails.interrupt(call, ["search-agent"]) for call in calls}
    return talk


def results(talk):
    return [(one["tool_call_id"], one["content"]) for one in talk.messages if one["role"] == "tool"]


def test_results_go_to_their_own_calls_in_the_order_of_the_calls():
    talk = waiting(*CALLS)
    talk.resume({"b": "B", "a": "A"})
    assert results(talk) == [("a", "A"), ("b", "B")]
    assert not talk.waiting


def test_a_part_of_the_results_leaves_the_rest_waiting():
    talk = waiting(*CALLS)
    talk.resume({"b": "B"})
    assert list(talk.waiting) == ["a"]
    assert results(talk) == []
    talk.resume({"": "A"})
    assert results(talk) == [("a", "A"), ("b", "B")]


def test_an_untargeted_answer_is_for_the_only_one_that_waits():
    talk = waiting(CALLS[0])
    talk.resume({"": "A"})
    assert results(talk) == [("a", "A")]


@pytest.mark.parametrize("given", [{"": "x"}, {"z": "x"}])
def test_an_answer_to_nothing_changes_nothing(given):
    talk = waiting(*CALLS)
    talk.resume(given)
    assert list(talk.waiting) == ["a", "b"]


def test_a_component_is_answered_by_its_name():
    talk = waiting(ToolCall("c", "questioner", '{"question": "Q"}'))
    talk.resume({"questioner": "INV-1"})
    assert results(talk) == [("c", "INV-1")]


def test_a_new_text_forgets_what_waits():
    """The next request of the model must not carry calls without results."""
    talk = waiting(*CALLS)
    talk.open("something else")
    assert [one["role"] for one in talk.messages] == ["system", "user", "user"]
    assert not talk.waiting


def test_tasks_and_chunks_are_numbered():
    """Form of seed 000: deep_agent_task_<conversation>_1."""
    talk = Conversation("ctx", "")
    talk.open("one")
    assert talk.task_name == "deep_agent_task_ctx_1"
    assert [talk.number(), talk.number()] == [0, 1]
    talk.open("two")
    assert (talk.task_name, talk.number()) == ("deep_agent_task_ctx_2", 0)
