"""Rounds built by hand for the tests of `harness.rules`: events, scopes, facts, a rule that does as told."""

from __future__ import annotations

from typing import Any

from harness.a2a.request import Asked
from harness.a2a.stream import Stream
from harness.model.capture import Capture, Head
from harness.model.event import Event
from harness.model.frame import Frame, Span
from harness.model.interaction import Interaction, Place, Sighting
from harness.rules.contracts import Contract
from harness.rules.engine import Selection
from harness.rules.facts import RoundFacts
from harness.rules.rule import Rule
from harness.rules.scope import Scope


def event(kind: Any = "status", number: int = 1, **more: Any) -> Event:
    """One v1.0 JSON-RPC event of task t-1 whose frame has the bytes [10n, 10n+10)."""
    frame = Frame(number, Span(number * 10, number * 10 + 10), "{}")
    more = {
        "dialect": "v1.0",
        "binding": "jsonrpc",
        "task_id": "t-1",
        "context_id": "c-1",
        "body": {},
        **more,
    }
    return Event(frame, kind, **more)


def stream_of(*events: Event) -> Stream:
    stream = Stream()
    for one in events:
        stream.take(one)
    return stream


def capture(**more: Any) -> Capture:
    more = {"head": Head(200), "ending": "clean", **more}
    return Capture("a.sse", "a.sse", more.pop("framing", "sse"), **more)


def scope(*events: Event, asked: Asked | None = None, **more: Any) -> Scope:
    """A scope at the end of a stream of `events`."""
    made = Scope(capture(**more), asked or Asked(known=True, has_id=True), stream_of(*events))
    if events:
        made.dialect, made.binding = events[0].dialect, events[0].binding
    return made


def place(number: int = 1, pointer: str = "/x") -> Place:
    return Place(number, pointer, Span(number * 10, number * 10 + 10))


def sighting(
    kind: Any = "delegation", channel: Any = "content", exposure: Any = "leaked", **more: Any
) -> Sighting:
    more = {"place": place(), "shape": "s", "tool_call_id": "call_00", "task_id": "t-1", **more}
    return Sighting(kind, channel, exposure, **more)


def interaction(*sightings: Sighting) -> Interaction:
    one = sightings[0]
    return Interaction(
        one.kind, one.channel, one.exposure, one.tool_call_id, one.tool_name, one.agent, one.prompt,
        one.shape, one.task_id, sightings,
    )  # fmt: skip


def facts(**more: Any) -> RoundFacts:
    """The facts of a first round of scenario S-1 on the client leg."""
    base: dict[str, Any] = {
        "source": "a.sse", "group": "run", "scenario": "S-1", "round": 1, "leg": "client", "topology": None,
        "dialect": "v1.0", "outcome": "COMPLETED", "task_id": "t-1", "context_id": "c-1", "asked": True,
        "asked_task": None, "asked_context": None, "opened": True, "recognised": True, "place": place(),
        "interactions": (), "remotes": (),
    }  # fmt: skip
    base["answers"] = more.get("asked_task") is not None
    return RoundFacts(**{**base, **more})


def contract(tags: Any = None, **words: Any) -> Contract:
    return Contract("test", "", words, tags or {})


def rule(code: str = "ORD501", **members: Any) -> type[Rule]:
    """A rule class with the given class values and hooks."""
    base = {"code": code, "slug": "s", "title": "t", "why": "w", "source": "x"}
    return type("Made", (Rule,), {**base, **members})


def selection(*rules: type[Rule], across: tuple[type[Rule], ...] = (), **words: Any) -> Selection:
    """Every rule weighs what it states itself, unless `words` say otherwise."""
    said = {one.code: "table" for one in (*rules, *across)}
    return Selection(contract(**{**said, **words}), rules, across)
