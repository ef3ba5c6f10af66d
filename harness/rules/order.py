"""ORD: how a stream opens, and what may stand in it (a2a.md O01 to O05).

Its end stands in `harness.rules.order_end`, 0.3 `final` in `harness.rules.order_final`. A stream may
stay open at an interrupted state or close there: the specification allows both, neither is a finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.event import INTERRUPTED, TERMINAL
from harness.rules.example import Example, artifact, message, rpc, rpc_error, status, task
from harness.rules.order_end import Ord506, Ord507, Ord508, Ord509
from harness.rules.order_final import Ord510, Ord511, Ord512
from harness.rules.rule import Rule, place
from harness.rules.streams import Ordered

if TYPE_CHECKING:
    from harness.model.event import Event

_V1 = frozenset({"v1.0"})
_A2A = ("task", "message", "status", "artifact")
_SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
_TURN_2 = {
    "jsonrpc": "2.0",
    "id": "r-1",
    "method": "SendStreamingMessage",
    "params": {"message": {"taskId": "t-1"}},
}
_GOOD = Example((task(), status("working"), artifact("hello"), status("completed")))
_SAID = rpc({"message": message()})
_STOPS = TERMINAL | INTERRUPTED


class Ord501(Ordered):
    code = "ORD501"
    slug = "opens-with-task"
    title = "A stream opens with a Task or a Message"
    why = (
        "A client learns the task's id and state from the opening Task; without it it must guess them from "
        "the first "
        "update. Send the Task first. The official Java SDK opens with a statusUpdate."
    )
    source = "A2A 1.0 sections 3.1.2, 11.7"
    severity = {"v1.0": "warning", "v0.3": "info", "v0.2": "info"}  # noqa: RUF012
    PASSES = (_GOOD, Example((_SAID,)))
    FAILS = (
        Example((status("submitted"), status("completed"))),
        Example((status("working"), status("completed")), "info: a continued task", request=_TURN_2),
    )

    def event(self, event: Event) -> None:
        if self.scope.stream.first is None and event.kind not in ("task", "message"):
            if self.scope.asked.operation == "subscribe":
                return
            milder = "info" if self.scope.asked.task_id else None
            self.found(
                f"the stream opens with a {event.kind} update", place(event, event.pointer), severity=milder
            )


class Ord502(Ordered):
    code = "ORD502"
    slug = "subscription-opens-with-task"
    title = "A subscription opens with a Task"
    why = (
        "The snapshot tells the subscriber what it missed: without it the chunks before the subscription "
        "are lost. "
        "Send the Task as it stands, then what follows."
    )
    source = "A2A 1.0 section 3.1.6; 0.3 leaves it open"
    severity = {"v1.0": "error", "v0.3": "warning", "v0.2": "warning"}  # noqa: RUF012
    PASSES = (Example((task("working"), status("completed")), request=_SUBSCRIBE),)
    FAILS = (Example((status("working"), status("completed")), request=_SUBSCRIBE),)

    def missing(self) -> str | None:
        if self.scope.asked.operation is None:
            return "whether the stream is a subscription is not known"
        return super().missing()

    def event(self, event: Event) -> None:
        if (
            self.scope.asked.operation == "subscribe"
            and self.scope.stream.first is None
            and event.kind != "task"
        ):
            self.found(f"the subscription opens with a {event.kind}", place(event, event.pointer))


class Ord503(Ordered):
    code = "ORD503"
    slug = "one-message"
    title = "A stream that opens with a Message is that one Message"
    why = (
        "A Message is a whole answer: clients close after it and never see what follows. For more than one "
        "answer "
        "open a Task."
    )
    source = "A2A 1.0 section 3.1.2"
    versions = _V1
    listens = (*_A2A, "error")
    PASSES = (Example((_SAID,)), _GOOD)
    FAILS = (Example((_SAID, _SAID)), Example((_SAID, status("working"))), Example((_SAID, rpc_error())))

    def event(self, event: Event) -> None:
        first = self.scope.stream.first
        if first is not None and first.kind == "message":
            self.found(f"a {event.kind} follows the Message", place(event, event.pointer))


class Ord504(Ordered):
    code = "ORD504"
    slug = "no-message-in-task"
    title = "A task's stream has no Message"
    why = (
        "Clients that follow a task do not show Messages in it; the Python and JavaScript servers refuse "
        "them. "
        "Say it in a status message or an artifact."
    )
    source = "A2A 1.0 section 3.1.2; a2a-sdk 0.3.26 sends it"
    severity = {"v1.0": "error", "v0.3": "warning", "v0.2": "warning"}  # noqa: RUF012
    listens = ("message",)
    PASSES = (_GOOD, Example((_SAID,)))
    FAILS = (Example((task(), _SAID, status("completed"))),)

    def event(self, event: Event) -> None:
        first = self.scope.stream.first
        if first is not None and first.kind != "message":
            self.found("a Message stands in the stream of a task", place(event, event.pointer))


class Ord505(Ordered):
    code = "ORD505"
    slug = "one-task"
    title = "After the opening, a Task comes only as the last snapshot, with the state that was told"
    why = (
        "A Task replaces all that the client has: a stale one undoes what was shown. Send updates, and at "
        "the end at "
        "most the Task as it is."
    )
    source = "A2A 1.0 section 11.7"
    severity = "warning"
    listens = ("task",)
    PASSES = (_GOOD, Example((task(), status("completed"), task("completed"))))
    FAILS = (Example((task(), task("working"), status("completed"))),)

    def event(self, event: Event) -> None:
        stream = self.scope.stream
        if stream.first is None or (event.state == stream.last_state and (event.state or "") in _STOPS):
            return
        self.found(f"a Task in state {event.state} after {stream.last_state}", place(event, event.pointer))


RULES: tuple[type[Rule], ...] = (
    Ord501, Ord502, Ord503, Ord504, Ord505, Ord506, Ord507, Ord508, Ord509, Ord510, Ord511, Ord512,
)  # fmt: skip
