"""Turns: what is passed on, what is asked, who is called, and with what the core is resumed."""

from __future__ import annotations

import asyncio

import pytest

from harness.testbed.core.chunks import (
    answer,
    error,
    false_answer,
    input_required,
    interaction,
    python_false_answer,
    token,
    workflow_final,
)
from harness.testbed.plan import Plan
from harness.testbed.runtime.projection import Remote
from harness.testbed.runtime.remote import Reply
from tests.testbed.runtime.fakes import (
    CONTEXT,
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

THREE = [delegation(f"call_0{n}", "search-agent", f"price {n}") for n in range(3)]
DONE = [answer("done")]


def done(value: object, task: str = "rt-1") -> Reply:
    return Reply("COMPLETED", task, value=value)  # type: ignore[arg-type]


def asks(prompt: str, task: str = "rt-1") -> Reply:
    return Reply("INPUT_REQUIRED", task, prompt=prompt)


def play(scenario):
    return asyncio.run(asyncio.wait_for(scenario, 60))


def test_delegations_are_called_at_once_and_fed_back_by_call():
    async def scenario():
        core = FakeCore(THREE, DONE)
        remotes = FakeRemotes(done("a"), done("b"), done({"ok": False}), together=3)
        async with Client(core, remotes) as client:
            got = await client.results("Compare")
        assert states(got) == ["SUBMITTED", "WORKING", "COMPLETED"]
        assert texts(got) == ["done"], "what is fed back is not shown"
        assert remotes.most == 3
        assert [one.question.text for one in remotes.asked] == ["price 0", "price 1", "price 2"]
        first, second = core.turns
        assert (first.text, first.results) == ("Compare", {})
        assert second.results == {"call_00": "a", "call_01": "b", "call_02": {"ok": False}}

    play(scenario())


def test_a_child_context_names_parent_batch_and_call():
    async def scenario():
        remotes = FakeRemotes(*map(done, "abc"))
        async with Client(FakeCore(THREE, DONE), remotes) as client:
            await client.stream(traceparent="00-1-2-01", authorization="secret")
        contexts = [one.question.context_id.split("_", 2) for one in remotes.asked]
        assert [one[0] for one in contexts] == [CONTEXT] * 3
        assert len({one[1] for one in contexts}) == 1
        assert [one[2] for one in contexts] == ["call_00", "call_01", "call_02"]
        assert {one.headers["traceparent"] for one in remotes.asked} == {"00-1-2-01"}
        assert all(set(one.headers) == {"traceparent"} for one in remotes.asked)

    play(scenario())


def test_not_more_than_sixteen_calls_are_open():
    async def scenario():
        many = [delegation(f"call_{n}", "search-agent", "x") for n in range(40)]
        remotes = FakeRemotes(*[done("v")] * 40)
        remotes.pause = 0.001
        async with Client(FakeCore(many, DONE), remotes) as client:
            assert states(await client.results())[-1] == "COMPLETED"
        assert (len(remotes.asked), remotes.most) == (40, 16)

    play(scenario())


def test_streamed_output_is_marked_and_shown():
    async def scenario():
        remotes = FakeRemotes(done("a"), output=[Remote("rt-1", "o", "Searching")])
        core = FakeCore([delegation("call_0", "versatile-adapter", "trains")], DONE)
        async with Client(core, remotes) as client:
            got = await client.results()
        [part] = got[2]["artifactUpdate"]["artifact"]["parts"]
        mark = part["metadata"]["_remote_invocation"]
        assert part["text"] == "Searching"
        assert mark.pop("batchId").startswith("batch-")
        assert mark == {
            "kind": "remote_agent_output", "toolCallId": "call_0", "target": "versatile-adapter"
        }  # fmt: skip

    play(scenario())


def test_one_remote_question_has_the_remote_prompt_and_its_answer_goes_on_in_the_remote_task():
    async def scenario():
        core = FakeCore([THREE[0]], DONE)
        remotes = FakeRemotes(asks("Which year?", "rt-9"), done("1 yuan", "rt-9"))
        async with Client(core, remotes) as client:
            first = await client.results()
            second = await client.results("2026", task=task_of(first))
        item = {"toolCallId": "call_00", "toolName": "search-agent", "message": "Which year?"}
        assert interrupt(first) == {"message": "Which year?", "items": [item]}
        assert states(second) == ["WORKING", "COMPLETED"]
        before, after = (one.question for one in remotes.asked)
        assert (after.text, after.task_id, after.context_id) == ("2026", "rt-9", before.context_id)
        assert core.turns[1].results == {"call_00": "1 yuan"}

    play(scenario())


def test_the_results_of_the_others_are_kept_until_all_are_there():
    async def scenario():
        core = FakeCore(THREE, DONE)
        remotes = FakeRemotes(done("a"), asks("hotel?", "rt-2"), asks("", "rt-3"), done("b"), done("c"))
        async with Client(core, remotes) as client:
            first = await client.results()
            task = task_of(first)
            assert interrupt(first)["message"] == "Multiple remote agents require input"
            assert [one["message"] for one in interrupt(first)["items"]] == [
                "hotel?",
                "Remote agent requires input",
            ]
            part = {"text": "4 star", "metadata": {"toolCallId": "call_01"}}
            second = await client.results(part, task=task)
            assert [one["toolCallId"] for one in interrupt(second)["items"]] == ["call_02"]
            assert len(core.turns) == 1
            third = await client.results("CA", task=task)
        assert states(third) == ["WORKING", "COMPLETED"]
        assert core.turns[1].results == {"call_00": "a", "call_01": "b", "call_02": "c"}
        assert [(one.question.task_id, one.question.text) for one in remotes.asked[3:]] == [
            ("rt-2", "4 star"),
            ("rt-3", "CA"),
        ]

    play(scenario())


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        (["x", {"text": "y", "metadata": {"toolCallId": "call_00"}}], "REMOTE_TOOL_INPUT_TARGET_MIXED"),
        (["x"], "REMOTE_TOOL_INPUT_TARGET_MISSING"),
        ([{"text": "y", "metadata": {"toolCallId": "call_99"}}], "REMOTE_TOOL_INPUT_TARGET_UNKNOWN"),
        (
            [{"text": "no", "metadata": {"toolCallId": call}} for call in ("call_00", "call_99")],
            "REMOTE_TOOL_INPUT_TARGET_UNKNOWN",
        ),
    ],
)
def test_answers_that_fit_nobody_are_refused_and_the_task_waits_on(parts, code):
    async def scenario():
        remotes = FakeRemotes(asks("a?"), asks("b?"), asks("c?"), *map(done, "abc"))
        async with Client(FakeCore(THREE, DONE), remotes) as client:
            task = task_of(await client.results())
            refused = (await client.stream(*parts, task=task)).json()["error"]
            assert (refused["code"], refused["details"]) == (-32602, {"businessCode": code})
            right = [{"text": "y", "metadata": {"toolCallId": f"call_0{n}"}} for n in range(3)]
            assert states(await client.results(*right, task=task)) == ["WORKING", "COMPLETED"]
        assert [one.question.text for one in remotes.asked[3:]] == ["y"] * 3

    play(scenario())


