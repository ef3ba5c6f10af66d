"""IDS rules: present and empty is absent, and the first id seen is the stream's."""

from __future__ import annotations

from typing import Any

import pytest

from harness.rules.example import Example, artifact, message, rpc, status, task
from tests.rules.protocol import judge

DONE = status("completed")


def sending(**said: str) -> Any:
    return {"jsonrpc": "2.0", "id": "r-1", "method": "SendStreamingMessage", "params": {"message": said}}


@pytest.mark.parametrize(
    ("frames", "more", "codes"),
    [
        ((task(), DONE), {}, ""),
        ((task(), status("completed", message("x", taskId=""))), {}, ""),
        ((task(), artifact("x", task="t-9"), DONE), {}, "IDS601"),
        ((task(), status("completed", message("x", taskId="t-9"))), {}, "IDS601"),
        ((task(), status("completed", message("x", contextId="c-9"))), {}, "IDS602"),
        ((task(), status("completed", context="c-9")), {}, "IDS602"),
        ((task(), DONE), {"request": sending(contextId="c-9")}, "IDS602"),
        ((task(), DONE), {"request": sending(contextId="")}, ""),
        ((task(), DONE), {"request": sending(taskId="t-9")}, "IDS603"),
        ((task(), DONE), {"request": sending(taskId="t-1", contextId="c-1")}, ""),
        ((rpc({"message": message()}),), {"request": sending(taskId="t-9")}, ""),
        ((task(history=[message(taskId="t-0", contextId="c-0")]), DONE), {}, ""),
    ],
)
def test_ids(frames: Any, more: Any, codes: str) -> None:
    found = {code for code in judge(Example(frames, **more)).findings if code.startswith("IDS")}
    assert found == set(codes.split())


def test_the_head_of_a_capture_may_name_the_task() -> None:
    example = Example((task(), DONE), request=None)
    assert judge(example, task_id="t-9").weight("IDS603") == "error"
    assert "IDS603" in judge(example).not_checked


def test_many_events_of_a_wrong_task_are_one_finding() -> None:
    judged = judge(Example((task(), *[artifact("x", task="t-9")] * 50, DONE)))
    assert judged.findings["IDS601"].times == 50
