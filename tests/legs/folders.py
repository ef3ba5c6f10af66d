"""Run folders with all legs, as the recorder writes them: a round of a client, its model calls, its remote calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from harness import pipeline
from harness.capture.naming import Name
from harness.capture.store import Writer, write_run
from harness.model.capture import Head, Request
from harness.model.scenario import Expect, Known, Part, Scenario, ScenarioRound
from harness.model.verdict import Report
from harness.rules.example import artifact, asking, interrupt, status, tool_calls

SSE = (("content-type", "text/event-stream"), ("cache-control", "no-cache"), ("x-accel-buffering", "no"))
V1 = (("a2a-version", "1.0"), ("content-type", "application/json"))
LEGS = ("client", "search-agent", "verify-agent", "llm")
CALLS = ("call_00", "call_01")
PROMPTS = ("price of A", "price of B")
ANSWERS = ("A costs 1", "B costs 2")
OPEN = (status("submitted"), status("working"))
DONE = (artifact("A costs 1, B costs 2"), status("completed"))
HELLO = {"role": "user", "content": "hello"}
DELEGATES = tool_calls(*((call, "search-agent", prompt) for call, prompt in zip(CALLS, PROMPTS, strict=True)))


def result(call: str, text: str) -> dict[str, str]:
    return {"role": "tool", "tool_call_id": call, "content": text}


RESULTS = tuple(result(*pair) for pair in zip(CALLS, ANSWERS, strict=True))


class Exchange(NamedTuple):
    """One recorded exchange."""

    frames: tuple[Any, ...]
    leg: str = "client"
    round: int = 1
    request: Any = None
    at_ms: tuple[int, int] = (0, 100)
    scenario: str = "DA-1"
    protocol: str = "A2A_STREAM"
    ending: str = "clean"
    status: int = 200


def client(*frames: Any, **more: Any) -> Exchange:
    return Exchange(frames or (*OPEN, *DONE), request=more.pop("request", asking()), **more)


def model(*messages: Any, answer: Any = "ok", at_ms: tuple[int, int] = (1, 2), **more: Any) -> Exchange:
    """A streamed chat completion; a call comes in two pieces."""
    said = answer if isinstance(answer, dict) else {"role": "assistant", "content": answer}
    frames = [_delta({key: value for key, value in said.items() if key != "tool_calls"})]
    for number, call in enumerate(said.get("tool_calls", ())):
        text = call["function"]["arguments"]
        frames.append(
            _delta(
                {
                    "tool_calls": [
                        {**call, "index": number, "function": {**call["function"], "arguments": text[:5]}}
                    ]
                }
            )
        )
        frames.append(_delta({"tool_calls": [{"index": number, "function": {"arguments": text[5:]}}]}))
    frames.append(_delta({}, "stop"))
    tools = [{"type": "function", "function": {"name": name}} for name in LEGS[1:3]]
    request = {"model": "m", "stream": True, "messages": list(messages or (HELLO,)), "tools": tools}
    return Exchange(
        (*frames, "data: [DONE]\n\n"), "llm", request=request, at_ms=at_ms, protocol="LLM", **more
    )


def _delta(said: Any, finish: str | None = None) -> Any:
    return {"choices": [{"index": 0, "delta": said, "finish_reason": finish}]}


def remote(number: int, at_ms: tuple[int, int], *, leg: str = "search-agent", **more: Any) -> Exchange:
    """A remote call in a child context of the call `number`, as the Java runtime names it."""
    ids = {"task": f"rt-{number}", "context": f"c-1_batch_{CALLS[number]}"}
    frames = (status("submitted", **ids), status("working", **ids), artifact(ANSWERS[number], **ids))
    frames = more.pop("frames", (*frames, status("completed", **ids)))
    request = more.pop("request", asking(PROMPTS[number], ids["context"]))
    return Exchange(frames, leg, request=request, at_ms=at_ms, **more)


GREEN = (
    client(),
    model(answer=DELEGATES, at_ms=(1, 2)),
    remote(0, (10, 40)),
    remote(1, (11, 39)),
    model(HELLO, DELEGATES, *RESULTS, at_ms=(50, 60)),
)
"""Two delegations in one turn, two calls at the same time, two results."""


def write(folder: Path, *exchanges: Exchange, **facts: Any) -> str:
    """A run folder of `exchanges`; the path."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in exchanges:
        _write(folder, one)
    legs = facts.pop("legs", LEGS)
    facts = {"legs": [{"name": leg, "upstream": "http://x", "listen": None} for leg in legs], **facts}
    write_run(str(folder), {"id": folder.name, "started": "", "ended": "", **facts})
    return str(folder)


