"""Which events are pieces of a text, in which of three ways."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.diff.tokens import token
from harness.model.capture import Capture
from harness.model.frame import Frame, Span
from tests.diff.streams import artifact, mirror, status
from tests.diff.streams import token as chunk

CORE = {"type": "llm_output", "index": 0, "payload": {"content": "hi"}}


def said(value: dict[str, Any], *, bare: bool = False) -> tuple[str, str, str] | None:
    data = json.dumps(value if bare else {"jsonrpc": "2.0", "id": "r", "result": value})
    capture = Capture("s", "s", "sse")
    found = token(Reader(capture, asked(capture)).read(Frame(1, Span(0, 1), data)))
    return None if found is None else (found.way, found.text, found.label)


REMOTE = {"text": "out", "metadata": {"_remote_invocation": {"toolCallId": "call_1"}}}


def public(kind: str) -> dict[str, Any]:
    """What a G3 runtime says openly (openJiuwen facts, section 1)."""
    update = artifact({"text": "out"}, "remote:s:t:1", append=False, lastChunk=True)
    update["artifactUpdate"]["artifact"]["metadata"] = {
        "agentEvent": {"type": kind, "source": {"taskId": "t"}}
    }
    return update


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (chunk("hi"), ("core", "hi", "llm_output")),
        (artifact({"text": json.dumps(CORE)}, "a"), ("core", "hi", "llm_output")),
        (artifact({"data": {"data": CORE}}, "a"), ("core", "hi", "llm_output")),
        (artifact({"text": "hi"}, "a"), ("artifact", "hi", "text")),
        (artifact({"text": '{"type": 5}'}, "a"), ("artifact", '{"type": 5}', "text")),
        (artifact(REMOTE, "a"), ("remote", "out", "remote output")),
        (public("output"), ("remote", "out", "agentEvent output")),
        (public("status"), ("artifact", "out", "agentEvent status")),
        (artifact({"data": {"a": 1}}, "a"), None),
        (artifact({"data": {"type": "llm_usage", "payload": {"n": 1}}}, "a"), None),
        (artifact({"url": "http://x"}, "a"), None),
        (mirror([("call_1", "t", "p")]), None),
        (status("WORKING"), None),
    ],
)
def test_token(value: dict[str, Any], wanted: tuple[str, str, str] | None) -> None:
    assert said(value) == wanted


def test_bare_chunks() -> None:
    assert said(CORE, bare=True) == ("core", "hi", "llm_output")
    assert said({"type": "answer", "payload": {"output": "x"}}, bare=True) is None
