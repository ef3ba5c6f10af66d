"""Examples of rules as captures, judged by the whole flow: frames to report, every rule as it states itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness import pipeline, topologies, waivers
from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.mapping.load import load as load_mapping
from harness.model.capture import Capture, Head, Request
from harness.rules import registry
from harness.rules.contracts import Contract
from harness.rules.engine import select
from harness.rules.example import REQUEST_ID, Example
from harness.rules.waived import TODAY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness.model.verdict import Report
    from harness.rounds import Judged

ALL = Contract("examples", "every rule weighs what it states", dict.fromkeys(registry.FAMILIES, "table"), {})
OPTIONS = pipeline.Options(today=TODAY)
KIT = pipeline.Kit(load_mapping(()), select(ALL), topologies.load(), OPTIONS.max_line, lanes=True)
DEFAULT_REQUEST = {
    "jsonrpc": "2.0",
    "id": REQUEST_ID,
    "method": "SendStreamingMessage",
    "params": {"message": {"messageId": "m-0", "role": "ROLE_USER", "parts": [{"text": "hello"}]}},
}


def judge(example: Example, folder: Path) -> Report:
    """The report on the example and on the rounds that stand in its `then`."""
    judged: list[Judged] = []
    captures: list[Capture] = []
    for number, each in enumerate((example, *example.then)):
        below = folder / f"example-{number}"
        below.mkdir(parents=True)
        capture = _recorded(each, below) if each.at_ms else _written(each, below)
        if each.leg != "client":
            capture = capture._replace(source=f"{capture.source}.{number}")
        judged += pipeline.judge_capture(capture, KIT)
        captures += [capture, *_cards(each, below), *_models(each, below)]
    kit = KIT._replace(waivers=waivers.parse(example.waivers, "waivers.yaml") if example.waivers else ())
    plans = (example.plan,) if example.plan else ()
    options = OPTIONS._replace(scenarios=plans, defects="as-reported")
    return pipeline.report(judged, kit, options, captures=captures)


def codes(report: Report) -> set[str]:
    """Every code that the report finds, and those that a finding names as stating the same breach."""
    findings = [f for round in report.rounds for f in round.findings] + [g.finding for g in report.findings]
    said = {f.rule for f in findings}
    for contract_rule, protocol_rule in registry.SHADOWS:
        if any(f.rule == contract_rule and protocol_rule in f.names for f in findings):
            said.add(protocol_rule)
    return said


def unchecked(report: Report) -> dict[str, str]:
    """Code to reason of what could not be checked, in any round."""
    entries = [*report.not_checked, *(entry for round in report.rounds for entry in round.not_checked)]
    return {entry.rule: entry.reason for entry in entries}


def _written(example: Example, folder: Path) -> Capture:
    """The example with its body in a file, since some captures are read twice."""
    path = folder / "body"
    path.write_bytes(b"".join(pieces(example)))
    return _capture(example)._replace(path=str(path))


def _cards(example: Example, folder: Path) -> list[Capture]:
    """The card that was recorded beside the example, as the recorder calls it."""
    if example.card is None:
        return []
    path = folder / "card"
    path.write_text(json.dumps(example.card), encoding="utf-8")
    request = Request("GET", "/.well-known/agent-card.json")
    return [
        Capture(
            "card", str(path), "document", protocol="OTHER", leg=example.leg, request=request,
            head=Head(200, (("content-type", "application/json"),)), group="run",
        )
    ]  # fmt: skip


def _models(example: Example, folder: Path) -> Iterator[Capture]:
    """The model calls that were recorded in the example's round."""
    for number, one in enumerate(example.models, 1):
        name = Name(example.scenario, "LLM", example.round, "llm")
        tools = [{"type": "function", "function": {"name": tool}} for tool in one.tools]
        body = json.dumps({"model": "m", "messages": one.messages, "tools": tools})
        request = Request("POST", "/v1/chat/completions", (), body)
        said = one.answer if isinstance(one.answer, dict) else {"role": "assistant", "content": one.answer}
        answer = json.dumps({"choices": [{"index": 0, "message": said, "finish_reason": "stop"}]})
        began, ended = (at * 1_000_000 for at in one.at_ms)
        below = folder / f"model-{number}"
        below.mkdir()
        with Writer(str(below), name, request, began) as writer:
            writer.response(Head(200, (("content-type", "application/json"),)), began)
            writer.chunk(ended, answer.encode())
            writer.seal("clean", ended)
        [found] = pipeline.find([str(below)], stdin=None, max_line=OPTIONS.max_line).captures
        yield found._replace(source=f"{example.scenario}-LLM-r{example.round}.llm.{number}", group="run")


def _capture(example: Example) -> Capture:
    source = f"{example.scenario}-r{example.round}.{example.leg}"
    head = None if example.status is None else Head(example.status, example.headers)
    framing: Any = example.framing
    ending: Any = example.ending
    return Capture(
        source, "", framing, scenario=example.scenario, topology=example.topology, round=example.round,
        leg=example.leg, request=_request(example), head=head, ending=ending, group="run",
    )  # fmt: skip


def _recorded(example: Example, folder: Path) -> Capture:
    """A timed example goes through the recorder's files, since times stand in the journal only."""
    *times, closed = example.at_ms
    request, name = _request(example) or Request(), Name(example.scenario, None, example.round, example.leg)
    sent = times[0] * 1_000_000
    with Writer(str(folder), name, request, sent) as writer:
        writer.response(Head(example.status, example.headers), sent)
        for at_ms, piece in zip(times, pieces(example), strict=True):
            writer.chunk(at_ms * 1_000_000, piece)
        writer.seal(example.ending, closed * 1_000_000)
    [found] = pipeline.find([str(folder)], stdin=None, max_line=OPTIONS.max_line).captures
    return found._replace(source=_capture(example).source, group="run")


def _request(example: Example) -> Request | None:
    if example.request is None:
        known = example.target != Example(()).target
        return Request("GET", example.target, example.request_headers) if known else None
    value = DEFAULT_REQUEST if example.request == "default" else example.request
    body = value if isinstance(value, str) else json.dumps(value)
    return Request("POST", example.target, example.request_headers, body)


def pieces(example: Example) -> Iterator[bytes]:
    """The body, a piece for each frame."""
    for frame in example.frames:
        text = frame if isinstance(frame, str) else _printed(frame, example.framing)
        yield text.encode("utf-8", "surrogateescape")


def _printed(frame: Any, framing: str) -> str:
    text = json.dumps(frame, ensure_ascii=False)
    return {"sse": f"data: {text}\n\n", "jsonl": f"{text}\n"}.get(framing, text)
