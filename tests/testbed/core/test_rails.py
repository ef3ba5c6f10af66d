"""What each tool's rail raises: equal to the golden captures, byte for byte."""

from __future__ import annotations

import json

import pytest

from harness.testbed.core import rails
from harness.testbed.core.model_client import ToolCall
from harness.testbed.core.spelling import spelled
from harness.testbed.model.scripts import QUESTION
from tests.testbed.core import golden


def call(name, id="call_00_x", **arguments):
    return ToolCall(id, name, json.dumps(arguments))


NATIVE = {
    "oj_native_request_user_input": [
        call(
            "request_user_input",
            "call_00_Qq1",
            message="Which city do you depart from?",
            missing_fields=["departure"],
        )
    ],
    "oj_native_ask_user_rail": [call("ask_user", "call_00_Qq2", questions=[QUESTION])],
    "oj_native_confirm": [call("delete_file", "call_00_Cc1", path="x")],
    "oj_native_batch2": [
        call("request_user_input", "call_00_B0", message="Departure city?"),
        call("request_user_input", "call_01_B1", message="Return date?"),
    ],
}


@pytest.mark.parametrize("case", NATIVE)
def test_questions_equal_the_golden_ones(case):
    told = [spelled(n, rails.interrupt(one, ()), "java") for n, one in enumerate(NATIVE[case])]
    assert golden.text(told) == golden.text(golden.interrupts(case))


def test_a_client_tool():
    """openJiuwen facts, section 1b."""
    value = rails.interrupt(call("get_location", "call_00_L1", precision="city"), ()).value
    assert golden.text(value) == (
        '{"message": "Client tool invocation required: get_location", "toolCallId": "call_00_L1", '
        '"toolName": "get_location", "context": {"_interrupt_kind": "client_tool", "arguments": {"precision": "city"}}}'
    )


def test_the_questioner_is_a_component():
    """Form g: the value is a string, the id that of the component, and there is no toolCallId."""
    one = rails.interrupt(call("questioner", question="Please give the invoice number"), ())
    assert spelled(0, one, "java")["payload"] == {
        "id": "questioner",
        "value": "Please give the invoice number",
    }


def test_a_delegation_has_kind_agent_and_prompt():
    """Seed 000, section 5.2."""
    one = rails.interrupt(call("search-agent", remoteInput="price of A"), ["search-agent"])
    assert one.delegates
    assert golden.text(one.value) == (
        '{"toolCallId": "call_00_x", "payloadSchema": {}, "context": {"_interrupt_kind": "a2a_delegate", '
        '"agentName": "search-agent"}, "message": "price of A", "toolName": "search-agent"}'
    )


def test_a_local_tool_runs_at_once():
    one = call("look_up", page=3)
    assert rails.interrupt(one, ()) is None
    assert rails.run(one) == "page 3"


def test_an_unknown_tool_is_told_to_the_model():
    assert "no tool" in rails.run(call("nothing"))


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ('{"approved":true,"feedback":"","auto_confirm":false}', "deleted"),
        ({"approved": True}, "deleted"),
        ('{"approved":false}', "kept"),
        ("yes please", "kept"),
        ("[1]", "kept"),
    ],
)
def test_a_confirmation_decides(given, word):
    assert rails.resumed(call("delete_file", path="a.txt"), given) == f"a.txt {word}"


def test_results_go_back_as_text():
    assert rails.resumed(call("search-agent"), "R") == "R"
    assert (
        json.loads(rails.resumed(call("search-agent"), {"ok": False, "code": "REMOTE_TIMEOUT"}))["ok"]
        is False
    )


def test_tools_are_cards():
    """Seed 000, section 5.1: a remote agent is a card whose schema has remoteInput alone."""
    card = rails.cards(["search-agent"])[0]["function"]
    assert card["name"] == "search-agent"
    assert list(card["parameters"]["properties"]) == ["remoteInput"]
