"""Every form of the table in the semantics (section 3), in both spellings, on both channels.

Values are own edits of the examples on the facts page; expectations come from the table.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from harness.mapping.engine import Mapper
from harness.mapping.load import load
from tests.mapping.events import ARTIFACT, HELD, Seen, artifact, bare, camel, seen, snake, status

MAPPER = Mapper(load())

APPROVAL = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
QUESTIONS = [{"header": "City", "question": "From where?", "options": [{"label": "A"}]}]


def typed(call: str, value: Any, **beside: Any) -> dict[str, Any]:
    """Form a: the typed envelope around a value."""
    return {"type": "__interaction__", "index": 0, "payload": {"id": call, "value": value}, **beside}


def delegate(call: str = "call_00_K1", **more: Any) -> dict[str, Any]:
    """The request of a delegation."""
    context = {"_interrupt_kind": "a2a_delegate", "agentName": "rate-agent"}
    return {
        "toolCallId": call,
        "toolName": "rate-agent",
        "message": "rate of X",
        "payloadSchema": {},
        "context": context,
        **more,
    }


def ask(call: str = "call_00_Q1", tool: str = "request_user_input", **more: Any) -> dict[str, Any]:
    """The request of a native question."""
    return {"toolCallId": call, "toolName": tool, "message": "Which day?", **more}


LEAK = Seen("delegation", "leaked", "call_00_K1", "rate-agent", "rate-agent", "rate of X")
LEAK2 = LEAK._replace(call="call_01_K2")
ASKED = Seen("user_input", "native", "call_00_Q1", "request_user_input", None, "Which day?")
EXTRAS = {"_interrupt_kind": "a2a_delegate", "agentName": "rate-agent"}
PLAIN = {"toolCallId": "call_00_K1", "toolName": "rate-agent", "message": "rate of X"}


class Form(NamedTuple):
    """One form: the value, and what is in it."""

    value: Any
    expected: list[Seen]
    held_only: bool = False
    """Only under `_interrupt`: nothing else tells that it interrupts."""


FORMS: dict[str, Form] = {
    # a
    "a delegate": Form(typed("call_00_K1", delegate()), [LEAK]),
    "a delegate, all beside": Form(
        typed("call_00_K1", delegate(), message="rate of X", toolCallId="call_00_K1", toolName="rate-agent",
              context=EXTRAS), [LEAK]),
    "a delegate, extraFields": Form(typed("call_00_K1", {**PLAIN, "extraFields": EXTRAS}), [LEAK]),
    "a delegate, extras flattened": Form(typed("call_00_K1", {**PLAIN, **EXTRAS}), [LEAK]),
    "a delegate, extras in metadata": Form(typed("call_00_K1", {**PLAIN, "metadata": EXTRAS}), [LEAK]),
    "a delegate, value as text": Form(typed("call_00_K1", json.dumps(delegate())), [LEAK]),
    "a delegate, payload as text": Form(
        {"type": "__interaction__", "payload": json.dumps({"id": "call_00_K1", "value": delegate()})}, [LEAK]),
    "a delegate, context as text": Form(typed("call_00_K1", {**PLAIN, "context": json.dumps(EXTRAS)}), [LEAK]),
    "a delegate, without index": Form(
        {"type": "__interaction__", "payload": {"id": "call_00_K1", "value": delegate()}}, [LEAK]),
    "a delegate, python core": Form(
        typed("call_00_K1", {
            "message": "rate of X", "payload_schema": {}, "auto_confirm_key": "", "ui_options": None, "metadata": {},
            "tool_name": "rate-agent", "tool_call_id": "call_00_K1", "tool_args": "{\"remoteInput\": \"rate of X\"}",
            "index": 0, "context": EXTRAS}), [LEAK]),
    "a question": Form(typed("call_00_Q1", ask(context={"missing_fields": ["day"]}, payloadSchema={})), [ASKED]),
    "a question by kind": Form(
        typed("call_00_Q1", ask(tool="form", context={"_interrupt_kind": "ask_user"})), [ASKED._replace(tool="form")]),
    "a question, tool not on the list": Form(typed("call_00_Q1", ask(tool="pick_day")), [ASKED._replace(tool="pick_day")]),
    "a ask_user with questions": Form(
        typed("call_00_Q1", ask(tool="ask_user", message="", questions=QUESTIONS), message=""),
        [ASKED._replace(tool="ask_user", prompt="From where?")]),
    "a confirmation": Form(
        typed("call_00_C1", ask("call_00_C1", "drop_table", message="Allow?", autoConfirmKey="drop_table", payloadSchema=APPROVAL)),
        [Seen("confirmation", "native", "call_00_C1", "drop_table", None, "Allow?")]),
    "a client tool": Form(
        typed("call_00_L1", ask("call_00_L1", "get_place", message="run it",
                                context={"_interrupt_kind": "client_tool", "arguments": {"precision": "city"}})),
        [Seen("client_tool", "native", "call_00_L1", "get_place", None, "run it")]),
    "a client tool, flat": Form(
        typed("call_00_L1", ask("call_00_L1", "get_place", message="run it", kind="client_tool", arguments={"a": 1})),
        [Seen("client_tool", "native", "call_00_L1", "get_place", None, "run it")]),
    "a client tool, flat beside the payload": Form(
        typed("call_00_L1", ask("call_00_L1", "get_place", message="run it"), kind="client_tool", arguments={}),
        [Seen("client_tool", "native", "call_00_L1", "get_place", None, "run it")]),
    "a kind never seen": Form(
        typed("call_00_U1", ask("call_00_U1", "robot", message="m", context={"_interrupt_kind": "robot_arm"})),
        [Seen("unknown", "native", "call_00_U1", "robot", None, "m")]),
    # b
    "b delegates": Form(
        {"type": "__interaction__", "message": "interaction batch", "items": [
            typed("call_00_K1", delegate(), message="rate of X"), typed("call_01_K2", delegate("call_01_K2"))]},
        [LEAK, LEAK2]),
    "b questions": Form(
        {"type": "__interaction__", "message": "interaction batch", "items": [
            typed("call_00_Q1", ask(), toolCallId="call_00_Q1", toolName="request_user_input", message="Which day?"),
            typed("call_01_Q2", ask("call_01_Q2"))]},
        [ASKED, ASKED._replace(call="call_01_Q2")]),
    "b mixed": Form(
        {"type": "__interaction__", "items": [typed("call_00_K1", delegate()), typed("call_00_Q1", ask())]}, [LEAK, ASKED]),
    "b of one": Form({"type": "__interaction__", "items": [typed("call_00_K1", delegate())]}, [LEAK]),
    "b, items as text": Form({"type": "__interaction__", "items": json.dumps([typed("call_00_K1", delegate())])}, [LEAK]),
    "b, each item a text": Form({"type": "__interaction__", "items": [json.dumps(typed("call_00_K1", delegate()))]}, [LEAK]),
    "b, items without type": Form(
        {"type": "__interaction__", "items": [{"index": 0, "payload": {"id": "call_00_K1", "value": delegate()}}]}, [LEAK]),
    # c
    "c one": Form({"message": "m", "items": [PLAIN]}, [Seen("delegation", "masked", "call_00_K1", "rate-agent", None, "rate of X")]),
    "c two": Form(
        {"message": "several", "items": [PLAIN, {**PLAIN, "toolCallId": "call_01_K2", "message": "Which hotel?"}]},
        [Seen("delegation", "masked", "call_00_K1", "rate-agent", None, "rate of X"),
         Seen("delegation", "masked", "call_01_K2", "rate-agent", None, "Which hotel?")]),
    "c with an agent name": Form({"message": "m", "items": [{**PLAIN, "agentName": "rate-agent"}]}, [LEAK]),
    "c with a kind": Form({"message": "m", "items": [{**PLAIN, "_interrupt_kind": "a2a_delegate"}]}, [LEAK._replace(agent=None)]),
    "c with a context": Form({"message": "m", "items": [{**PLAIN, "context": EXTRAS}]}, [LEAK]),
    # d
    "d": Form(
        {"message": "handing over", "_interrupt": {"targetAgentId": "flight-agent", "remoteTaskId": "rt-3"}},
        [Seen("delegation", "leaked", None, None, "flight-agent", "handing over")]),
    # e
    "e confirmation": Form(
        {"type": "__interaction__", "index": 0, "message": "Send it?", "context": {"_interrupt_kind": "ask_user"},
         "payload": {"kind": "confirmation", "items": [{"type": "tool_call", "name": "send_mail", "arguments": {"to": "x"}}]}},
        [Seen("confirmation", "native", None, "send_mail", None, "Send it?")]),
    "e tool result": Form(
        {"type": "__interaction__", "index": 0, "message": "Run it", "context": {"_interrupt_kind": "ask_user"},
         "payload": {"kind": "tool_result", "items": [{"type": "tool_call", "name": "scan"}, {"type": "tool_call", "name": "b"}]}},
        [Seen("client_tool", "native", None, "scan", None, "Run it")]),
    "e message": Form(
        {"type": "__interaction__", "index": 0, "message": "Tell me", "context": {"_interrupt_kind": "ask_user"},
         "payload": {"kind": "message", "items": []}},
        [Seen("user_input", "native", None, None, None, "Tell me")]),
    "e without type": Form(
        {"index": 0, "message": "Send it?", "context": {"_interrupt_kind": "ask_user"},
         "payload": {"kind": "confirmation", "items": [{"type": "tool_call", "name": "send_mail"}]}},
        [Seen("confirmation", "native", None, "send_mail", None, "Send it?")]),
    # f
    "f": Form(
        {"type": "__interaction__", "toolCallId": "versatile-delegate-5a3c", "agentName": "hotel", "responseContent": "x",
         "resume": False, "context": {"_interrupt_kind": "versatile", "agentName": "hotel", "resume": False},
         "message": "pick one", "_stream_mode": "sse"},
        [Seen("delegation", "leaked", "versatile-delegate-5a3c", None, "hotel", "pick one")]),
    # g
    "g": Form(
        {"type": "__interaction__", "index": 0, "payload": {"id": "questioner", "value": "Invoice number?"}},
        [Seen("user_input", "native", "questioner", None, None, "Invoice number?")]),
    # h
    "h": Form(
        {"result_type": "interrupt", "interrupt_ids": ["call_00_K1", "call_01_K2"],
         "state": [typed("call_00_K1", delegate()), typed("call_01_K2", delegate("call_01_K2"))]}, [LEAK, LEAK2]),
    "h question": Form({"result_type": "interrupt", "state": [typed("call_00_Q1", ask())]}, [ASKED]),
    "h, state as texts": Form({"result_type": "interrupt", "state": [json.dumps(typed("call_00_K1", delegate()))]}, [LEAK]),
    "h, members without type": Form({"result_type": "interrupt", "state": [{"id": "call_00_Q1", "value": ask()}]}, [ASKED]),
    # no form at all
    "a request alone": Form(delegate(), [LEAK]),
    "half masked": Form(
        {"toolCallId": "call_00_K1", "context": {"_interrupt_kind": "a2a_delegate"}},
        [Seen("delegation", "leaked", "call_00_K1")]),
    "the kind alone": Form({"_interrupt_kind": "a2a_delegate"}, [Seen("delegation", "leaked")]),
    "the kind far below its call": Form(
        {"call": {"toolCallId": "call_00_K1", "more": {"deep": {"_interrupt_kind": "a2a_delegate", "agentName": "rate-agent"}}}},
        [Seen("delegation", "leaked", "call_00_K1", None, "rate-agent")]),
    "a payload list": Form(
        {"type": "__interaction__", "payload": [{"id": "call_00_K1", "value": delegate()}, {"id": "call_01_K2", "value": delegate("call_01_K2")}]},
        [LEAK, LEAK2]),
    "untyped under _interrupt": Form({"payload": {"id": "call_00_Q1", "value": ask()}}, [ASKED], True),
    "a flat request under _interrupt": Form({**ask(), "payloadSchema": {}}, [ASKED], True),
    "a flat confirmation under _interrupt": Form(
        ask("call_00_C1", "drop_table", message="Allow?", payloadSchema=APPROVAL),
        [Seen("confirmation", "native", "call_00_C1", "drop_table", None, "Allow?")], True),
    "a proxy without its list": Form(PLAIN, [Seen("delegation", "masked", "call_00_K1", "rate-agent", None, "rate of X")], True),
    "a list of interrupts": Form([typed("call_00_K1", delegate()), typed("call_00_Q1", ask())], [LEAK, ASKED]),
}  # fmt: skip

SPELLINGS = {"as written": lambda value: value, "snake": snake, "camel": camel}


def found(events: Any) -> list[Seen]:
    return [seen(sighting) for sighting in MAPPER.read(events)[0] if not sighting.fallback]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", FORMS)
def test_on_the_control_channel(name: str, spelling: str) -> None:
    form = FORMS[name]
    sightings, _ = MAPPER.read(status(SPELLINGS[spelling](form.value)))
    assert [seen(one) for one in sightings] == form.expected
    assert {one.channel for one in sightings} == {"control"}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not form.held_only])
def test_on_the_content_channel(name: str, spelling: str) -> None:
    form = FORMS[name]
    value = SPELLINGS[spelling](form.value)
    for part in (
        {"data": value},
        {"data": {"type": "controller_output", "index": 3, "payload": {"type": "task_completion", "data": [{"type": "json", "data": value}]}}},
        {"text": json.dumps(value)},
        {"text": "  " + json.dumps(value, indent=1) + "\n"},
        {"text": json.dumps(json.dumps(value))},
        {"data": {"note": json.dumps({"inner": json.dumps(value)})}},
        {"text": "As JSON:\n```json\n" + json.dumps(value) + "\n```\nDone."},
        {"text": "event:jsonrpc\ndata:" + json.dumps(value) + "\n\ndata: {\"type\":\"end\"}\n\n"},
    ):  # fmt: skip
        sightings, _ = MAPPER.read(artifact(part))
        assert [seen(one) for one in sightings] == form.expected, part
        assert {one.channel for one in sightings} == {"content"}


@pytest.mark.parametrize("payload_type", ["task_interaction", "task_completion", "processing"])
@pytest.mark.parametrize(
    "name", ["a delegate", "a question", "g", "h", "f", "e confirmation", "c two", "a request alone"]
)
def test_in_the_mirror_of_the_task_loop(name: str, payload_type: str) -> None:
    form = FORMS[name]
    for member in (
        {"data": form.value},
        {"type": "json", "data": form.value},
        {"type": "json", "data": json.dumps(form.value)},
    ):
        payload = {
            "type": payload_type,
            "data": [member],
            "metadata": {"task_id": "d_1", "stream_kind": "inner_agent"},
        }
        chunk = {"type": "controller_output", "index": 828.0, "payload": payload, "last_chunk": True}
        assert found(artifact({"data": chunk})) == form.expected
        assert found(artifact({"text": json.dumps(chunk)})) == form.expected
        assert found(bare(chunk)) == form.expected


def test_a_mirror_whose_members_lost_their_type_still_speaks() -> None:
    payload = {
        "type": "task_interaction",
        "data": [{"data": {"id": "call_00_Q1", "value": ask()}}, {"data": PLAIN}],
    }
    assert found(artifact({"data": {"type": "controller_output", "payload": payload}})) == [
        ASKED, Seen("delegation", "masked", "call_00_K1", "rate-agent", None, "rate of X"),
    ]  # fmt: skip


def test_pointers_go_on_inside_strings() -> None:
    chunk = {
        "type": "controller_output",
        "payload": {"type": "task_interaction", "data": [{"data": typed("x", delegate())}]},
    }
    [one] = MAPPER.read(artifact({"text": json.dumps(chunk)}))[0]
    assert one.place.pointer == ARTIFACT + "/artifact/parts/0/text#/payload/data/0/data"
    assert (one.place.event, one.place.span) == (7, (100, 200))
    [one] = MAPPER.read(artifact({"text": json.dumps(json.dumps({"a/b": [typed("x", delegate())]}))}))[0]
    assert one.place.pointer == ARTIFACT + "/artifact/parts/0/text##/a~1b/0"
    [one] = MAPPER.read(artifact({"text": "see " + json.dumps({"k": typed("x", delegate())})}))[0]
    assert one.place.pointer == ARTIFACT + "/artifact/parts/0/text#/k"
    [one] = MAPPER.read(status(json.dumps(typed("x", delegate()))))[0]
    assert one.place.pointer == HELD + "#"


def test_the_parts_of_a_proxy() -> None:
    def proxy(item: Any) -> tuple[Any, ...]:
        [one] = MAPPER.read(status({"message": "m", "items": [item]}))[0]
        return one.exposure, one.extra, one.missing, one.internal

    assert proxy(PLAIN) == ("masked", (), (), ())
    assert proxy(snake(PLAIN)) == ("masked", (), (), ())
    assert proxy({**PLAIN, "priority": 3}) == ("masked", ("priority",), (), ())
    assert proxy({**PLAIN, "type": "__interaction__"}) == ("masked", ("type",), (), ())
    assert proxy({**PLAIN, "metadata": {}, "context": None, "note": ""}) == ("masked", (), (), ())
    assert proxy({"toolCallId": "c", "toolName": "t"}) == ("masked", (), ("message",), ())
    assert proxy({"toolName": "t", "message": "m"}) == ("masked", (), ("toolCallId",), ())
    assert proxy({**PLAIN, "message": ""}) == ("masked", (), ("message",), ())
    assert proxy({**PLAIN, "agentName": "rate-agent"}) == ("leaked", ("agentName",), (), ("agentName",))
    assert proxy({**PLAIN, "note": {"remote_task_id": "r"}}) == ("leaked", ("note",), (), ("remote_task_id",))
    assert proxy({**PLAIN, "context": {"city": "X"}}) == ("leaked", ("context",), (), ("context",))


def test_a_proxy_under_an_envelope_that_says_its_kind_leaks() -> None:
    assert found(status({"message": "m", "items": [PLAIN], "context": EXTRAS})) == [LEAK._replace(agent=None)]


def test_items_of_exactly_three_members_are_masked_whatever_their_words() -> None:
    for message in ("Remote agent requires input", "Which hotel?", "人工"):
        item = {"toolCallId": "c", "toolName": "request_user_input", "message": message}
        assert found(status({"message": message, "items": [item]})) == [
            Seen("delegation", "masked", "c", "request_user_input", None, message)
        ]
        assert (
            found(status({"type": "__interaction__", "message": message, "items": [item]}))[0].exposure
            == "masked"
        )


def test_an_untyped_batch_of_native_questions_is_native() -> None:
    for more in (
        {"questions": QUESTIONS},
        {"context": {"missing_fields": ["x"]}},
        {"_interrupt_kind": "ask_user"},
    ):
        [one] = found(status({"message": "m", "items": [{**ask(), **more}]}))
        assert (one.kind, one.exposure) == ("user_input", "native")


@pytest.mark.parametrize(
    ("interrupt", "text", "prompt"),
    [
        ({"question": "Which?"}, "The status text", "The status text"),
        ({"question": "Which?"}, "", "Which?"),
        ({"any": {"thing": [1, 2]}}, "Say it", "Say it"),
        ("please answer", "Say it", "Say it"),
        ("please answer", "", "please answer"),
        ({"message": "m", "items": []}, "", "m"),
        (["a", "b"], "Say it", "Say it"),
    ],
)
def test_an_interrupt_of_no_form_is_one_question(interrupt: Any, text: str, prompt: str) -> None:
    assert found(status(interrupt, text)) == [Seen("user_input", "native", None, None, None, prompt)]


@pytest.mark.parametrize("interrupt", [None, {}, [], "", "  ", False])
def test_an_empty_interrupt_is_none(interrupt: Any) -> None:
    assert MAPPER.read(status(interrupt))[0] == []


def test_an_interrupt_around_a_known_form_counts_once() -> None:
    assert found(status({"wrapped": {"deep": [typed("call_00_K1", delegate())]}}, "text")) == [LEAK]
    assert found(status({"_interrupt_kind": "robot_arm", "x": 1}, "text")) == [
        Seen("unknown", "native", prompt="text")
    ]
    assert found(status(json.dumps({"w": json.dumps(typed("call_00_K1", delegate()))}), "text")) == [LEAK]


def test_kinds_are_kept_as_written() -> None:
    for word, kind in (("robot_arm", "unknown"), ("A2A_DELEGATE", "unknown"), ("a2a_delegate", "delegation")):
        [one] = MAPPER.read(status(typed("c", {"toolCallId": "c", "context": {"_interrupt_kind": word}})))[0]
        assert (one.kind, one.interrupt_kind) == (kind, word)


def test_a_plain_question_counts_only_alone() -> None:
    [one] = MAPPER.read(status(metadata={}, text="Where to?"))[0]
    assert (one.kind, one.exposure, one.channel, one.prompt, one.fallback) == (
        "user_input", "native", "control", "Where to?", True,
    )  # fmt: skip
    assert one.place.pointer == "/result/statusUpdate/status/message"
    assert MAPPER.read(status(metadata={}, text=""))[0] == []
    assert MAPPER.read(status(metadata={}, text="Where to?", state="working"))[0] == []
    assert MAPPER.read(status(metadata={}, text="Where to?", state="auth-required"))[0] == []


def test_form_j_is_on_the_control_channel() -> None:
    single = typed(
        "call_00_Q1", ask(), message="Which day?", toolCallId="call_00_Q1", toolName="request_user_input"
    )
    for chunk, expected in (
        (single, [ASKED]),
        (snake(single), [ASKED]),
        ({"message": "m", "items": [PLAIN]}, [Seen("delegation", "masked", "call_00_K1", "rate-agent", None, "rate of X")]),
        ({"type": "__interaction__", "message": "interaction batch", "items": [typed("call_00_Q1", ask())]}, [ASKED]),
        ({"result": {"role": "assistant", "content": "", "_interrupt": single}, "conversation_id": "c"}, [ASKED]),
        ({"message": "over", "_interrupt": {"targetAgentId": "a", "remoteTaskId": "r"}}, [Seen("delegation", "leaked", None, None, "a", "over")]),
        (typed("questioner", "Number?", message="Number?"), [Seen("user_input", "native", "questioner", None, None, "Number?")]),
    ):  # fmt: skip
        sightings, _ = MAPPER.read(bare(chunk))
        assert [seen(one) for one in sightings] == expected
        assert {one.channel for one in sightings} == {"control"}


def test_bare_core_chunks_stay_on_the_content_channel() -> None:
    for chunk in (
        {"_py": "OutputSchema", **typed("call_00_K1", delegate())},
        {
            "type": "controller_output",
            "payload": {"type": "task_interaction", "data": [{"data": typed("call_00_K1", delegate())}]},
        },
    ):
        [one] = MAPPER.read(bare(chunk))[0]
        assert one.channel == "content"
        assert seen(one) == LEAK


def test_generation_3_delegation_is_declared() -> None:
    agent_event = {
        "type": "delegation", "toolCallId": "call_9", "source": {"agentId": "main", "taskId": "t-1"},
        "target": {"agentId": "rate-agent", "taskId": "rt-1"},
    }  # fmt: skip
    expected = [Seen("delegation", "declared", "call_9", None, "rate-agent", "rate of X")]
    assert found(artifact({"text": "rate of X"}, metadata={"agentEvent": agent_event})) == expected
    assert found(artifact({"text": "rate of X"}, metadata={"agent_event": snake(agent_event)})) == expected
    assert found(bare({"content": "rate of X", "metadata": {"agentEvent": agent_event}})) == expected
    for kind in ("output", "status"):
        assert found(artifact({"text": "x"}, metadata={"agentEvent": {**agent_event, "type": kind}})) == []


TALK = [
    "use the request_user_input tool",
    "the a2a_delegate interrupt of __interaction__ is masked",
    '{"tool": "request_user_input", "args": {"message": "x"}}',
    "toolCallId, toolName, message: that is a proxy {not json}",
    '{"items": [{"toolCallId": "c", "toolName": "t", "args": {}}], "steps": 2, "message": "m"}',
    '{"message": "m", "items": [{"name": "x"}]}',
    '{"name": "_interrupt_kind"}',
    "[STEERING] {payload={id=call_1}, type=__interaction__}",
]


@pytest.mark.parametrize("text", TALK)
def test_talk_about_interrupts_is_none(text: str) -> None:
    for part in (
        {"text": text},
        {"data": {"type": "llm_output", "index": 1, "payload": {"content": text, "result_type": "answer"}}},
    ):
        assert MAPPER.read(artifact(part)) == ([], [])


def test_arguments_and_quotations_inside_an_interrupt_are_not_its_kind() -> None:
    quoted = json.dumps(typed("other", delegate()))
    for value in (
        ask(tool_args=quoted), ask(toolArgs=quoted), ask(questions=[{"question": quoted}]), ask(message="Send " + quoted + "?"),
        ask(context={"arguments": {"body": quoted}}),
    ):  # fmt: skip
        [one] = found(artifact({"data": typed("call_00_Q1", value)}))
        assert (one.kind, one.exposure, one.call) == ("user_input", "native", "call_00_Q1")


def test_many_parts_of_one_artifact_keep_their_order() -> None:
    parts = [{"data": typed(f"call_{number}", delegate(f"call_{number}"))} for number in range(5)]
    assert [one.call for one in found(artifact(*parts))] == [f"call_{number}" for number in range(5)]