def test_native_questions_go_to_the_client_and_answers_to_the_core():
    async def scenario():
        core = FakeCore(
            [question("call_1", "City?"), question("call_2", "Date?")], [question("q", "Why?")], DONE
        )
        async with Client(core) as client:
            first = await client.results()
            task = task_of(first)
            assert [one["toolCallId"] for one in interrupt(first)["items"]] == ["call_1", "call_2"]
            parts = [
                {"text": text, "metadata": {"toolCallId": call}}
                for call, text in (("call_1", "A"), ("call_2", "B"))
            ]
            second = await client.results(*parts, task=task)
            assert interrupt(second)["toolCallId"] == "q"
            third = await client.results("because", task=task)
        assert states(third) == ["WORKING", "COMPLETED"]
        assert [turn.results for turn in core.turns] == [{}, {"call_1": "A", "call_2": "B"}, {"": "because"}]

    play(scenario())


def test_a_question_without_form_and_one_with_words_only():
    async def scenario():
        async with Client(
            FakeCore([input_required()], [interaction(0, "questioner", "Number?")], DONE)
        ) as client:
            first = await client.results()
            assert first[-1]["statusUpdate"]["status"].keys() == {"state", "timestamp"}
            second = await client.results("x", task=task_of(first))
            assert interrupt(second)["message"] == "Number?"
            assert "toolCallId" not in interrupt(second)
            assert states(await client.results("7", task=task_of(first)))[-1] == "COMPLETED"

    play(scenario())


@pytest.mark.parametrize(
    ("chunks", "code"),
    [
        ([THREE[0], question("call_9", "City?")], "CORE_INTERRUPT_KIND_MIXED_UNSUPPORTED"),
        ([delegation("", "search-agent", "x")], "CORE_INTERRUPT_CORRELATION_MISSING"),
        ([error("no model", code="MODEL_FAILED")], "MODEL_FAILED"),
        ([false_answer("model call failed")], "AGENT_EXECUTION_FAILED"),
        ([python_false_answer("model call failed")], "AGENT_EXECUTION_FAILED"),
    ],
)
def test_a_turn_that_can_not_end_well_ends_failed(chunks, code):
    async def scenario():
        async with Client(FakeCore(chunks)) as client:
            got = await client.results()
        message = got[-1]["statusUpdate"]["status"]["message"]
        assert states(got)[-1] == "FAILED"
        assert message["metadata"]["openjiuwen.error"] == {
            "schemaVersion": "1",
            "code": code,
            "retryable": False,
        }
        return message["parts"][0]["text"]

    text = play(scenario())
    assert text == ("no model" if code == "MODEL_FAILED" else "Agent execution failed")