def _write(folder: Path, one: Exchange) -> None:
    began, ended = (at * 1_000_000 for at in one.at_ms)
    body = one.request if isinstance(one.request, str) else json.dumps(one.request)
    request = Request("POST", "/v1/chat/completions" if one.leg == "llm" else "/a2a", V1, body)
    with Writer(str(folder), Name(one.scenario, one.protocol, one.round, one.leg), request, began) as writer:
        if one.ending != "refused":
            writer.response(Head(one.status, SSE), began)
            for frame in one.frames:
                text = frame if isinstance(frame, str) else f"data: {json.dumps(frame)}\n\n"
                writer.chunk(ended, text.encode())
        writer.seal(one.ending, ended)  # type: ignore[arg-type]


def leak(prompt: str = PROMPTS[0], call: str = CALLS[0]) -> Any:
    """The mirror of one delegation on the content channel (seed 000, section 2.1)."""
    value = {
        "toolCallId": call,
        "toolName": "search-agent",
        "message": prompt,
        "context": {"_interrupt_kind": "a2a_delegate", "agentName": "search-agent"},
    }
    payload = {
        "type": "task_interaction",
        "data": [{"data": {"type": "__interaction__", "payload": {"id": call, "value": value}}}],
    }
    return artifact(
        {"data": {"type": "controller_output", "index": 0, "payload": payload}}, id=f"leak-{call}"
    )


def proxy(call: str = CALLS[0]) -> Any:
    item = {"toolCallId": call, "toolName": "search-agent", "message": "Which market?"}
    return interrupt({"message": "Which market?", "items": [item]}, "Which market?")


def plan(*rounds: Any, known: Any = None, name: str = "DA-1", **more: Any) -> Scenario:
    """A scenario; each round is an `Expect`, or a pair of what is set of the round and one."""
    made = []
    for number, one in enumerate(rounds, 1):
        said, expect = one if isinstance(one, tuple) and not isinstance(one, Expect) else ({}, one)
        made.append(
            ScenarioRound(number, (Part(text=said.pop("text", "hello")),), number == 1, expect=expect, **said)
        )
    found = tuple(Known(defects, tuple(counts.items())) for defects, counts in (known or {}).items())
    return Scenario(name, f"{name}.scenario.yaml", 3, "deep-research", tuple(made), known=found, **more)


def check(path: str, *plans: Scenario, **options: Any) -> Report:
    return pipeline.check([path], pipeline.Options(scenarios=plans, **options))


def found(report: Report) -> dict[str, list[str]]:
    """Messages by code, of STEER, DEL and SCN and whatever else is no info."""
    all_of = [f for round in report.rounds for f in round.findings] + [g.finding for g in report.findings]
    made: dict[str, list[str]] = {}
    for one in all_of:
        if one.severity != "info" or one.rule.startswith("DEL"):
            made.setdefault(one.rule, []).append(one.message)
    return made


def lacking(report: Report) -> dict[str, str]:
    """Reasons by code, of STEER, DEL and SCN."""
    entries = [*report.not_checked, *(entry for round in report.rounds for entry in round.not_checked)]
    return {one.rule: one.reason for one in entries if one.rule.startswith(("STEER", "DEL", "SCN"))}
