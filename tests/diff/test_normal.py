"""One meaning has one form: members, numbers, defaults, dialects, times, ids, JSON inside strings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.diff.ids import Ids
from harness.diff.load import load
from harness.diff.normal import Form, Normal

UUIDS = ("3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11", "b63eb4b8-b390-43d1-8b8b-46b6658587ff")


def form(value: Any, pointer: str = "/result/statusUpdate", *, loose: bool = False) -> Form:
    volatile = load()
    data = json.dumps(value)
    return Normal(volatile, Ids(volatile), loose=loose).form(json.loads(data), pointer, data)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"n": 41}, {"n": 41.0}),
        ({"n": 0}, {"n": -0.0}),
        ({"a": 1, "b": None, "c": "", "d": [], "e": {}, "f": False}, {"a": 1}),
        ({"a": {"b": {"c": ""}}}, {}),
        ({"status": {"timestamp": "2026-08-11T09:30:01.137+08:00"}}, {"status": {"timestamp": "2026-11-30T13:14:25.320059608Z"}}),
        ({"status": {"state": "TASK_STATE_COMPLETED"}}, {"status": {"state": "completed"}}),
        ({"message": {"role": "agent", "kind": "message"}}, {"message": {"role": "ROLE_AGENT"}}),
        ({"parts": [{"kind": "text", "text": "x"}]}, {"parts": [{"text": "x"}]}),
        ({"taskId": UUIDS[0]}, {"taskId": UUIDS[1]}),
        ({"x": f"see {UUIDS[0]}"}, {"x": f"see {UUIDS[1]}"}),
        ({"x": "http://127.0.0.1:41231/a2a"}, {"x": "http://localhost:8080/a2a"}),
        ({"x": '{"a": 1, "b": 2.0}'}, {"x": '{"b":2,"a":1}'}),
        ({"tool_args": '{"q": "A"}'}, {"tool_args": '{"q":"A"}'}),
        ({"contextId": "ctx-demo-01", "x": "deep_agent_task_ctx-demo-01_1"}, {"contextId": "9bd5-f3dd", "x": "deep_agent_task_9bd5-f3dd_1"}),
        ({"x": {"id": "call_00_Zz"}, "toolCallId": "call_00_Zz"}, {"x": {"id": "call_00_Yy"}, "toolCallId": "call_00_Yy"}),
        ({"index": 3}, {"index": 828.0}),
    ],
)  # fmt: skip
def test_equal_meaning(one: Any, other: Any) -> None:
    assert form(one).text == form(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": 2}),
        ({"a": 0}, {}),
        ({"a": True}, {}),
        ({"parts": [{"text": ""}]}, {"parts": [{}]}),
        ({"toolName": "search-agent"}, {"toolName": "verify-agent"}),
        ({"payload": {"id": "questioner"}}, {"payload": {"id": "other"}}),
        ({"x": '{"a":1}'}, {"x": {"a": 1}}),
        ({"status": {"state": "completed"}}, {"status": {"state": "failed"}}),
        ({"payload": {"kind": "message"}}, {"payload": {}}),
        ({"taskId": "t-1"}, {}),
    ],
)
def test_another_meaning(one: Any, other: Any) -> None:
    assert form(one).shape != form(other).shape


def test_what_a_model_wrote_is_not_in_the_shape() -> None:
    one, other = form({"message": 'a "quoted\\" text'}), form({"message": "b"})
    assert one.text != other.text and one.shape == other.shape
    assert form({"message": {"role": "agent"}}).shape != form({"message": {"role": "user"}}).shape


def test_final_proves_nothing_where_frames_were_printed_again() -> None:
    final, none = {"final": True, "status": {"state": "completed"}}, {"status": {"state": "completed"}}
    assert form(final, loose=True).text == form(none, loose=True).text
    assert form(final).text != form(none).text


def test_marks_on_the_wire_are_no_marks() -> None:
    for mark in "\ue000\ue001\ue002\ue003":
        held = form({"x": f"a{mark}b", mark: 1, "message": mark})
        assert held.ids == () and mark not in held.text.replace("\ue001", "", 1)


def test_a_text_that_spells_an_escape(no_hang) -> None:
    assert form({"message": '\\ue000 \\" \\u0000'}).shape == form({"message": "x"}).shape


@pytest.mark.parametrize("depth", [65, 400, 990])
def test_depth_is_no_fault(depth: int) -> None:
    deep: Any = "leaf"
    for _ in range(depth):
        deep = [deep]
    other: Any = "another"
    for _ in range(depth):
        other = [other]
    assert form({"x": deep}).text == form({"x": deep}).text != form({"x": other}).text


def test_numbers_that_no_float_holds() -> None:
    assert form({"n": 10**400}).text != form({"n": 10**401}).text
