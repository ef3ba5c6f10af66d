"""ORD: the `final` flag of 0.2 and 0.3 (a2a.md O10 to O12). 1.0 has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.model.event import INTERRUPTED, TERMINAL
from harness.rules.example import Example, v03
from harness.rules.rule import place
from harness.rules.streams import Ordered

if TYPE_CHECKING:
    from harness.model.event import Event

_REQUEST = {"jsonrpc": "2.0", "id": "r-1", "method": "message/stream", "params": {}}


def _stream(*frames: object, note: str = "") -> Example:
    opening = v03("task", status={"state": "submitted"})
    return Example((opening, *frames), note, request=_REQUEST, request_headers=())


def _status(state: str, final: bool) -> object:
    return v03("status-update", status={"state": state}, final=final)


class Final(Ordered):
    """A rule about `final`."""

    versions = frozenset({"v0.2", "v0.3"})
    needs = frozenset({"events", "raw"})
    listens: ClassVar[tuple[str, ...]] = ("status",)


class Ord510(Final):
    code = "ORD510"
    slug = "final-is-last"
    title = "final:true stands once, on the last event"
    why = (
        "Clients of 0.3 close at `final`: what follows it is lost. Set it on the last event only. A stream "
        "that ends "
        "interrupted without it is right: both 1.3.0 SDKs write `final:false` there."
    )
    source = "A2A 0.3 types.ts, section 9.3; recorded"
    severity = "warning"
    listens = ("task", "message", "status", "artifact")
    PASSES = (
        _stream(_status("working", False), _status("completed", True)),
        _stream(_status("input-required", False), note="ends interrupted"),
    )
    FAILS = (
        _stream(_status("completed", True), _status("completed", True)),
        _stream(
            _status("completed", True), v03("artifact-update", artifact={"artifactId": "a", "parts": [{}]})
        ),
    )

    ended: Event | None = None

    def event(self, event: Event) -> None:
        if self.ended is not None:
            self.found(f"a {event.kind} follows final:true", place(event, event.pointer))
        elif event.final:
            self.ended = event


class Ord511(Final):
    code = "ORD511"
    slug = "final-means-stopped"
    title = "final:true stands on a terminal or interrupted state only"
    why = (
        "The client closes and believes a task stopped that goes on working. Set `final` when the task "
        "ends or asks, "
        "not before."
    )
    source = "A2A 0.3 section 7.2.2"
    PASSES = (_stream(_status("input-required", True)), _stream(_status("completed", True)))
    FAILS = (_stream(_status("working", True)),)

    def event(self, event: Event) -> None:
        if event.final and event.state is not None and event.state not in TERMINAL | INTERRUPTED:
            self.found(f"final:true on the state {event.state}", place(event, event.pointer + "/final"))


class Ord512(Final):
    code = "ORD512"
    slug = "end-means-final"
    title = "A terminal state has final:true"
    why = (
        "Clients of 0.3 wait for `final` and go on waiting after the task ended. Set it on the terminal "
        "state."
    )
    source = "A2A 0.3 section 9.3; REST omits only false"
    severity = "warning"
    PASSES = (_stream(_status("completed", True)),)
    FAILS = (_stream(_status("completed", False)),)

    def event(self, event: Event) -> None:
        if self.scope.stream.terminal is None and event.state in TERMINAL and not event.final:
            self.found(f"{event.state} without final:true", place(event, event.pointer))
