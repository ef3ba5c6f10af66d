"""The HTTP face: methods, errors as recorded, the card, steering, streams that stay open or are left."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from harness.testbed.core.chunks import answer, token
from harness.testbed.plan import Plan
from tests.testbed.runtime.fakes import (
    CONTEXT,
    Client,
    FakeCore,
    interrupt,
    message,
    question,
    results,
    states,
    task_of,
    texts,
)

GOLDEN = Path(__file__).parents[3] / "captures/golden/openjiuwen-on-java-sdk"
ASK = [question("call_1", "City?")]
DONE = [answer("done")]


def play(scenario):
    return asyncio.run(asyncio.wait_for(scenario, 60))


def of(core: FakeCore, act, plan: Plan | None = None):
    async def scenario():
        async with Client(core, plan=plan) as client:
            return await act(client)

    return play(scenario())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("hello", -32700),
        ("[]", -32600),
        ('{"jsonrpc":"1.0","id":"a","method":"GetTask","params":{}}', -32600),
        ('{"jsonrpc":"2.0","id":"a","method":7,"params":{}}', -32600),
        ('{"jsonrpc":"2.0","id":"a","method":"GetTask"}', -32602),
        ('{"jsonrpc":"2.0","id":"a","method":"GetTask","params":{"id":7}}', -32602),
        ('{"jsonrpc":"2.0","id":"a","method":"SendMessage","params":{}}', -32602),
        ('{"jsonrpc":"2.0","id":"a","method":"message/stream","params":{}}', -32601),
    ],
)
def test_what_is_no_request_gets_its_error(body, code):
    response = of(FakeCore(), lambda client: client.post(body))
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.json()["error"]["code"] == code
    assert "result" not in response.json()


@pytest.mark.parametrize(
    "change",
    [
        {"role": "user"},
        {"parts": []},
        {"parts": [{"kind": "text"}]},
        {"parts": [{"text": "a", "url": "b"}]},
        {"contextId": 7},
    ],
)
def test_a_message_of_another_shape_is_invalid(change):
    params = {"message": {**message()["message"], **change}}
    response = of(FakeCore(), lambda client: client.call("SendStreamingMessage", params))
    assert response.json()["error"]["code"] == -32602


@pytest.mark.parametrize(
    "name",
    ["x_v1_get_unknown", "x_v1_sub_unknown", "x_v1_unknown_task", "x_v1_unknownmethod", "x_v1_id_int_err"],
)
def test_errors_are_the_recorded_ones(name):
    request = (GOLDEN / f"{name}.request.json").read_text()
    response = of(FakeCore(), lambda client: client.post(request))
    assert response.text == (GOLDEN / f"{name}.body").read_text()


@pytest.mark.parametrize(
    ("name", "method"), [("x_v1_send_terminal", "stream"), ("x_v1_sub_terminal", "subscribe")]
)
def test_a_task_that_is_over_takes_nothing_more(name, method):
    recorded = (GOLDEN / f"{name}.body").read_text()

    async def act(client):
        task = task_of(await client.results())
        if method == "stream":
            response = await client.stream("more", task=task)
        else:
            response = await client.call("SubscribeToTask", {"id": task})
        return response.json()["error"], task

    error, task = of(FakeCore(DONE), act)
    known = json.loads(recorded)["error"]
    assert error["code"] == known["code"]
    assert error["message"].replace(task, "T") == known["message"].replace(
        "3d9a99c6-7968-4a5c-8f1f-2cfec43eccef", "T"
    )


def test_send_message_gives_the_task_at_the_end_of_the_turn():
    async def act(client):
        sent = (await client.call("SendMessage", message())).json()["result"]["task"]
        got = (await client.call("GetTask", {"id": sent["id"]})).json()["result"]
        return sent, got

    sent, got = of(FakeCore(DONE), act)
    assert sent == got
    assert list(sent) == ["id", "contextId", "status", "artifacts", "history"]
    assert sent["status"]["state"] == "TASK_STATE_COMPLETED"
    assert sent["artifacts"][0]["parts"] == [{"text": "done"}]


def test_send_message_may_return_at_once():
    async def act(client):
        params = {**message(), "configuration": {"returnImmediately": True}}
        sent = (await client.call("SendMessage", params)).json()["result"]["task"]
        [task] = client.orchestrator.tasks.all()
        await task.run
        return sent["status"]["state"]

    assert of(FakeCore(DONE), act) == "TASK_STATE_SUBMITTED"


def test_the_card_names_the_address_that_was_asked():
    card = of(FakeCore(), lambda client: client.get("/.well-known/agent-card.json")).json()
    assert card == of(FakeCore(), lambda client: client.get("/.well-known/agent.json")).json()
    [interface] = card["supportedInterfaces"]
    assert interface == {
        "url": "http://agent.test:1234/a2a",
        "protocolBinding": "JSONRPC",
        "protocolVersion": "1.0",
    }
    assert {
        "name",
        "description",
        "version",
        "capabilities",
        "defaultInputModes",
        "defaultOutputModes",
        "skills",
    } <= set(card)


def test_an_empty_id_counts_as_absent():
    async def act(client):
        params = {"message": {**message()["message"], "taskId": "", "contextId": ""}}
        return results(await client.call("SendStreamingMessage", params))

    got = of(FakeCore(DONE), act)
    assert states(got) == ["SUBMITTED", "WORKING", "COMPLETED"]
    assert got[0]["statusUpdate"]["contextId"] not in ("", CONTEXT)


def test_a_task_of_another_context_is_refused():
    async def act(client):
        task = task_of(await client.results())
        params = {"message": {**message(task=task)["message"], "contextId": "other"}}
        return (await client.call("SendStreamingMessage", params)).json()["error"]["code"]

    assert of(FakeCore(ASK), act) == -32602


async def working(client, core):
    while not core.turns:
        await asyncio.sleep(0)
    return client.orchestrator.tasks.all()[0]


def test_steering_is_queued_while_the_task_works():
    gate = asyncio.Event()
    core = FakeCore([gate, answer("done")])

    async def act(client):
        stream = asyncio.create_task(client.results())
        task = await working(client, core)
        params = message("hurry", task=task.place.task_id, metadata={"steer": True})
        taken = (await client.call("SendMessage", params)).json()["result"]["message"]
        refused = (await client.stream("more", task=task.place.task_id)).json()["error"]["code"]
        gate.set()
        await stream
        return taken, refused, core.turns[0].steer.get_nowait()

    taken, refused, steered = of(core, act)
    assert (taken["role"], refused, steered) == ("ROLE_AGENT", -32004, "hurry")


def test_a_stream_that_stays_open_shows_the_next_turn_too():
    async def act(client):
        first = asyncio.create_task(client.results())
        while (
            not client.orchestrator.tasks.all()
            or client.orchestrator.tasks.all()[0].state != "INPUT_REQUIRED"
        ):
            await asyncio.sleep(0)
        assert not first.done()
        [task] = client.orchestrator.tasks.all()
        second = await client.results("Beijing", task=task.place.task_id)
        return await first, second

    first, second = of(FakeCore(ASK, [token("llm_output", 0, "x"), *DONE]), act, Plan(keep_open=True))
    assert states(first) == ["SUBMITTED", "WORKING", "INPUT_REQUIRED", "WORKING", "COMPLETED"]
    assert states(second) == ["WORKING", "COMPLETED"]
    assert first[3:] == second


def test_a_subscription_begins_with_the_task_and_lasts_to_its_end():
    async def act(client):
        task = task_of(await client.results())
        watch = asyncio.create_task(client.call("SubscribeToTask", {"id": task}))
        await asyncio.sleep(0.01)
        await client.results("Beijing", task=task)
        return results(await watch)

    snapshot, *rest = of(FakeCore(ASK, DONE), act)
    assert snapshot["task"]["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert states(rest) == ["WORKING", "COMPLETED"]
    assert texts(rest) == ["done"]


def test_a_client_that_leaves_takes_only_its_listener_away():
    gate = asyncio.Event()
    core = FakeCore([token("llm_output", 0, "x"), gate, answer("done")])

    async def act(client):
        stream = asyncio.create_task(client.stream())
        task = await working(client, core)
        stream.cancel()
        await asyncio.wait([stream])
        assert task.listeners == 0
        gate.set()
        await task.run
        return task.state, [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]

    assert of(core, act) == ("COMPLETED", [])


def test_plans_are_chosen_by_context():
    async def act(client):
        child = client.orchestrator.played(f"{CONTEXT}_batch-1_call_0")
        stranger = client.orchestrator.played(f"{CONTEXT}x")
        return client.orchestrator.played(CONTEXT), child, stranger

    plan = Plan("ask", kind="react", defects=frozenset({"wrong-ids"}))
    entry, child, stranger = of(FakeCore(), act, plan)
    assert entry == (plan, True)
    assert child == (Plan("ask"), False)
    assert stranger == (Plan(), True)


def test_an_interrupt_is_answered_in_the_same_task():
    async def act(client):
        first = await client.results()
        return first, await client.results("Beijing", task=task_of(first))

    first, second = of(FakeCore(ASK, DONE), act)
    assert interrupt(first)["toolCallId"] == "call_1"
    assert task_of(first) == task_of(second)
