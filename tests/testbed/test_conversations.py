"""Whole conversations with the testbed over real HTTP, judged by the harness and read by an official client."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from a2a.client import ClientConfig, create_client
from a2a.types import Message, Part, Role, SendMessageRequest

from harness.model.topology import Agent, Edge
from harness.pipeline import Options, check
from harness.testbed.launch import Testbed
from harness.testbed.plan import Plan
from tests.testbed.runtime.fakes import interrupt, results, states, task_of, texts

AGENTS = [
    Agent("deep-research", "deepagent"),
    Agent("search-agent", "react"),
    Agent("verify-agent", "react"),
    Agent("edpa-plan-agent", "plan-agent"),
    Agent("versatile-adapter"),
    Agent("expense-review-main", "workflow"),
    Agent("expense-review-workflow", "workflow"),
]
EDGES = [
    Edge("deep-research", "search-agent", "search-agent"),
    Edge("deep-research", "verify-agent", "verify-agent"),
    Edge("edpa-plan-agent", "versatile-adapter", "versatile-adapter"),
    Edge("expense-review-main", "expense-review-workflow", "expense-review-workflow"),
]
PLANS = {
    "fixed": Plan("research"),
    "mirrored": Plan("research", defects=frozenset({"mirror-v2"})),
    "declared": Plan("research", generation="G3", pace=0.01),
    "old": Plan("research", generation="G1"),
    "balance": Plan("balance", calls=2),
    "open": Plan("balance", calls=1, asks=1, keep_open=True),
    "expense": Plan("expense", questions=2),
    "left": Plan("research", tokens=40, pace=0.01),
    "canceled": Plan("research", tokens=200, pace=0.05),
    "failing": Plan("fail"),
    "sdk": Plan("research"),
    "loaded": Plan("research", tokens=1500),
}
ENTRIES = {"balance": "edpa-plan-agent", "open": "edpa-plan-agent", "expense": "expense-review-main"}
ANSWERS = ("模型甲", "模型乙", "模型丙", "来源一致")
"""What the four remote agents say in the script `research`."""


pytestmark = pytest.mark.usefixtures("no_hang")


@pytest.fixture(scope="module")
def testbed():
    with Testbed(AGENTS, edges=EDGES) as one:
        one.serve({}, PLANS)
        yield one


@pytest.fixture
def http():
    with httpx.Client(trust_env=False, timeout=60) as client:
        yield client


class Talk:
    """One client's conversation; every stream is kept, and judged at the end."""

    def __init__(self, testbed, http, name, folder):
        self._http, self._name, self._folder = http, name, folder
        self.url = testbed.addresses[ENTRIES.get(name, "deep-research")]
        self.task: str | None = None
        self._files: list[str] = []

    def body(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": "req-1", "method": method, "params": params}

    def message(self, text: str) -> dict[str, Any]:
        message = {"messageId": "u", "role": "ROLE_USER", "contextId": self._name, "parts": [{"text": text}]}
        return {"message": {**message, "taskId": self.task} if self.task else message}

    def say(self, text: str) -> list[dict[str, Any]]:
        response = self._http.post(self.url, json=self.body("SendStreamingMessage", self.message(text)))
        path = self._folder / f"{self._name}-r{len(self._files) + 1}.sse"
        path.write_bytes(response.content)
        self._files.append(str(path))
        got = results(response)
        self.task = task_of(got)
        return got

    def call(self, method: str) -> dict[str, Any]:
        return self._http.post(self.url, json=self.body(method, {"id": self.task})).json()

    def findings(self) -> dict[str, int]:
        """Errors and warnings of all rounds, by rule."""
        told = check(self._files, Options(contract="masked"))
        assert len(told.rounds) == len(self._files)
        told_of = [one for round_ in told.rounds for one in round_.findings]
        told_of += [group.finding for group in told.findings]
        loud = [one.rule for one in told_of if one.severity in ("error", "warning")]
        return {rule: loud.count(rule) for rule in loud}


@pytest.fixture
def talk(testbed, http, tmp_path):
    return lambda name: Talk(testbed, http, name, tmp_path)


def mirrors(got: list[dict[str, Any]]) -> list[int]:
    """The number of delegations in each frame of the task loop."""
    chunks = [part["data"] for one in got for part in parts(one) if "data" in part]
    return [len(one["payload"]["data"]) for one in chunks if one["type"] == "controller_output"]


def parts(result: dict[str, Any]) -> list[dict[str, Any]]:
    return result.get("artifactUpdate", {}).get("artifact", {}).get("parts", [])


def test_the_fixed_conversation(talk):
    one = talk("fixed")
    got = one.say("Compare the prices")
    assert states(got) == ["SUBMITTED", "WORKING", "COMPLETED"]
    assert "a2a_delegate" not in json.dumps(got)
    assert all(answer in texts(got)[-1] for answer in ANSWERS)
    assert one.findings() == {}


def test_the_mirror_of_the_seed(talk):
    one = talk("mirrored")
    got = one.say("Compare the prices")
    assert states(got) == ["SUBMITTED", "WORKING", "COMPLETED"], "the control channel is clean"
    assert mirrors(got) == [3, 1]
    assert one.findings() == {"LEAK101": 4}


def test_three_of_four_calls_are_open_at_once(talk):
    one = talk("declared")
    events = [
        made["artifact"].get("metadata", {}).get("agentEvent", {})
        for result in one.say("Compare the prices")
        if (made := result.get("artifactUpdate"))
    ]
    told = [event["type"] for event in events if event.get("type") in ("delegation", "status")]
    assert told == [*["delegation"] * 3, *["status"] * 3, "delegation", "status"]
    assert one.findings() == {}


def test_the_first_generation_says_the_same_in_text(talk):
    one = talk("old")
    got = one.say("Compare the prices")
    chunks = [json.loads(text) for text in texts(got)]
    assert chunks[-1]["type"] == "answer"
    assert all(answer in chunks[-1]["payload"]["output"] for answer in ANSWERS)
    assert one.findings() == {}


def test_a_masked_conversation_of_many_rounds(talk):
    one = talk("balance")
    rounds = [one.say("Balance, please")]
    while states(rounds[-1])[-1] == "INPUT_REQUIRED" and len(rounds) < 12:
        assert list(interrupt(rounds[-1])) == ["message", "items"]
        rounds.append(one.say(f"answer {len(rounds)}"))
    assert [states(got)[-1] for got in rounds] == [*["INPUT_REQUIRED"] * 4, "COMPLETED"]
    assert len({task_of(got) for got in rounds}) == 1
    assert one.findings() == {}


def test_native_questions_of_a_workflow(talk):
    one = talk("expense")
    rounds = [one.say("Expenses"), one.say("INV-1"), one.say("88.00")]
    assert [interrupt(got)["toolName"] for got in rounds[:2]] == ["request_user_input"] * 2
    assert states(rounds[2]) == ["WORKING", "COMPLETED"]
    assert one.findings() == {}


def test_a_model_that_fails_is_told_as_failure(talk):
    one = talk("failing")
    assert states(one.say("go"))[-1] == "FAILED"


def test_a_big_conversation_comes_whole(talk):
    one = talk("loaded")
    got = one.say("Compare the prices")
    tokens = [part["data"] for result in got for part in parts(result) if "data" in part]
    count = sum(chunk["type"] in ("llm_reasoning", "llm_output") for chunk in tokens)
    assert count >= 1400
    assert states(got)[-1] == "COMPLETED"


def test_a_stream_that_stays_open_is_left_and_the_task_goes_on(talk, http):
    one = talk("open")
    with http.stream(
        "POST", one.url, json=one.body("SendStreamingMessage", one.message("Balance"))
    ) as response:
        for line in response.iter_lines():
            if "INPUT_REQUIRED" in line:
                one.task = json.loads(line[5:])["result"]["statusUpdate"]["taskId"]
                break
    assert one.call("GetTask")["result"]["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert states(one.say("4 star"))[-1] == "COMPLETED"


def test_a_client_that_leaves_does_not_stop_the_task(talk, http):
    one = talk("left")
    with http.stream("POST", one.url, json=one.body("SendStreamingMessage", one.message("go"))) as response:
        line = next(line for line in response.iter_lines() if "WORKING" in line)
        one.task = json.loads(line[5:])["result"]["statusUpdate"]["taskId"]
    with http.stream("POST", one.url, json=one.body("SubscribeToTask", {"id": one.task})) as response:
        text = "".join(response.iter_text())
    assert "TASK_STATE_COMPLETED" in text
    assert one.call("GetTask")["result"]["status"]["state"] == "TASK_STATE_COMPLETED"


def test_a_task_is_canceled_while_it_works(talk, http):
    one = talk("canceled")
    with http.stream("POST", one.url, json=one.body("SendStreamingMessage", one.message("go"))) as response:
        lines = response.iter_lines()
        line = next(line for line in lines if "WORKING" in line)
        one.task = json.loads(line[5:])["result"]["statusUpdate"]["taskId"]
        next(line for line in lines if "artifactUpdate" in line)
        answer = one.call("CancelTask")["result"]
        rest = [line for line in lines if line.startswith("data:")]
    assert answer["status"]["state"] == "TASK_STATE_CANCELED"
    assert "TASK_STATE_CANCELED" in rest[-1]


def test_the_official_client_reads_it(testbed):
    async def act() -> list[Any]:
        base = testbed.addresses["deep-research"].removesuffix("/a2a")
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            client = await create_client(base, ClientConfig(httpx_client=http))
            message = Message(
                message_id="m-1",
                role=Role.ROLE_USER,
                context_id="sdk",
                parts=[Part(text="Compare the prices")],
            )
            return [event async for event in client.send_message(SendMessageRequest(message=message))]

    events = asyncio.run(act())
    updates = [event.status_update.status.state for event in events if event.HasField("status_update")]
    assert len(updates) == 3
    text = next(
        part.text
        for event in reversed(events)
        if event.HasField("artifact_update")
        for part in event.artifact_update.artifact.parts
        if part.text
    )
    assert all(answer in text for answer in ANSWERS)
