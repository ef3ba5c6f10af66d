"""Other spellings of interrupts: Python's, and Java's toString."""

from __future__ import annotations

import json

import pytest

from harness.testbed.core import rails, spelling
from harness.testbed.core.model_client import ToolCall

CALL = ToolCall(
    "ask-user-call",
    "ask_user",
    json.dumps({"questions": [{"question": "Q", "options": [], "multi_select": False}]}),
)


def test_an_interaction_is_printed_as_in_seed_001():
    frame = spelling.spelled(0, rails.interrupt(CALL, ()), "java")
    text = spelling.printed_interaction(frame)
    assert text.startswith("{payload=InteractionOutput{id='ask-user-call', value=")
    assert text.endswith(", metadata={}}, type=__interaction__}")


def test_an_interrupt_result_is_printed_as_a_map():
    frame = spelling.spelled(0, rails.interrupt(CALL, ()), "java")
    assert spelling.printed_result([frame]).startswith("{result_type=interrupt, state=[")


@pytest.mark.parametrize(
    ("value", "text"),
    [({"a": {"b": [1, "x"]}}, "{a={b=[1, x]}}"), (True, "true"), (None, "null"), ({}, "{}"), (1.5, "1.5")],
)
def test_values_are_printed_as_java_does(value, text):
    assert spelling.printed(value) == text


def test_the_python_core_keeps_its_extras():
    value = spelling.spelled(0, rails.interrupt(CALL, ()), "python")["payload"]["value"]
    assert (value["tool_name"], value["tool_call_id"], value["message"]) == ("ask_user", "ask-user-call", "")
    assert value["questions"][0]["question"] == "Q"
    assert "ui_options" not in value


def test_a_component_question_is_spelled_alike():
    call = ToolCall("c", "questioner", '{"question": "Q"}')
    assert spelling.spelled(0, rails.interrupt(call, ()), "python")["payload"]["value"] == "Q"
