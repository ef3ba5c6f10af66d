"""Marks: evidence that is no interaction. Expectations from the facts page, sections 1, 1b and 3."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.mapping.engine import Mapper
from harness.mapping.load import load
from harness.model.event import Event
from tests.mapping.events import ARTIFACT, artifact, bare, snake, status

MAPPER = Mapper(load())
REMOTE = {"kind": "remote_agent_output", "batchId": "b-1", "toolCallId": "call_1", "target": "hotel-agent"}
FAILED_ANSWER = {"type": "answer", "index": 0, "payload": {"output": "no model", "result_type": "error"}}
FAILED_TASK = {
    "type": "controller_output",
    "index": 0,
    "payload": {"type": "task_failed", "data": [{"text": "no model"}]},
}


def marks(event: Event) -> list[tuple[Any, ...]]:
    return [(one.name, one.channel, one.tool_call_id, one.target, one.text) for one in MAPPER.read(event)[1]]


def test_generation_2_output_names_its_call_and_target() -> None:
    expected = [("remote-output", "content", "call_1", "hotel-agent", "remote_agent_output")]
    for remote in (REMOTE, snake(REMOTE), {**REMOTE, "latencyMs": 4, "sequence": 2}):
        event = artifact({"text": "Searching", "metadata": {"_remote_invocation": remote}})
        assert marks(event) == expected
        assert MAPPER.read(event)[0] == []
        assert (
            MAPPER.read(event)[1][0].place.pointer
            == ARTIFACT + "/artifact/parts/0/metadata/_remote_invocation"
        )
    progress = {
        "batchId": "b",
        "toolCallId": "call_1",
        "sequence": 1,
        "target": "hotel-agent",
        "phase": "RUNNING",
    }
    assert marks(artifact({"text": "", "metadata": {"_remote_invocation": progress}})) == [
        ("remote-output", "content", "call_1", "hotel-agent", "RUNNING")
    ]
    assert marks(bare({"content": "x", "projection": REMOTE})) == expected


def test_generation_3_events() -> None:
    source = {"agentId": "hotel-agent", "taskId": "rt-1"}
    for agent_event, expected in (
        ({"type": "output", "source": source}, ("remote-output", "content", None, "hotel-agent", "output")),
        (
            {"type": "status", "source": source, "state": "completed"},
            ("remote-status", "content", None, "hotel-agent", "completed"),
        ),
        (
            {
                "type": "delegation",
                "toolCallId": "call_1",
                "source": {"agentId": "main"},
                "target": {"agentId": "hotel-agent"},
            },
            ("remote-call", "content", "call_1", "hotel-agent", "delegation"),
        ),
    ):
        assert marks(artifact({"text": "x"}, metadata={"agentEvent": agent_event})) == [expected]


@pytest.mark.parametrize(
    ("chunk", "text"),
    [
        (FAILED_ANSWER, "no model"),
        ({"type": "answer", "payload": {"error": "E1", "output": "", "result_type": ""}}, "E1"),
        ({"type": "answer", "payload": {"error": {"message": "E2"}, "output": ""}}, "E2"),
        ({"type": "answer", "payload": {"output": "x", "resultType": "error"}}, "x"),
        ({"type": "answer", "payload": json.dumps({"error": "E3"})}, "E3"),
        (FAILED_TASK, "no model"),
        (
            {
                "type": "controller_output",
                "payload": {"type": "task_failed", "data": [{"type": "text", "text": "E4"}]},
            },
            "E4",
        ),
        ({"_exception": "FrameworkError('x')"}, "FrameworkError('x')"),
    ],
)
def test_failures(chunk: Any, text: str) -> None:
    for event in (artifact({"data": chunk}), artifact({"text": json.dumps(chunk)}), bare(chunk)):
        assert marks(event) == [("failure", "content", None, None, text)]


@pytest.mark.parametrize(
    "chunk",
    [
        {"type": "answer", "payload": {"output": "42", "result_type": "answer"}},
        {"type": "answer", "payload": {"error": "", "output": "42", "result_type": ""}},
        {"type": "answer", "payload": {"error": None, "output": "an error occurred"}},
        {"type": "answer", "payload": {"error": {}, "output": "42"}},
        {"type": "llm_output", "payload": {"content": "error", "result_type": "answer"}},
        {"type": "controller_output", "payload": {"type": "task_completion", "data": [{"text": "x"}]}},
        {"type": "task_failed", "name": "a schema"},
    ],
)
def test_no_failures(chunk: Any) -> None:
    assert marks(artifact({"data": chunk})) == []


def test_a_failure_of_a_remote_agent_is_not_the_agents_own() -> None:
    for failed in (FAILED_ANSWER, FAILED_TASK):
        for part in (
            {"data": failed, "metadata": {"_remote_invocation": REMOTE}},
            {"text": json.dumps(failed), "metadata": {"_remote_invocation": REMOTE}},
        ):
            assert [name for name, *_ in marks(artifact(part))] == ["remote-output"]
        agent_event = {"type": "output", "source": {"agentId": "hotel-agent"}}
        assert [
            name for name, *_ in marks(artifact({"data": failed}, metadata={"agentEvent": agent_event}))
        ] == ["remote-output"]
        assert [name for name, *_ in marks(artifact({"data": failed}, {"text": "x", "metadata": {"_remote_invocation": REMOTE}}))] == [
            "failure", "remote-output",
        ]  # fmt: skip


def test_a_failure_quoted_in_prose_is_none() -> None:
    assert marks(artifact({"text": "It printed " + json.dumps(FAILED_ANSWER) + " and stopped."})) == []


def test_internal_keys_and_ids() -> None:
    def keys(event: Event) -> list[tuple[str, str | None]]:
        return [(one.text, one.place.pointer) for one in MAPPER.read(event)[1] if one.name == "internal-key"]

    base = ARTIFACT + "/artifact/parts/0"
    assert keys(
        artifact({"data": {"runtime.remoteToolResults": {"c": "x"}, "a": {"_stream_mode": "sse"}}})
    ) == [
        ("runtime.remoteToolResults", base + "/data/runtime.remoteToolResults"),
        ("_stream_mode", base + "/data/a/_stream_mode"),
    ]
    assert keys(artifact({"data": {"streamMode": 1, "_streamMode": 1}})) == [
        ("_streamMode", base + "/data/_streamMode")
    ]
    assert keys(artifact({"text": json.dumps({"id": ["versatile-delegate-77"]})})) == [
        ("versatile-delegate-77", base + "/text#/id/0")
    ]
    assert keys(artifact({"text": "versatile-delegate-77 is gone"})) == [
        ("versatile-delegate-77 is gone", base + "/text")
    ]
    assert (
        keys(
            artifact(
                {"text": "the runtime. And a _stream_mode"},
                {"data": {"runtime": {"x": 1}, "my.runtime.x": 2}},
            )
        )
        == []
    )


def test_internal_keys_are_seen_inside_interactions() -> None:
    leak = {
        "type": "__interaction__", "toolCallId": "versatile-delegate-1", "agentName": "a", "responseContent": "r",
        "message": "m", "_stream_mode": "sse",
    }  # fmt: skip
    sightings, found = MAPPER.read(status(leak))
    assert len(sightings) == 1
    assert [(one.name, one.text) for one in found] == [
        ("internal-key", "_stream_mode"), ("internal-key", "versatile-delegate-1"),
    ]  # fmt: skip


def test_printed_objects() -> None:
    printed = "{payload=InteractionOutput{id='call_1', value=InterruptRequest{toolCallId='call_1'}}, type=__interaction__}"
    for text in (printed, "[STEERING] " + printed, "x " + printed * 2):
        sightings, found = MAPPER.read(artifact({"text": text}))
        assert sightings == []
        assert [(one.name, one.text) for one in found] == [
            ("printed-object", text[text.index("InteractionOutput") :][:200])
        ]
    chunk = {"type": "llm_output", "payload": {"content": printed}}
    [mark] = MAPPER.read(artifact({"text": json.dumps(chunk)}))[1]
    assert mark.place.pointer == ARTIFACT + "/artifact/parts/0/text#/payload/content"
    assert [
        one.name
        for one in MAPPER.read(status(metadata={}, text="type='x' payload=InteractionOutput(id='call_1')"))[1]
    ] == ["printed-object"]
    assert marks(artifact({"text": "InteractionOutput is a class"})) == []
