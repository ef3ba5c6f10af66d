"""The task loop: what it publishes and what it puts into the steering queue, by defect."""

from __future__ import annotations

import json

import pytest

from tests.testbed.core.playing import playing


def frames(turns):
    return [one for turn in turns for one in turn.of("controller_output")]


def steered(player):
    return [
        one["content"]
        for one in player.model.asked[-1].messages
        if one["role"] == "user" and one["content"].startswith("[STEERING]")
    ]


@pytest.mark.parametrize("script", ["research", "single", "ask", "confirm"])
def test_the_fixed_loop_publishes_nothing_of_an_interrupt(script):
    with playing("deepagent", script=script) as player:
        turns = player.to_the_end("compare")
    assert frames(turns) == []
    assert steered(player) == []


def test_v2_mirrors_three_and_one():
    """Seed 000: two frames, 3 + 1 delegations; index is the stream's running number."""
    with playing("deepagent", script="research", tokens=30, defects=["mirror-v2"]) as player:
        turns = player.to_the_end("compare")
    told = frames(turns)
    assert [len(one["payload"]["data"]) for one in told] == [3, 1]
    assert [one["index"] for one in told] == [10, 21]
    first = turns[0]
    assert first[-4]["type"] == "controller_output"
    assert [one["data"]["payload"] for one in told[0]["payload"]["data"]] == [
        one["payload"] for one in first[-3:]
    ]


@pytest.mark.parametrize(
    ("defect", "number"), [("mirror-v1", 4), ("mirror-v2", 2), ("mirror-final", 2), ("mirror-python", 2)]
)
def test_each_form_shows_every_delegation(defect, number):
    with playing("deepagent", script="research", defects=[defect]) as player:
        told = frames(player.to_the_end("compare"))
    assert len(told) == number
    assert json.dumps(told).count("a2a_delegate") == 4


def test_one_delegation_leaks_too():
    """Seed 000, section 7: the number of calls decides N in data:[N] and nothing else."""
    with playing("deepagent", script="single", defects=["mirror-v2"]) as player:
        (one,) = frames(player.to_the_end("compare"))
    assert len(one["payload"]["data"]) == 1


def test_an_interrupt_frame_in_the_steering_queue():
    """Seed 001, section 1: the first frame of the event, as a user message of the next request."""
    with playing("deepagent", script="ask-user", defects=["steering-interaction"]) as player:
        player.to_the_end("go")
        (text,) = steered(player)
    assert text.startswith("[STEERING] {payload=InteractionOutput{id='call_00_")
    assert text.endswith(", metadata={}}, type=__interaction__}")


def test_an_interrupt_result_in_the_steering_queue():
    with playing("deepagent", script="research", defects=["steering-interrupt"]) as player:
        player.to_the_end("compare")
        texts = steered(player)
    assert len(texts) == 2
    assert all(text.startswith("[STEERING] {result_type=interrupt, state=[") for text in texts)


def test_pollution_does_not_stop_the_work():
    with playing("deepagent", script="research", defects=["as-reported"]) as player:
        last = player.to_the_end("compare")[-1]
    assert last.end["payload"]["output"].count("R(") == 4


def test_a_false_success_is_a_failed_task_and_an_answer():
    """oj_false_completed_answer_error."""
    with playing("deepagent", script="fail", defects=["failure-as-answer"]) as player:
        told = player.says("hi")
    assert [one["type"] for one in told] == ["controller_output", "answer"]
    assert told[0]["payload"]["data"] == [{"text": "[181001] model call failed"}]
    assert told[0]["payload"]["metadata"] == {"task_id": "deep_agent_task_ctx-demo-01_1"}


def test_a_false_success_in_the_spelling_of_the_python_core():
    """openJiuwen facts, section 3: data members have a type tag."""
    with playing("deepagent", script="fail", core="python", defects=["failure-as-answer"]) as player:
        told = player.says("hi")
    assert told[0]["payload"]["data"][0]["type"] == "text"


def test_interactions_in_the_spelling_of_the_python_core():
    with playing("deepagent", script="single", core="python") as player:
        told = player.says("compare")
    value = told.end["payload"]["value"]
    assert (value["tool_name"], value["message"]) == ("search-agent", told.interactions[0].message)


def test_a_text_that_comes_after_the_last_request_opens_one_more_round():
    class Late:
        """A queue that is filled while the answer is on its way."""

        def __init__(self):
            self.asked = 0

        def empty(self):
            self.asked += 1
            return self.asked != 2

        def get_nowait(self):
            return "too late?"

    with playing("deepagent", script="plain") as player:
        late = player._replace(steer=Late())
        late.steer.get_nowait = lambda: setattr(late.steer, "asked", 9) or "too late?"
        told = late.says("hi")
    assert [one["type"] for one in told].count("answer") == 1
    assert len(player.model.asked) == 2
