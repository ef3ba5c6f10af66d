"""The walk: depth, hostile text, markers, and what stays unloaded."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from harness.mapping.engine import Mapper
from harness.mapping.form import Mapping, Place, Shape
from harness.mapping.load import load
from harness.model.event import Event
from tests.mapping.events import artifact, bare, status
from tests.mapping.test_forms import EXTRAS, FORMS, PLAIN, delegate, typed

MAPPER = Mapper(load())
LEAK = typed("call_00_K1", delegate())


def nested(inner: Any, levels: int, wrap: Any) -> Any:
    for _ in range(levels):
        inner = wrap(inner)
    return inner


@pytest.mark.parametrize(
    "wrap",
    [
        lambda inner: {"a": inner},
        lambda inner: [inner],
        lambda inner: [{"payload": inner}],
        lambda inner: {"_interrupt": inner},
        lambda inner: {"metadata": {"_remote_invocation": inner}},
        lambda inner: {"toolCallId": "c", "x": inner},
        lambda inner: {"items": [inner], "message": "m"},
        lambda inner: {"result_type": "interrupt", "state": [inner]},
        lambda inner: {"runtime.x": inner, "_exception": 1},
    ],
)
@pytest.mark.usefixtures("no_hang")
def test_ten_thousand_levels_are_walked(wrap: Any) -> None:
    whole = nested(LEAK, 10_000, wrap)
    event = Event(artifact().frame, "artifact", whole, whole, "", regions=artifact().regions)
    event = event._replace(regions=(event.regions[0]._replace(value=whole),))
    sightings, _ = MAPPER.read(event)
    assert [one.tool_call_id for one in sightings] == ["call_00_K1"]


def test_a_taken_node_is_left_alone_however_deep() -> None:
    whole = nested(
        LEAK, 3_000, lambda inner: {"type": "__interaction__", "payload": {"id": "q", "value": inner}}
    )
    event = artifact()
    event = event._replace(regions=(event.regions[0]._replace(value=whole),))
    assert len(MAPPER.read(event)[0]) == 1


@pytest.mark.parametrize("levels", range(1, 7))
def test_every_string_level_is_entered(levels: int) -> None:
    text = nested(LEAK, levels, json.dumps)
    [one] = MAPPER.read(artifact({"text": text}))[0]
    assert one.place.pointer is not None
    assert one.place.pointer.endswith("/text" + "#" * levels)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 200_000,
        "[" * 300_000,
        '{"__interaction__' * 100_000,
        '{"type": "__interaction__", ' * 50_000,
        "{" + '"' * 300_000,
        "\\u007b" * 200_000,
        ('{"a": [' + "1," * 5_000) * 60 + "__interaction__",
        '{"_interrupt": {"a": NaN}} {' * 10_000,
        "__interaction__ {" * 100_000,
        "{}" * 500_000 + "_interrupt",
        '{"a":1}' * 500_000 + "_interrupt",
    ],
)
@pytest.mark.usefixtures("no_hang")
def test_hostile_text_costs_bounded_work(text: str) -> None:
    MAPPER.read(artifact({"text": text}))
    MAPPER.read(status(text))
    MAPPER.read(artifact({"data": typed("x", text)}))


def test_embedded_json_is_read_leniently() -> None:
    for text in (
        "data: " + json.dumps({"x": float("nan"), "y": LEAK}) + " end",
        "line {not json} then " + json.dumps(LEAK) + " and {again",
        "[" + json.dumps(LEAK) + ", cut",
        '{"type": "controller_output", "payload": {"data": [' + json.dumps(LEAK) + ", cut",
    ):
        assert [one.tool_call_id for one in MAPPER.read(artifact({"text": text}))[0]] == ["call_00_K1"], text


def test_pointers_of_one_event_are_capped() -> None:
    deep = nested(
        [{"runtime.a": 1} for _ in range(3_000)], 2_000, lambda inner: {"a-long-member-name": inner}
    )
    event = artifact()
    event = event._replace(regions=(event.regions[0]._replace(value=deep),))
    _, marks = MAPPER.read(event)
    assert len(marks) == 3_000
    assert marks[0].place.pointer is not None
    assert marks[-1].place.pointer is None
    assert sum(len(one.place.pointer or "") for one in marks) < 17 << 20


def test_odd_values_are_no_fault() -> None:
    odd: list[Any] = [
        None,
        True,
        0,
        1.5,
        "",
        [],
        {},
        [[]],
        [None],
        {"": {}},
        "\ud800",
        {"type": ["__interaction__"]},
    ]
    for value in odd:
        for name in (
            "_interrupt",
            "agentEvent",
            "_remote_invocation",
            "payload",
            "items",
            "context",
            "type",
            "toolCallId",
        ):
            for chunk in (
                {name: value},
                {"type": "__interaction__", name: value},
                {"_interrupt": {name: value}},
            ):
                MAPPER.read(artifact({"data": chunk}))
                MAPPER.read(bare(chunk))
                MAPPER.read(status(value))
    for region in (None, 3, "x", json.dumps(LEAK), [LEAK]):
        event = artifact()
        MAPPER.read(event._replace(regions=(event.regions[0]._replace(value=region),)))


def frames_that_matter() -> list[Event]:
    found = [status(form.value) for form in FORMS.values()]
    found += [artifact({"data": form.value}) for form in FORMS.values() if not form.held_only]
    found += [
        artifact({"text": json.dumps(json.dumps(form.value))})
        for form in FORMS.values()
        if not form.held_only
    ]
    for chunk in (
        {"type": "answer", "payload": {"error": "E"}}, {"_exception": "x"}, {"runtime.x": 1}, {"_stream_mode": 1},
        {"type": "controller_output", "payload": {"type": "task_failed", "data": []}}, {"id": "versatile-delegate-1"},
        {"content": "x", "projection": {"toolCallId": "c"}}, {"metadata": {"agentEvent": {"type": "output"}}},
        {"metadata": {"_remote_invocation": {"toolCallId": "c"}}}, {"text": "InteractionOutput{}"},
        {"message": "m", "items": [{**PLAIN, "context": EXTRAS}]},
    ):  # fmt: skip
        found.append(artifact({"data": chunk}))
        found.append(bare(chunk))
    return found


def test_markers_stand_in_every_frame_that_matters() -> None:
    assert MAPPER.markers is not None
    for event in frames_that_matter():
        sightings, marks = MAPPER.read(event)
        assert sightings or marks, event.frame.data
        held = [marker for marker in MAPPER.markers if marker in event.frame.data.encode()]
        assert held or "\\u00" in event.frame.data, event.frame.data


def test_markers_spare_ordinary_frames() -> None:
    assert MAPPER.markers is not None
    ordinary = '{"jsonrpc":"2.0","id":"r","result":{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"data":{"type":"llm_output","index":1,"payload":{"content":"The ","result_type":"answer"}}}],"metadata":{"_agentcore_terminal":true}},"contextId":"c"}}}'
    assert [marker for marker in MAPPER.markers if marker in ordinary.encode()] == []
    assert all(len(marker) >= 5 for marker in MAPPER.markers)


def test_markers_are_none_where_nothing_can_be_told() -> None:
    anything = Mapping((Shape("s", (Place("anywhere"),)),))
    assert Mapper(anything).markers is None
    assert Mapper(Mapping()).markers == ()


def test_reading_loads_no_heavy_library() -> None:
    code = (
        "import sys; from harness.mapping.engine import Mapper; from harness.mapping.load import load; Mapper(load());"
        "print([n for n in ('yaml','pydantic','jsonpath_ng','dataclasses','inspect','rich','difflib','pathlib') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
