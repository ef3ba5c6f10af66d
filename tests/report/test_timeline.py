"""A timeline collapses what differs in tokens only, and marks what matters."""

from __future__ import annotations

from typing import Any

import pytest

from harness.model.event import Event
from harness.model.frame import Frame, Span
from harness.model.interaction import Mark, Sighting
from harness.report.eventlabel import label
from harness.report.timeline import Seen, lines, steps, value
from harness.report.view import View
from tests.report.values import place


def event(number: int, kind: Any = "artifact", *parts: Any, **more: Any) -> Event:
    body = {"artifact": {"artifactId": "a", "parts": list(parts)}} if parts else None
    return Event(Frame(number, Span(number * 10, number * 10 + 10), "{}"), kind, body=body, **more)


def token(text: str, kind: str = "llm_output") -> dict[str, Any]:
    return {"data": {"type": kind, "index": 1, "payload": {"content": text}}}


def test_tokens_of_one_kind_are_one_step() -> None:
    stream = [
        Seen(event(1, "status", state="working")),
        *(Seen(event(n, "artifact", token("abcd"))) for n in range(2, 12)),
        *(Seen(event(n, "artifact", token("ab", "llm_reasoning"))) for n in range(12, 14)),
        Seen(event(14, "status", state="completed")),
    ]
    told = [(one.first, one.last, one.size, one.label, one.chars, one.span) for one in steps(stream)]
    assert told == [
        (1, 1, 1, "", 0, (10, 20)),
        (2, 11, 10, "llm_output", 40, (20, 120)),
        (12, 13, 2, "llm_reasoning", 4, (120, 140)),
        (14, 14, 1, "", 0, (140, 150)),
    ]


def test_what_matters_stands_alone() -> None:
    sighting = Sighting(
        "delegation",
        "content",
        "leaked",
        place(),
        "core",
        tool_call_id="c1",
        tool_name="search-agent",
        agent="search-agent",
    )
    mark = Mark("internal-key", "content", place(), "runtime", text="runtime.x")
    stream = [
        Seen(event(1, "artifact", token("a"))),
        Seen(event(2, "artifact", token("a")), (sighting,)),
        Seen(event(3, "artifact", token("a")), (), (mark,)),
        Seen(event(4, "artifact", token("a"))),
    ]
    told = list(steps(stream))
    assert [one.size for one in told] == [1, 1, 1, 1]
    text = "\n".join(line for one in told for line in lines(one, View(100)))
    assert "! leaked delegation on content  c1 search-agent  [core]" in text
    assert "* internal-key  runtime.x" in text
    assert value(told[1])["interactions"][0]["tool_call_id"] == "c1"


def test_errors_and_foreign_frames_are_never_collapsed() -> None:
    stream = [Seen(event(n, "malformed", reason="no JSON")) for n in (1, 2)]
    assert [one.size for one in steps(stream)] == [1, 1]


def test_a_state_that_is_said_again_with_the_same_words_is_one_step() -> None:
    same = [Seen(event(n, "status", state="working", text="on it")) for n in (1, 2, 3)]
    other = Seen(event(4, "status", state="working", text="nearly"))
    assert [one.size for one in steps([*same, other])] == [3, 1]


@pytest.mark.parametrize(
    ("parts", "name", "chars"),
    [
        ((token("abc"),), "llm_output", 3),
        (({"text": "plain"},), "text", 5),
        (({"kind": "text", "text": "plain"},), "text", 5),
        (({"text": '{"type":"llm_output","index":0,"payload":{"content":"abc"}}'},), "llm_output", 3),
        (({"text": '{"a":1}'},), "text, JSON inside", 7),
        (
            ({"data": {"type": "controller_output", "payload": {"type": "task_interaction", "data": []}}},),
            "controller_output task_interaction",
            0,
        ),
        (({"data": {"data": {"type": "answer", "payload": {"output": "42"}}}},), "answer", 2),
        (({"data": [1]},), "data", 0),
        (({"raw": "AA=="},), "file", 0),
        (({"text": "a"}, {"text": "bc"}), "text (+1)", 3),
        ((7,), "part", 0),
    ],
)
def test_labels(parts, name: str, chars: int) -> None:
    assert label(event(1, "artifact", *parts)) == (name, chars)


@pytest.mark.parametrize("artifact", [None, 7, {}, {"parts": []}, {"parts": 7}])
def test_odd_artifacts_have_labels_too(artifact: Any) -> None:
    label(Event(Frame(1, Span(0, 1), ""), "artifact", body={"artifact": artifact}))


def test_a_declared_delegation_is_named() -> None:
    artifact = {
        "artifactId": "x",
        "parts": [{"text": "do"}],
        "metadata": {"agentEvent": {"type": "delegation"}},
    }
    assert label(Event(Frame(1, Span(0, 1), ""), "artifact", body={"artifact": artifact})) == (
        "agentEvent delegation",
        2,
    )


def test_a_core_chunk_is_named_by_its_type() -> None:
    chunk = {"type": "llm_output", "index": 3, "payload": {"content": "abc"}}
    assert label(Event(Frame(1, Span(0, 1), ""), "chunk", body=chunk)) == ("llm_output", 3)
