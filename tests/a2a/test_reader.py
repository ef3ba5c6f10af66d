"""Every dialect and every form of an error becomes the one event (a2a.md sections 1.1 and 1.4)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.a2a.reader import Reader
from harness.a2a.request import Asked
from harness.model.event import Event, Region
from harness.model.frame import Frame, Span
from tests.a2a.frames import capture, frame, read, read_all

IDS = {"taskId": "t", "contextId": "c"}
SAID = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "which city?"}]}
SAID_03 = {"messageId": "m", "role": "ROLE_AGENT", "content": [{"text": "which city?"}]}


def rpc(result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": result}


V1_STATUS = {**IDS, "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": SAID}}
V03_STATUS = {
    "kind": "status-update", **IDS, "final": False,
    "status": {"state": "input-required", "message": {**SAID, "kind": "message", "role": "agent"}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "dialect", "binding", "pointer"),
    [
        (rpc({"statusUpdate": V1_STATUS}), "v1.0", "jsonrpc", "/result/statusUpdate"),
        (rpc(V03_STATUS), "v0.3", "jsonrpc", "/result"),
        ({"statusUpdate": V1_STATUS}, "v1.0", "rest", "/statusUpdate"),
        ({"statusUpdate": {**V1_STATUS, "final": True}}, "v0.3", "rest", "/statusUpdate"),
        (
            {"statusUpdate": {**IDS, "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": SAID_03}}},
            "v0.3", "rest", "/statusUpdate",
        ),
    ],
)  # fmt: skip
def test_a_question_is_the_same_event_in_every_dialect(
    value: Any, dialect: str, binding: str, pointer: str
) -> None:
    event = read(value)
    assert (event.kind, event.state, event.task_id, event.context_id) == (
        "status",
        "input-required",
        "t",
        "c",
    )
    assert (event.dialect, event.binding, event.pointer) == (dialect, binding, pointer)
    assert event.text == "which city?"
    assert event.state_pointer == pointer + "/status/state"
    assert event.text_pointer.startswith(pointer + "/status/message/")
    assert [(r.channel, r.pointer) for r in event.regions] == [("control", pointer)]


@pytest.mark.parametrize(
    ("spelling", "state"),
    [
        ("TASK_STATE_COMPLETED", "completed"), ("completed", "completed"), ("TASK_STATE_CANCELLED", "canceled"),
        ("auth-required", "auth-required"), ("TASK_STATE_UNSPECIFIED", "unknown"), ("TASK_STATE_PAUSED", "unknown"),
        ("Completed", "unknown"), (3, "unknown"), ("", None), (None, None),
    ],
)  # fmt: skip
def test_states_are_normalised_and_unknown_ones_say_so(spelling: Any, state: str | None) -> None:
    assert read(rpc({"statusUpdate": {**IDS, "status": {"state": spelling}}})).state == state


def test_rest_is_v03_once_a_frame_proves_it() -> None:
    artifact = {"artifactUpdate": {**IDS, "artifact": {"artifactId": "a", "parts": [{"text": "x"}]}}}
    task = {"task": {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_SUBMITTED"}}}
    old = {"statusUpdate": {**IDS, "status": {"state": "TASK_STATE_CANCELLED"}}}
    assert [e.dialect for e in read_all(task, old, artifact)] == ["v1.0", "v0.3", "v0.3"]


@pytest.mark.parametrize("asked", [Asked(dialect="v0.3", known=True), Asked(dialect="v0.3", binding="rest")])
def test_rest_is_v03_where_the_request_says_so(asked: Asked) -> None:
    task = {"task": {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_SUBMITTED"}}}
    assert read(task, asked=asked).dialect == "v0.3"


@pytest.mark.parametrize(
    ("result", "kind", "dialect"),
    [
        ({"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}, "task", "v1.0"),
        ({"id": "t", "contextId": "c", "kind": "task", "status": {"state": "working"}}, "task", "v0.3"),
        ({"id": "t", "contextId": "c", "status": {"state": "working"}}, "task", "v0.3"),
        ({"task": {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}}, "task", "v1.0"),
        ({"message": {**SAID, **IDS}}, "message", "v1.0"),
        ({**SAID, **IDS, "kind": "message", "role": "agent"}, "message", "v0.3"),
        ({**IDS, "artifact": {"artifactId": "a"}, "kind": "artifact-update"}, "artifact", "v0.3"),
        ({**IDS, "status": {"state": "working"}, "final": True}, "status", "v0.3"),
        ({"status_update": {"task_id": "t", "context_id": "c", "status": {}}}, "status", "v1.0"),
    ],
)
def test_bare_results_are_read_with_and_without_their_envelope(result: Any, kind: str, dialect: str) -> None:
    for value in (result, rpc(result)):
        event = read(value, framing="jsonl")
        assert (event.kind, event.dialect, event.task_id) == (kind, dialect, "t")


ERROR = {"code": -32603, "message": "boom"}
REST_ERROR = {"error": {"code": 500, "status": "INTERNAL", "message": "boom", "details": []}}


@pytest.mark.parametrize(
    ("value", "name", "more", "code", "pointer"),
    [
        ({"jsonrpc": "2.0", "id": 1, "error": ERROR}, "", {}, -32603, "/error"),
        ({"jsonrpc": "2.0", "id": 1, "error": ERROR}, "error", {}, -32603, "/error"),
        ({"jsonrpc": "2.0", "error": ERROR}, "", {"framing": "document"}, -32603, "/error"),
        ({"id": 1, "error": ERROR}, "", {}, -32603, "/error"),
        (REST_ERROR, "error", {}, 500, "/error"),
        (REST_ERROR, "", {"framing": "document", "status": 500}, 500, "/error"),
        (ERROR, "error", {}, -32603, ""),
        (
            {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603.0, "message": "boom"}},
            "",
            {},
            -32603,
            "/error",
        ),
    ],
)
def test_the_forms_of_an_error(value: Any, name: str, more: dict[str, Any], code: int, pointer: str) -> None:
    event = read(value, name=name, **more)
    assert (event.kind, event.error_code, event.error_message, event.pointer) == (
        "error",
        code,
        "boom",
        pointer,
    )
    assert event.enveloped is ("id" in value or "jsonrpc" in value)


def test_an_error_frame_may_hold_words_only() -> None:
    event = read("upstream failed", name="error")
    assert (event.kind, event.error_code, event.error_message) == ("error", None, "upstream failed")


def test_an_empty_error_beside_a_result_is_absent() -> None:
    assert read({**rpc({"statusUpdate": V1_STATUS}), "error": None}).kind == "status"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("[DONE]", "sentinel"), ("DONE", "sentinel"), ("", "malformed"), ("{", "malformed"), ("NaN", "malformed"),
        ("{} {}", "malformed"), ("[" * 100_000, "malformed"), ('"[DONE]"', "foreign"), ("[1]", "foreign"),
        ("7", "foreign"), ("null", "foreign"), ("{}", "foreign"), ('{"type":"start"}', "foreign"),
        ('{"jsonrpc":"2.0","id":1,"method":"SendMessage"}', "foreign"), ('{"jsonrpc":"2.0","id":1}', "foreign"),
        ('{"jsonrpc":"2.0","id":1,"result":null}', "foreign"), ('{"jsonrpc":"2.0","result":{"progress":{}}}', "foreign"),
    ],
)  # fmt: skip
def test_what_is_no_event_says_why(data: str, kind: str) -> None:
    event = read(data)
    assert event.kind == kind
    assert event.reason


def test_a_frame_that_was_cut_is_malformed() -> None:
    whole = '{"jsonrpc":"2.0","id":1,"result":{}}'
    event = Reader(capture(), Asked()).read(Frame(1, Span(0, 9), whole, flaw="oversize"))
    assert (event.kind, event.reason) == ("malformed", "oversize")


def test_a_task_has_its_own_regions() -> None:
    agent, user = {**SAID, "messageId": "2"}, {**SAID, "role": "ROLE_USER"}
    task = {
        "id": "t", "contextId": "c", "status": V1_STATUS["status"], "metadata": {"k": 1},
        "artifacts": [{"artifactId": "a"}], "history": [user, agent],
    }  # fmt: skip
    assert read(rpc({"task": task})).regions == (
        Region("control", "/result/task/status", task["status"]),
        Region("control", "/result/task/metadata", task["metadata"]),
        Region("content", "/result/task/artifacts", task["artifacts"]),
        Region("control", "/result/task/history/1", agent),
    )


@pytest.mark.parametrize(
    "body", [{"artifact": {"artifactId": "a"}}, {"messageId": "m", "role": "ROLE_AGENT"}]
)
def test_artifacts_and_messages_are_content(body: dict[str, Any]) -> None:
    name = "message" if "role" in body else "artifactUpdate"
    (region,) = read(rpc({name: {**IDS, **body}})).regions
    assert (region.channel, region.pointer) == ("content", f"/result/{name}")


def test_empty_ids_count_as_absent() -> None:
    event = read(rpc({"message": {**SAID, "taskId": "", "contextId": ""}}))
    assert (event.task_id, event.context_id) == (None, None)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "jsonrpc", "id", "result", "error", "task", "message", "statusUpdate", "artifactUpdate", "kind", "status",
        "state", "parts", "content", "text", "artifact", "artifactId", "history", "artifacts", "metadata", "code",
        "type", "payload", "items", "_exception", "_marker", "taskId", "contextId", "final", "role", "messageId",
    ]), inner, max_size=4),
    max_leaves=25,
)  # fmt: skip


@given(ANYTHING, st.sampled_from(["", "error"]), st.sampled_from([200, 500]))
@settings(max_examples=400, deadline=None)
def test_any_json_gives_an_event(value: Any, name: str, status: int) -> None:
    for whole in (value, {"jsonrpc": "2.0", "result": value}, {"statusUpdate": value}, {"task": value}):
        event = Reader(capture(status=status), Asked()).read(frame(json.dumps(whole), name))
        assert isinstance(event, Event)
