"""The workflow agent: one question a round, then the review, then the end."""

from __future__ import annotations

from harness.testbed.core.chunks import is_delegation
from tests.testbed.core.playing import playing


def test_fourteen_rounds_ask_and_the_fifteenth_ends():
    """Seed 000, section 2.3: 14 of 14, each bound to request_user_input."""
    with playing("workflow", "expense-review-main", script="expense") as player:
        turns = player.to_the_end("expenses")
    asked = [turn.interactions for turn in turns[:14]]
    assert all(len(one) == 1 and one[0].tool == "request_user_input" for one in asked)
    assert len({one[0].call_id for one in asked}) == 14
    review = turns[14]
    assert [one.tool for one in review.interactions] == ["expense-review-workflow"]
    assert is_delegation(review.end)
    assert turns[15].end["type"] == "workflow_final"
    assert turns[15].end["payload"]["result_type"] == "answer"


def test_the_answers_reach_the_reviewer():
    with playing("workflow", script="expense", questions=2) as player:
        turns = player.to_the_end("expenses", result="R")
    assert "R；R" in turns[2].interactions[0].message


def test_a_component_question_has_no_tool():
    with playing("workflow", script="questioner") as player:
        first = player.says("go")
        last = player.resumed({"": "INV-7"})
    assert first.end["payload"] == {"id": "questioner", "value": "Please give the invoice number"}
    assert last.end["payload"]["output"] == "Invoice INV-7 is booked."
