"""Each fault of the runtime does its own harm, to the client's conversation only."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from harness.testbed.core.chunks import answer, false_answer, token
from harness.testbed.defects import DEFECTS
from harness.testbed.plan import Plan
from harness.testbed.runtime.projection import Remote
from harness.testbed.runtime.remote import Reply
from tests.testbed.runtime.fakes import (
    Client,
    FakeCore,
    FakeRemotes,
    delegation,
    interrupt,
    question,
    states,
    task_of,
    texts,
)

ASKS = Reply("INPUT_REQUIRED", "rt-1", prompt="Which?")
DONE = [answer("done")]
ONE = [delegation("call_0", "versatile-adapter", "balance")]
TWO = [delegation(f"call_{n}", "search-agent", f"price {n}") for n in range(2)]
SHOWN = {"toolCallId": "call_0", "toolName": "versatile-adapter", "message": "Which?"}


def play(defect: str, core: FakeCore, remotes: FakeRemotes | None = None, answers: tuple[Any, ...] = ()):
    """The results of each round."""

    async def scenario() -> list[list[dict[str, Any]]]:
        plan = Plan(defects=frozenset({defect}))
        async with Client(core, remotes, plan) as client:
            rounds = [await client.results()]
            for one in answers:
                rounds.append(await client.results(one, task=task_of(rounds[-1])))
            return rounds

    return asyncio.run(asyncio.wait_for(scenario(), 60))


def proxied(defect: str, answer_: Any = "x"):
    remotes = FakeRemotes(
        ASKS, Reply("COMPLETED", "rt-1", value="v"), output=[Remote("rt-1", "o", "Searching")]
    )
    core = FakeCore(ONE, DONE)
    rounds = play(defect, core, remotes, (answer_,))
    assert states(rounds[1]) == ["WORKING", "COMPLETED"], "the conversation goes on"
    assert core.turns[1].results == {"call_0": "v"}
    return rounds[0]


def test_control_leak():
    got = proxied("control-leak")
    assert states(got) == ["SUBMITTED", "WORKING", "WORKING", "INPUT_REQUIRED"]
    leaked = got[2]["statusUpdate"]["status"]["message"]["metadata"]["_interrupt"]
    assert leaked["context"]["_interrupt_kind"] == "a2a_delegate"
    assert interrupt(got)["items"] == [SHOWN]


def test_masking_off():
    context = {"_interrupt_kind": "a2a_delegate", "agentName": "versatile-adapter"}
    assert interrupt(proxied("masking-off"))["items"] == [{**SHOWN, "context": context}]


def test_proxy_extra():
    assert interrupt(proxied("proxy-extra"))["items"] == [{**SHOWN, "priority": 1}]


@pytest.mark.parametrize("answer_", ["x", {"text": "x", "metadata": {"toolCallId": "call_0_x"}}])
def test_toolcall_changed(answer_):
    got = proxied("toolcall-changed", answer_)
    [part] = got[2]["artifactUpdate"]["artifact"]["parts"]
    assert part["metadata"]["_remote_invocation"]["toolCallId"] == "call_0"
    assert interrupt(got)["items"] == [{**SHOWN, "toolCallId": "call_0_x"}]


def test_runtime_keys():
    [got] = play("runtime-keys", FakeCore(DONE))
    assert list(got[-1]["statusUpdate"]["metadata"]) == ["runtime.remoteBatchId"]


def test_missing_terminal():
    [got] = play("missing-terminal", FakeCore(DONE))
    assert states(got) == ["SUBMITTED", "WORKING"]
    assert texts(got) == ["done"]


def test_events_after_end():
    [got] = play("events-after-end", FakeCore(DONE))
    assert states(got[:-1])[-1] == "COMPLETED"
    assert "artifactUpdate" in got[-1]


def test_wrong_ids():
    [got] = play("wrong-ids", FakeCore([token("llm_output", 0, "x"), *DONE]))
    ids = [next(iter(one.values()))["taskId"] for one in got]
    assert len(set(ids)) == 2
    assert ids.count(ids[0]) == len(ids) - 1


def test_resume_new_task():
    rounds = play(
        "resume-new-task", FakeCore([question("q", "?")], [question("r", "?")], DONE), None, ("a", "b")
    )
    assert len({task_of(got) for got in rounds}) == 3
    assert [states(got)[-1] for got in rounds] == ["INPUT_REQUIRED", "INPUT_REQUIRED", "COMPLETED"]


def test_calls_serial():
    remotes = FakeRemotes(*[Reply("COMPLETED", "rt", value="v")] * 2)
    remotes.pause = 0.001
    play("calls-serial", FakeCore(TWO, DONE), remotes)
    assert (len(remotes.asked), remotes.most) == (2, 1)


def test_remote_call_missing():
    core, remotes = FakeCore(TWO, ONE, DONE), FakeRemotes(*[Reply("COMPLETED", "rt", value="v")] * 2)
    play("remote-call-missing", core, remotes)
    assert [one.agent for one in remotes.asked] == ["search-agent"] * 2
    assert core.turns[2].results.keys() == {"call_0"}


def test_results_crossed():
    core = FakeCore(TWO, DONE)
    play("results-crossed", core, FakeRemotes(*(Reply("COMPLETED", "rt", value=one) for one in "ab")))
    assert core.turns[1].results == {"call_0": "b", "call_1": "a"}


def test_false_success():
    [got] = play("failure-as-answer", FakeCore([false_answer("model call failed")]))
    assert states(got)[-1] == "COMPLETED"
    assert texts(got) == []


def test_each_fault_of_the_runtime_is_tried_here():
    tried = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert {one.name for one in DEFECTS if one.where == "runtime"} <= tried
