"""The mirror frames equal those of the golden captures."""

from __future__ import annotations

import json

import pytest

from harness.testbed.core import rails
from harness.testbed.core.conversation import Conversation
from harness.testbed.core.mirror import FORMS, mirrors
from harness.testbed.core.model_client import ToolCall
from harness.testbed.core.spelling import spelled
from harness.testbed.defects import DEFECTS
from tests.testbed.core import golden

CALLS = [
    ToolCall(f"call_{n:02}_Zx{n}AbC", "search-agent", json.dumps({"remoteInput": f"price of {letter}"}))
    for n, letter in enumerate("ABC")
]


def mirrored(defect, calls=3, before=0):
    talk = Conversation("ctx-demo-01", "")
    talk.open("x")
    for _ in range(before):
        talk.number()
    waiting = [rails.interrupt(call, ["search-agent"]) for call in CALLS[:calls]]
    frames = [spelled(n, one, "java") for n, one in enumerate(waiting)]
    return mirrors(talk, waiting, frames, frozenset({defect}))


def test_v1_is_a_frame_each():
    assert golden.text(mirrored("mirror-v1")) == golden.text(
        golden.chunks("oj_leak_controller_output_v1_three_frames")
    )


def test_v2_is_one_frame_and_takes_the_running_number():
    assert golden.text(mirrored("mirror-v2", before=41)) == golden.text(
        golden.chunks("oj_leak_controller_output_v2")[1:2]
    )


def test_v2_is_the_same_in_g1():
    told = golden.frames("oj_leak_g1_textpart_string")[2]["artifactUpdate"]["artifact"]["parts"][0]["text"]
    assert golden.text(mirrored("mirror-v2", before=41)[0]) == golden.text(json.loads(told))


def test_the_python_form():
    want = golden.chunks("oj_leak_python_task_completion")[0]
    want["payload"]["metadata"]["task_id"] = "deep_agent_task_ctx-demo-01_1"
    assert golden.text(mirrored("mirror-python", calls=1)[0]) == golden.text(want)


def test_the_final_form():
    """openJiuwen facts, section 1b (final executor chunk)."""
    (one,) = mirrored("mirror-final", calls=2)
    assert list(one["payload"]["data"][0]["data"]) == ["result_type", "state", "interrupt_ids"]
    assert one["payload"]["data"][0]["data"]["interrupt_ids"] == ["call_00_Zx0AbC", "call_01_Zx1AbC"]
    assert one["payload"]["metadata"] == {"task_id": "deep_agent_task_ctx-demo-01_1"}
    assert list(one["payload"]["data"][0]["data"]["state"][0]) == ["type", "index", "payload"]


@pytest.mark.parametrize("defect", FORMS)
def test_each_form_is_in_the_table(defect):
    assert defect in {one.name for one in DEFECTS}


def test_without_a_defect_nothing_is_mirrored():
    assert mirrored("failure-as-answer") == []
