"""SHP rules: what the versions define, and what must not be held against anybody (java-sdk.md 2, semantics 4)."""

from __future__ import annotations

from typing import Any

import pytest

from harness.rules.example import Example, artifact, message, rpc, status, task, v03
from tests.rules.protocol import judge

DONE = status("completed")
IDS = {"taskId": "t-1", "contextId": "c-1"}
OLD = {"jsonrpc": "2.0", "id": "r-1", "method": "message/stream", "params": {}}
GET = {"jsonrpc": "2.0", "id": "r-1", "method": "GetTask", "params": {"id": "t-1"}}
BARE = {"id": "t-1", "contextId": "c-1", "status": {"state": "TASK_STATE_COMPLETED"}}


def shape(example: Example, **more: Any) -> dict[str, str]:
    found = judge(example, **more).findings
    return {code: finding.severity for code, finding in found.items() if code.startswith("SHP")}


def update(**inner: Any) -> Any:
    return rpc({"statusUpdate": {**IDS, "status": {"state": "TASK_STATE_WORKING", **inner}}})


JAVA_EMPTIES = rpc(
    {
        "artifactUpdate": {
            **IDS, "append": False, "lastChunk": False, "metadata": {},
            "artifact": {
                "artifactId": "a", "name": "", "description": "", "metadata": {}, "extensions": [],
                "parts": [{"text": "x", "metadata": {}, "filename": "", "mediaType": ""}],
            },
        }
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("frame", "codes"),
    [
        (JAVA_EMPTIES, ""),
        (rpc({"message": message(taskId="", extensions=[], referenceTaskIds=[], metadata={})}), ""),
        (rpc({"statusUpdate": DONE["result"]["statusUpdate"], "task": {}, "message": None}), ""),
        (artifact({"text": ""}), ""),
        (artifact({"data": {}}, {"data": False}, {"data": None}, {"data": 0}, {"data": []}), ""),
        (artifact({"text": "x", "url": "", "raw": "", "data": {}}), ""),
        (artifact({"text": "x", "data": 0}), "SHP408"),
        (artifact({"text": "", "url": ""}), "SHP408"),
        (artifact({"text": None}), "SHP408"),
        (artifact({}), "SHP408"),
        (artifact(7), "SHP408"),
        (artifact({"data": {"kind": "x", "task_id": 1}}, metadata={"kind": 1, "context_id": 2}), ""),
        (artifact({"kind": "text", "text": "x"}), "SHP403"),
        (artifact(), "SHP407"),
        (artifact("x", id=""), "SHP407"),
        (update(state="working"), "SHP405"),
        (update(state="TASK_STATE_CANCELLED"), "SHP405"),
        (update(state="TASK_STATE_PAUSED"), "SHP405"),
        (update(state=3), "SHP405"),
        (update(state=""), "SHP407"),
        (update(message=message(role="agent")), "SHP405"),
        (update(message=message(role="ROLE_USER")), "SHP411"),
        (update(message=message(contextId="")), "SHP411"),
        (update(message={}), ""),
        (update(timestamp="2026-11-30T13:14:25.320059608Z"), ""),
        (update(timestamp="2026-11-30T13:14:25Z"), ""),
        (update(timestamp="2026-11-30T13:14:25.1+00:00"), "SHP409"),
        (update(timestamp="2026-11-30 13:14:25Z"), "SHP409"),
        (update(timestamp="2026-13-30T13:14:25Z"), "SHP409"),
        (update(timestamp=5), "SHP409"),
        (update(timestamp=""), ""),
        (update(extra={"whatever": 1}), ""),
        (rpc({"statusUpdate": {**IDS, "taskId": "", "status": {"state": "TASK_STATE_WORKING"}}}), "SHP407"),
        (rpc({"statusUpdate": {"task_id": "t-1", "contextId": "c-1", "status": {"state": "TASK_STATE_WORKING"}}}), "SHP406"),
        (rpc({"status_update": {**IDS, "status": {"state": "TASK_STATE_WORKING"}}}), "SHP406"),
        (rpc({"statusUpdate": 5}), "SHP401"),
        (rpc({"statusUpdate": DONE["result"]["statusUpdate"], "kind": "status-update"}), "SHP403"),
        (rpc({**DONE["result"], **artifact("x")["result"]}), "SHP401"),
        (rpc(BARE), "SHP401"),
        (rpc([1]), "SHP401"),
    ],
)  # fmt: skip
def test_one_v1_frame(frame: Any, codes: str) -> None:
    assert set(shape(Example((task(), frame)))) == set(codes.split())


def test_what_the_user_said_is_not_held_against_the_agent() -> None:
    said = {"role": "ROLE_USER", "kind": "message", "parts": [{"kind": "text"}], "message_id": "x"}
    assert not shape(Example((task(history=[said]), DONE)))


def test_an_unknown_member_is_only_a_warning() -> None:
    assert shape(Example((task(), rpc({"progressUpdate": {"x": 1}})))) == {"SHP401": "warning"}
    assert shape(Example((task(), rpc({**DONE["result"], "cursor": 7})))) == {"SHP401": "warning"}


def test_single_bodies_may_be_bare() -> None:
    assert not shape(Example((rpc(BARE),), request=GET, framing="document"))
    assert not shape(Example((BARE,), request=None, target="/tasks/t-1", framing="document"))


V03_ARTIFACT = v03("artifact-update", artifact={"artifactId": "a", "parts": [{"kind": "text", "text": "x"}]})


@pytest.mark.parametrize(
    ("frame", "codes"),
    [
        (v03("status-update", status={"state": "working"}, final=False), ""),
        (v03("status-update", status={"state": "working"}), "SHP407"),
        (V03_ARTIFACT, ""),
        (v03("message", parts=[{"kind": "text", "text": "x"}]), ""),
        (v03("message", parts=[]), "SHP407"),
        (rpc({**IDS, "status": {"state": "working"}, "final": False}), "SHP402"),
        (v03("progress"), "SHP402"),
        (DONE, "SHP404"),
        (
            v03(
                "status-update",
                status={"state": "working", "timestamp": "2026-11-30T13:14:25+00:00"},
                final=False,
            ),
            "",
        ),
    ],
)
def test_one_v03_frame(frame: Any, codes: str) -> None:
    example = Example((v03("task", status={"state": "submitted"}), frame), request=OLD, request_headers=())
    assert set(shape(example)) == set(codes.split())


def test_v03_over_rest_has_content_and_omits_final() -> None:
    said = {"messageId": "m", "role": "ROLE_AGENT", "contextId": "c-1", "content": [{"text": "x"}]}
    frames = (
        {"task": {"id": "t-1", "contextId": "c-1", "status": {"state": "TASK_STATE_SUBMITTED"}}},
        {"statusUpdate": {**IDS, "status": {"state": "TASK_STATE_WORKING", "message": said}}},
        {"statusUpdate": {**IDS, "status": {"state": "TASK_STATE_CANCELLED"}, "final": True}},
    )
    for target, request in (("/v1/message:stream", None), ("/", {"request": {"content": []}}), ("/x", None)):
        assert not shape(Example(frames, request=request, target=target, request_headers=()))


@pytest.mark.parametrize(
    ("headers", "request_", "frames", "is_found"),
    [
        ((("a2a-version", "1.0"),), "default", (task(), DONE), False),
        ((("a2a-version", "0.3"),), OLD, (task(), DONE), True),
        ((("a2a-version", "0.3"),), "default", (task(), DONE), False),
        ((), None, (task(), DONE), False),
        ((), None, (task(), V03_ARTIFACT), True),
        ((), "default", (V03_ARTIFACT,), True),
    ],
)
def test_the_dialect_is_one(headers: Any, request_: Any, frames: Any, is_found: bool) -> None:
    example = Example(frames, request=request_, request_headers=headers)
    assert ("SHP404" in shape(example)) is is_found


def test_one_habit_is_one_finding() -> None:
    judged = judge(Example((task(), *[update(timestamp="2026-08-11T09:30:01+08:00")] * 500)))
    assert judged.findings["SHP409"].times == 500


def test_nothing_is_checked_where_nothing_was_recognised() -> None:
    judged = judge(Example(({"type": "start"},)))
    assert {"SHP401", "SHP407", "ORD501", "IDS601", "ART701"} <= set(judged.not_checked)
