"""The ReAct agent against a real model: history, interrupts, resume, faults. Every kind does the same inside."""

from __future__ import annotations

import pytest

from harness.testbed.core.chunks import INTERACTION, is_delegation
from tests.testbed.core.playing import playing

KINDS = ("react", "plan-agent", "deepagent", "workflow")
NATIVE = ("ask", "ask-batch", "ask-user", "confirm", "client-tool", "questioner")


def test_a_plain_answer_has_the_chunks_of_the_golden_one():
    """oj_plain: reasoning, output, usage, answer; one running number for reasoning and output."""
    with playing("react", script="plain", tokens=6) as player:
        told = player.says("hi")
    types = [one["type"] for one in told]
    assert sorted(set(types), key=types.index) == ["llm_reasoning", "llm_output", "llm_usage", "answer"]
    assert [one["index"] for one in told.of("llm_reasoning", "llm_output")] == list(range(6))
    assert told.end["payload"] == {"output": "The answer is 42.", "result_type": "answer"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_plays_research(kind):
    """Issue text: kind and concurrency vary one at a time. All calls of a turn are interrupted before a resume."""
    with playing(kind, script="research") as player:
        first, second, last = player.to_the_end("compare")
    assert [one.tool for one in first.interactions] == ["search-agent"] * 3
    assert [one["index"] for one in first.of(INTERACTION)] == [0, 1, 2]
    assert first[-3:] == first.of(INTERACTION)
    assert all(is_delegation(one) for one in first.of(INTERACTION))
    assert [one.tool for one in second.interactions] == ["verify-agent"]
    assert last.end["type"] == ("workflow_final" if kind == "workflow" else "answer")
    for one in (*first.interactions, *second.interactions):
        assert f"R({one.message})" in last.end["payload"]["output"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("script", NATIVE)
def test_every_kind_asks(kind, script):
    with playing(kind, script=script) as player:
        first, last = player.to_the_end("go")
    assert not any(is_delegation(one) for one in first.of(INTERACTION))
    assert last.end["payload"]["result_type"] == "answer"


def test_results_reach_the_model_under_their_own_ids():
    with playing("react", script="research") as player:
        first, *_ = player.to_the_end("compare")
    sent = [one for one in player.model.asked[1].messages if one["role"] == "tool"]
    assert [(one["tool_call_id"], one["content"]) for one in sent] == [
        (one.call_id, f"R({one.message})") for one in first.interactions
    ]


def test_a_part_of_the_answers_asks_again_for_the_rest():
    with playing("react", script="ask-batch") as player:
        first = player.says("go")
        again = player.resumed({first.interactions[0].call_id: "Beijing"})
        assert [one.call_id for one in again.interactions] == [first.interactions[1].call_id]
        assert len(player.model.asked) == 1
        last = player.resumed({"": "Monday"})
    assert last.end["payload"]["output"] == "Noted: Beijing；Monday."


def test_history_is_kept_by_conversation():
    with playing("react", script="plain") as player:
        player.says("one")
        player.says("two")
    roles = [one["role"] for one in player.model.asked[1].messages]
    assert roles == ["system", "user", "assistant", "user"]


def test_the_model_is_told_its_script_and_the_trace():
    with playing("react", script="plain", tokens=40, pace=0.001) as player:
        player.says("hi", traceparent="00-a-b-01")
    (asked,) = player.model.asked
    assert asked.headers["traceparent"] == "00-a-b-01"
    assert asked.body["model"].startswith("plain?")
    assert "tokens=40" in asked.body["model"]
    assert "pace=0.001" in asked.body["model"]


def test_a_round_can_be_long():
    """The size of seed 000: thousands of token events."""
    with playing("react", script="research", tokens=3873) as player:
        turns = player.to_the_end("compare")
    assert sum(len(one.of("llm_reasoning", "llm_output")) for one in turns) == 3873


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("script", ["fail", "fail-midstream", "garbage"])
def test_a_fault_of_the_model_is_an_error(kind, script):
    with playing(kind, script=script) as player:
        told = player.says("hi")
    assert told.end["type"] == "error"
    assert told.end["payload"]["code"] == "AGENT_EXECUTION_FAILED"
    assert not told.of("answer", "controller_output")


@pytest.mark.parametrize("kind", ["react", "plan-agent", "workflow"])
def test_false_success_looks_like_an_answer(kind):
    with playing(kind, script="fail", defects=["failure-as-answer"]) as player:
        told = player.says("hi")
    assert told == [
        {"type": "answer", "index": 0, "payload": {"output": "model call failed", "result_type": "error"}}
    ]


def test_false_success_in_the_spelling_of_the_python_core():
    with playing("react", script="fail", core="python", defects=["failure-as-answer"]) as player:
        told = player.says("hi")
    assert told.end["payload"] == {"error": "model call failed", "output": "", "result_type": ""}


@pytest.mark.parametrize("kind", KINDS)
def test_explicit_steering_reaches_the_next_request(kind):
    """Seed 001, section 2: an explicit text goes into the queue, and from there to the model."""
    with playing(kind, script="steer") as player:
        player.steer.put_nowait("change plan")
        told = player.says("report")
    sent = [one for asked in player.model.asked for one in asked.messages if one["role"] == "user"]
    assert {"role": "user", "content": "[STEERING] change plan"} in sent
    assert "change plan" in told.end["payload"]["output"]


def test_steering_can_be_lost():
    with playing("deepagent", script="steer", defects=["steering-dropped"]) as player:
        player.steer.put_nowait("change plan")
        player.says("report")
    assert not any("change plan" in str(asked.messages) for asked in player.model.asked)


def test_a_question_can_be_lost():
    with playing("react", script="ask-batch", defects=["interaction-lost"]) as player:
        first, last = player.to_the_end("go")
    assert [one.message for one in first.interactions] == ["Departure city?"]
    assert last.end["type"] == "answer"


def test_a_question_can_be_doubled():
    with playing("workflow", script="ask", defects=["interaction-doubled"]) as player:
        first = player.says("go")
        last = player.resumed({"": "Beijing"})
    one, again = first.interactions
    assert one.message == again.message
    assert one.call_id != again.call_id
    assert "Beijing" in last.end["payload"]["output"]


def test_delegations_are_never_lost_or_doubled():
    with playing("react", script="research", defects=["interaction-lost", "interaction-doubled"]) as player:
        assert len(player.says("compare").interactions) == 3


def test_an_interrupt_can_be_printed():
    """Seed 001: the form of InteractionOutput.toString."""
    with playing("plan-agent", script="single", defects=["object-as-text"]) as player:
        told = player.says("compare")
    assert told.of("llm_output")[-1]["payload"]["content"].startswith(
        "{payload=InteractionOutput{id='call_00_"
    )


def test_the_order_of_delegations_can_be_lost():
    with playing("deepagent", script="research", defects=["delegation-order-lost"]) as player:
        first, second, _ = player.to_the_end("compare")
    assert [one.tool for one in first.interactions] == ["verify-agent"]
    assert len(second.interactions) == 3


@pytest.mark.parametrize("kind", ["react", "plan-agent", "workflow"])
def test_only_the_task_loop_mirrors_and_pollutes(kind):
    """Seed 000, section 7: the kind of the agent decides, not the number of calls."""
    defects = [
        "mirror-v1",
        "mirror-v2",
        "mirror-final",
        "mirror-python",
        "steering-interaction",
        "steering-interrupt",
    ]
    with playing(kind, script="research", defects=defects) as player:
        turns = player.to_the_end("compare")
    assert not any(one.of("controller_output") for one in turns)
    assert not any("[STEERING]" in str(asked.messages) for asked in player.model.asked)


def test_a_remote_agent_has_no_faults_and_answers_with_its_prompt():
    with playing(
        None, "search-agent", script="research", tokens=900, defects=["object-as-text", "failure-as-answer"]
    ) as player:
        told = player.says("price of A")
    assert "price of A" in told.end["payload"]["output"]
    assert len(told) < 30