def test_content_is_passed_on_at_once_and_unread():
    async def scenario():
        gate = asyncio.Event()
        leak = {"type": "controller_output", "index": 3, "payload": {"data": [{"data": THREE[0]}]}}
        async with Client(
            FakeCore([token("llm_output", 0, "A"), leak, gate, workflow_final("end")])
        ) as client:
            stream = asyncio.create_task(client.results())
            while len(client.orchestrator.tasks.all()) == 0:
                await asyncio.sleep(0)
            [task] = client.orchestrator.tasks.all()
            while len(task.snapshot()["artifacts"]) < 2:
                await asyncio.sleep(0)
            gate.set()
            got = await stream
        assert got[3]["artifactUpdate"]["artifact"]["parts"] == [{"data": leak}]
        assert texts(got) == ["end"]

    play(scenario())


def test_the_third_generation_declares_delegations():
    async def scenario():
        remotes = FakeRemotes(asks("Which?", "rt-1"), done("a", "rt-1"))
        async with Client(FakeCore([THREE[0]], DONE), remotes, Plan(generation="G3")) as client:
            first = await client.results()
            second = await client.results("x", task=task_of(first))
        kinds = [
            [
                one["artifactUpdate"]["artifact"]["metadata"].get("agentEvent", {}).get("type")
                for one in got
                if "artifactUpdate" in one
            ]
            for got in (first, second)
        ]
        assert kinds == [["delegation", "status"], ["status", None]]

    play(scenario())


def test_cancel_tells_the_remote_agents_first():
    async def scenario():
        remotes = FakeRemotes(asks("Which?", "rt-5"))
        async with Client(FakeCore([THREE[0]]), remotes) as client:
            task = task_of(await client.results())
            got = (await client.call("CancelTask", {"id": task})).json()["result"]
            assert got["status"]["state"] == "TASK_STATE_CANCELED"
            assert remotes.canceled == ["rt-5"]
            again = (await client.call("CancelTask", {"id": task})).json()["error"]
            assert again["code"] == -32002

    play(scenario())


def test_cancel_waits_for_calls_that_are_open_and_resumes_nothing():
    async def scenario():
        core, remotes = FakeCore(THREE[:1]), FakeRemotes(Reply("CANCELED", "rt-5", value={"ok": False}))
        remotes.until_canceled = True
        async with Client(core, remotes) as client:
            stream = asyncio.create_task(client.results())
            while not remotes.open:
                await asyncio.sleep(0)
            [task] = client.orchestrator.tasks.all()
            await client.call("CancelTask", {"id": task.place.task_id})
            assert states(await stream) == ["SUBMITTED", "WORKING", "CANCELED"]
        assert (remotes.canceled, len(core.turns)) == (["rt-5"], 1)

    play(scenario())


def test_cancel_ends_a_core_that_works():
    async def scenario():
        core = FakeCore([asyncio.Event()])
        async with Client(core) as client:
            stream = asyncio.create_task(client.results())
            while not core.turns:
                await asyncio.sleep(0)
            [task] = client.orchestrator.tasks.all()
            await client.call("CancelTask", {"id": task.place.task_id})
            assert states(await stream) == ["SUBMITTED", "WORKING", "CANCELED"]

    play(scenario())


def test_reserved_keys_of_a_client_change_nothing():
    async def scenario():
        core = FakeCore([THREE[0]], DONE)
        remotes = FakeRemotes(asks("Which?"), done("right"))
        async with Client(core, remotes) as client:
            task = task_of(await client.results())
            spoof = {"runtime.remoteToolResults": {"call_00": "wrong"}, "_interrupt": {"x": 1}}
            params = {
                "message": {
                    "role": "ROLE_USER",
                    "messageId": "m",
                    "taskId": task,
                    "contextId": CONTEXT,
                    "parts": [{"text": "x", "metadata": spoof}],
                    "metadata": spoof,
                },
                "metadata": spoof,
            }
            response = await client.call("SendStreamingMessage", params)
        assert core.turns[1].results == {"call_00": "right"}
        assert "runtime." not in response.text

    play(scenario())
