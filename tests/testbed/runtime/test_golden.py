"""The runtime's frames are those of the recorded Java runtime, once ids and times are masked."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.testbed.core.chunks import answer
from harness.testbed.plan import Plan
from harness.testbed.runtime.frames import Place, envelope, sse, status_update
from harness.testbed.runtime.projection import Remote
from harness.testbed.runtime.remote import Reply
from tests.testbed.runtime.fakes import Client, FakeCore, FakeRemotes, delegation

GOLDEN = Path(__file__).parents[3] / "captures/golden/openjiuwen-on-java-sdk"
ASKS = Reply("INPUT_REQUIRED", "rt-1")


def masked(text: str) -> list[str]:
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6,9}Z", "TIME", text)
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text)
    return re.sub(r"batch-[0-9a-f]+", "BATCH", text).split("\n\n")


def recorded(name: str) -> str:
    return (GOLDEN / f"oj_{name}.body").read_text()


def payloads(name: str) -> list[dict[str, Any]]:
    """The chunks behind a recorded stream: its parts, and what its interrupt was made of."""
    frames = [
        json.loads(line[5:])["result"] for line in recorded(name).split("\n") if line.startswith("data:")
    ]
    return [chunk for frame in frames for chunk in (*content(frame), *asked(frame))]


def content(frame: dict[str, Any]) -> list[dict[str, Any]]:
    made = frame.get("artifactUpdate", {}).get("artifact", {})
    if made.get("metadata"):
        return [answer(made["parts"][0]["text"])]
    return [part.get("data") or json.loads(part["text"]) for part in made.get("parts", [])]


def asked(frame: dict[str, Any]) -> list[dict[str, Any]]:
    message = frame.get("statusUpdate", {}).get("status", {}).get("message", {})
    found = message.get("metadata", {}).get("_interrupt", {})
    return [
        {key: one[key] for key in ("type", "index", "payload")} for one in found.get("items", [found]) if one
    ]


class Case(NamedTuple):
    name: str
    chunks: list[list[Any]] | None = None
    """None: those of the recorded stream."""
    plan: Plan = Plan()
    remotes: Callable[[], FakeRemotes] = FakeRemotes


CASES = [
    Case("plain"),
    Case("tokens_g1_textpart", plan=Plan(generation="G1")),
    Case("native_request_user_input"),
    Case("native_ask_user_rail"),
    Case("native_confirm"),
    Case("native_batch2"),
    Case("leak_controller_output_v1_three_frames"),
    Case("leak_controller_output_v2"),
    Case("leak_g1_textpart_string", plan=Plan(generation="G1")),
    Case("leak_python_task_completion"),
    Case("failed_structured", [[RuntimeError("the core is broken")]]),
    Case("false_completed_answer_error", plan=Plan(defects=frozenset({"failure-as-answer"}))),
    Case(
        "proxy_interrupt_masked_g2",
        [[delegation("call_00_Vv1", "versatile-adapter", "trains")]],
        remotes=lambda: FakeRemotes(ASKS, output=[Remote("rt-1", "o1", "Searching trains")]),
    ),
    Case(
        "proxy_interrupt_masked_multi",
        [[delegation("call_00_Vv1", "hotel-agent", "h"), delegation("call_01_Vv2", "flight-agent", "f")]],
        remotes=lambda: FakeRemotes(
            ASKS._replace(prompt="Which hotel class?"), ASKS._replace(prompt="Which airline?")
        ),
    ),
    Case(
        "remote_events_g3_agentEvent",
        [[delegation("call_00_Zx0AbC", "search-agent", "price of A")], [answer("A=1")]],
        Plan(generation="G3"),
        lambda: FakeRemotes(
            Reply("COMPLETED", "rt-1", value="A costs 1"),
            output=[Remote("rt-1", "o1", "A costs 1", append=True, last_chunk=False)],
        ),
    ),
]
ELSEWHERE = {"canceled", "failed_older"}
"""Compared in tests of their own below."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_stream_is_the_recorded_one(case, monkeypatch):
    monkeypatch.setattr("traceback.print_exc", lambda: None)

    async def play() -> str:
        chunks = case.chunks if case.chunks is not None else [payloads(case.name)]
        async with Client(FakeCore(*chunks), case.remotes(), case.plan) as client:
            return (await client.stream()).text

    assert masked(asyncio.run(play())) == masked(recorded(case.name))


def test_a_canceled_stream_is_the_recorded_one():
    async def play() -> str:
        working = asyncio.Event()
        async with Client(FakeCore([*payloads("canceled"), working])) as client:
            stream = asyncio.create_task(client.stream())
            while not client.orchestrator.tasks.all():
                await asyncio.sleep(0)
            await asyncio.sleep(0.05)
            [task] = client.orchestrator.tasks.all()
            answer = await client.call("CancelTask", {"id": task.place.task_id})
            assert answer.json()["result"]["status"]["state"] == "TASK_STATE_CANCELED"
            return (await stream).text

    assert masked(asyncio.run(play())) == masked(recorded("canceled"))


def test_the_older_failure_is_the_recorded_one():
    place = Place("3e20f478-4808-4fbb-93a6-5e5731b5bde0", "ctx-demo-01")
    results = [status_update(place, state) for state in ("SUBMITTED", "WORKING", "FAILED")]
    text = b"".join(sse(envelope("req-7", result)) for result in results).decode()
    assert masked(text) == masked(recorded("failed_older"))


def test_every_recorded_stream_is_compared():
    found = {path.stem.removeprefix("oj_") for path in GOLDEN.glob("oj_*.body")}
    assert found == {case.name for case in CASES} | ELSEWHERE
