"""Declarations are found by name, by the last steps of a pointer, by any step, the longest first."""

from __future__ import annotations

import pytest

from harness.diff.form import Id, Volatile
from harness.diff.rules import TEXT, TIME, Action, Members

MEMBERS = Members(
    Volatile(
        ids=(
            Id(("taskid",), "task"),
            Id(("agentevent", "source", "taskid"), "agent-task"),
            Id(("", "id"), "top"),
        ),
        times=(("usagemetadata", "*"), ("index",)),
        texts=(("text",),),
    )
)


@pytest.mark.parametrize(
    ("pointer", "action"),
    [
        ("/result/taskId", Action("id", "task")),
        ("/result/task_id", Action("id", "task")),
        ("/a/agentEvent/source/taskId", Action("id", "agent-task")),
        ("/a/target/taskId", Action("id", "task")),
        ("/id", Action("id", "top")),
        ("/a/id", None),
        ("/usage_metadata/total", TIME),
        ("/usage_metadata/total/more", None),
        ("/parts/0/text", TEXT),
        ("/index", TIME),
    ],
)
def test_action(pointer: str, action: Action | None) -> None:
    assert MEMBERS.action(MEMBERS.root(pointer)) == action


def test_the_path_below_is_the_path_from_the_root() -> None:
    assert MEMBERS.below(MEMBERS.root("/a/agentEvent"), "source_x") == MEMBERS.root("/a/agentEvent/sourceX")
