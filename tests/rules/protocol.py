"""The protocol rules on one stream, driven without pipeline, mapping or files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.a2a.stream import Stream
from harness.judge import outcome
from harness.model.capture import Capture, Head, Request
from harness.model.finding import Finding
from harness.model.frame import Frame, Rest
from harness.rules import registry
from harness.rules.contracts import Contract
from harness.rules.engine import Engine, select
from harness.rules.example import REQUEST_ID, Example
from harness.rules.scope import Scope, Times
from harness.wire import decoder

FAMILIES = ("HTTP", "SSE", "RPC", "SHP", "ORD", "IDS", "ART", "MUL", "NEG")
TABLE = Contract(
    "protocol", "all protocol rules as they weigh themselves", dict.fromkeys(FAMILIES, "table"), {}
)
SELECTION = select(TABLE)
SEND = {"jsonrpc": "2.0", "id": REQUEST_ID, "method": "SendStreamingMessage", "params": {"message": {}}}


class Judged(NamedTuple):
    findings: dict[str, Finding]
    """By code; of several with one code, the gravest."""
    not_checked: dict[str, str]

    def weight(self, code: str) -> str | None:
        return self.findings[code].severity if code in self.findings else None

    def errors(self) -> set[str]:
        return {code for code, finding in self.findings.items() if finding.severity == "error"}


def body_of(frames: Iterable[Any], framing: str) -> list[bytes]:
    form = {"sse": "data: {}\n\n", "jsonl": "{}\n"}.get(framing, "{}")
    texts = (
        f if isinstance(f, str) else form.replace("{}", json.dumps(f, ensure_ascii=False)) for f in frames
    )
    return [text.encode("utf-8", "surrogateescape") for text in texts]


def judge(example: Example, **capture: Any) -> Judged:
    """The example judged by every protocol rule."""
    body = body_of(example.frames, example.framing)
    times = None
    if example.at_ms:
        ends = list(accumulate(len(piece) for piece in body))
        times = Times([ms * 1_000_000 for ms in example.at_ms[:-1]], ends, example.at_ms[-1] * 1_000_000)
    request = SEND if example.request == "default" else example.request
    text = request if request is None or isinstance(request, str) else json.dumps(request)
    has_target = example.target != "/"
    made = Capture(
        "c", "c", example.framing,  # type: ignore[arg-type]
        request=None if request is None and not has_target
        else Request("POST", example.target, example.request_headers, text),
        head=None if example.status is None else Head(example.status, example.headers),
        ending=example.ending, timed=times is not None, leg=example.leg,  # type: ignore[arg-type]
    )._replace(**capture)  # fmt: skip
    return judge_capture(made, b"".join(body), times)


def judge_capture(capture: Capture, body: bytes, times: Times | None = None) -> Judged:
    """A capture and the bytes of its body."""
    decode = decoder(capture.framing)
    frames: list[Frame] = decode.feed(body)
    last, rest = decode.finish()
    return judge_frames(capture, [*frames, *last], rest, times)


def judge_frames(
    capture: Capture, frames: list[Frame], rest: Rest | None, times: Times | None = None
) -> Judged:
    stream, ask = Stream(), asked(capture)
    reader, scope = Reader(capture, ask), Scope(capture, ask, stream)
    scope.dialect, scope.binding, scope.times = ask.dialect, ask.binding, times
    engine = Engine(SELECTION, scope)
    for frame in frames:
        event = reader.read(frame)
        scope.dialect = stream.dialect or event.dialect or scope.dialect
        scope.binding = stream.binding or event.binding or scope.binding
        engine.event(event)
        stream.take(event)
        scope.dialect = stream.dialect or scope.dialect
    scope.rest = rest
    is_empty = not frames and (rest is None or rest.tail is None)
    scope.outcome = outcome(stream, capture, recognised=stream.recognised, body_empty=is_empty, asked=ask)
    findings, not_checked = engine.finish()
    grave = {"error": 2, "warning": 1, "info": 0}
    ordered = sorted(findings, key=lambda finding: grave[finding.severity])
    return Judged({f.rule: f for f in ordered}, {n.rule: n.reason for n in not_checked})


def examples(family: str) -> list[tuple[str, str, Example]]:
    """(code, PASSES or FAILS, example) of every rule that one stream can be judged by."""
    return [
        (rule.code, kind, example)
        for rule in registry.rules(registry.FAMILIES[family].codes)
        if not rule.needs & {"rounds"}
        for kind in ("PASSES", "FAILS")
        for example in getattr(rule, kind)
        if not example.then
    ]
