"""Which step of a script is played, and what it says: decided by the request alone."""

from __future__ import annotations

import json

import pytest

from harness.testbed.model.reply import look, reply, share, split
from harness.testbed.model.scripts import PATIENCE, SCRIPTS, Parameters

USER = {"role": "user", "content": "compare"}
ALL = {"search-agent", "verify-agent", "look_up", "request_user_input", "versatile-adapter"}


def said(content="", *calls):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(text):
    return {"role": "tool", "content": text, "tool_call_id": "c"}


def played(script, messages, tools=frozenset(ALL), **given):
    parameters = Parameters(**given)
    return reply(SCRIPTS[script](parameters), parameters, messages, set(tools))


def text(one):
    return "".join(one.content)


def test_research_searches_then_verifies_then_quotes():
    """Issue text: three search calls, one verify call, an answer that quotes all four."""
    search = played("research", [USER])
    assert [call.name for call in search.calls] == ["search-agent"] * 3
    prompts = [json.loads(call.arguments)["remoteInput"] for call in search.calls]
    assert len(set(prompts)) == 3
    after = [USER, said(), result("R1"), result("R2"), result("R3")]
    assert [call.name for call in played("research", after).calls] == ["verify-agent"]
    end = played("research", [*after, said(), result("R4")])
    assert not end.calls
    assert all(one in text(end) for one in ("R1", "R2", "R3", "R4"))


def test_an_answer_quotes_only_what_was_fed_back():
    end = played("research", [USER, said(), result("R1"), said()])
    assert "R1" in text(end)
    assert "R4" not in text(end)


def test_the_order_of_delegations_can_be_lost():
    assert [call.name for call in played("research", [USER], order="reversed").calls] == ["verify-agent"]


def test_a_new_user_text_begins_the_script_again():
    again = [USER, said("The end"), {"role": "user", "content": "once more"}]
    assert len(played("research", again, calls=2).calls) == 2


def test_results_of_an_earlier_task_are_not_quoted():
    later = [USER, said(), result("old"), said("end"), USER, said(), result("new")]
    assert "old" not in text(played("single", later))


def test_call_ids_carry_their_number_and_are_unique():
    """The form of seed 000: call_00_..., call_01_..."""
    ids = [call.id for call in played("research", [USER], calls=12).calls]
    assert [one[:8] for one in ids] == [f"call_{n:02}_" for n in range(12)]
    assert len({*ids, *(call.id for call in played("research", [USER], calls=12).calls)}) == 24


@pytest.mark.parametrize("tokens", [3, 12, 100, 3873])
def test_the_tokens_of_a_round_are_those_that_were_asked_for(tokens):
    rounds = ([USER], [USER, said()], [USER, said(), said()])
    replies = [played("research", one, tokens=tokens) for one in rounds]
    assert sum(len(one.reasoning) + len(one.content) for one in replies) == pytest.approx(tokens, abs=3)


def test_tools_that_are_not_offered_are_not_called():
    """An agent that probes the model with one question and no tools gets a text."""
    probe = [
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": "data:,"}},
                {"type": "text", "text": "What color?"},
            ],
        }
    ]
    one = played("research", probe, tools=())
    assert not one.calls
    assert text(one)


def test_a_text_in_parts_is_read():
    assert (
        look(
            [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]
        ).prompt
        == "ab"
    )


def test_work_goes_on_until_it_is_steered():
    """A steering text that is sent during the work reaches a later request, whatever the machine's pace."""
    working = [USER, *(said() for _ in range(9))]
    assert played("steer", working).calls
    steered = [*working, {"role": "user", "content": "[STEERING] only Europe"}]
    assert "only Europe" in text(played("steer", steered))


def test_work_that_nobody_steers_ends():
    tired = [USER, *(said() for _ in range(PATIENCE * 4 + 1))]
    assert not played("steer", tired).calls


def test_a_steering_text_is_no_new_task():
    seen = look([USER, said(), {"role": "user", "content": "[STEERING] x"}])
    assert (seen.turn, seen.prompt, seen.steering) == (1, "compare", ("x",))


@pytest.mark.parametrize("asks", [1, 3])
def test_the_adapter_asks_and_then_answers(asks):
    messages = [USER]
    for _ in range(asks):
        assert played("versatile", messages, asks=asks).calls
        messages += [said(), result("an answer")]
    assert "88.00" in text(played("versatile", messages, asks=asks))


def test_expense_review_asks_fourteen_times():
    """Seed 000, section 2.3: 14 of 14."""
    steps = SCRIPTS["expense"](Parameters())
    asked = [step for step in steps if any(call.tool == "request_user_input" for call in step.calls)]
    assert len(asked) == 14


@pytest.mark.parametrize(
    ("text", "pieces"), [("", 3), ("a", 3), ("The answer is 42.", 2), ("报销单已提交。", 3), (" a  b ", 9)]
)
def test_split_loses_nothing(text, pieces):
    parts = split(text, pieces)
    assert "".join(parts) == text
    assert len(parts) <= pieces
    assert all(parts)


def test_shares_add_up():
    assert sum(share(3873, 3, n) for n in range(3)) == 3873
