"""ORD: the end of a stream, and states that come back (a2a.md O06 to O09)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.event import TERMINAL
from harness.rules.example import Example, artifact, message, rpc, status, task
from harness.rules.rule import place
from harness.rules.streams import OURS, Ordered

if TYPE_CHECKING:
    from harness.model.event import Event

_A2A = ("task", "message", "status", "artifact")
_SUBSCRIBE = {"jsonrpc": "2.0", "id": "r-1", "method": "SubscribeToTask", "params": {"id": "t-1"}}
_GOOD = Example((task(), status("working"), artifact("hello"), status("completed")))
_SAID = rpc({"message": message()})
GRACE_NS = 5_000_000_000
"""How long a connection may stay open after the terminal state."""


class Ord506(Ordered):
    code = "ORD506"
    slug = "reaches-an-end"
    title = "A task's stream reaches a terminal or interrupted state before it ends"
    why = (
        "No official client checks for it: a stream that just ends looks like success, with half an "
        "answer. Send the terminal "
        "state before closing, FAILED where the agent gave up."
    )
    source = "A2A 1.0 sections 3.1.2, 3.1.6, 11.7; seed 003 F8"
    PASSES = (_GOOD, Example((task(), status("input-required", "City?"))), Example((_SAID,)))
    FAILS = (Example((task(), status("working"), artifact("half an"))),)

    def missing(self) -> str | None:
        if self.scope.capture.ending in OURS and self.scope.outcome == "INCONCLUSIVE":
            return "the stream was not seen to its end"
        return super().missing()

    def end(self) -> None:
        stream = self.scope.stream
        last = stream.last_state_event or stream.first
        if self.scope.outcome == "NO_TERMINAL" and last is not None:
            state = stream.last_state or "no state at all"
            self.found(f"the stream ended in {state}", place(last, last.state_pointer or last.pointer))


class Ord507(Ordered):
    code = "ORD507"
    slug = "nothing-after-the-end"
    title = "Nothing follows the first terminal state"
    why = (
        "Clients close at the terminal state, the Java client at once: what follows is lost for some and "
        "shown by others. "
        "Send it before the state; an equal duplicate or the final Task is tolerated."
    )
    source = "A2A 1.0 sections 3.1.2, 11.7; 0.3 section 9.3"
    listens = (*_A2A, "error")
    PASSES = (_GOOD,)
    FAILS = (
        Example((task(), status("completed"), artifact("late"))),
        Example((task(), status("completed"), status("working"))),
        Example((task("failed"), status("failed")), "warning: an equal duplicate"),
    )

    def event(self, event: Event) -> None:
        end = self.scope.stream.terminal
        if end is None:
            return
        is_same = event.kind in ("status", "task") and event.state == end.state
        what = f"{event.kind} {event.state}" if event.state else event.kind
        self.found(
            f"a {what} follows the terminal state {end.state}",
            place(event, event.state_pointer or event.pointer),
            cause=is_same, severity="warning" if is_same else None,
        )  # fmt: skip


class Ord508(Ordered):
    code = "ORD508"
    slug = "closes-after-the-end"
    title = "The connection closes soon after the terminal state"
    why = (
        "A client that waits for the end of the body hangs, and servers run out of connections. Close the "
        "stream when the "
        "terminal state is sent. A client that leaves first is no fault."
    )
    source = "A2A 1.0 section 3.1.2; recorded: the Java server waits 150 ms, its client leaves first"
    needs = frozenset({"events", "raw", "timing"})
    listens = ()
    PASSES = (Example((task(), status("completed")), at_ms=(0, 10, 160)),)
    FAILS = (Example((task(), status("completed")), at_ms=(0, 10, 30_000)),)

    def missing(self) -> str | None:
        times, end = self.scope.times, self.scope.stream.terminal
        if times is None or times.closed_ns is None:
            return "when the connection closed is not known"
        if end is not None and times.of(end.frame.span.end) is None:
            return "when the terminal state came is not known"
        return super().missing()

    def end(self) -> None:
        times, end = self.scope.times, self.scope.stream.terminal
        if end is None or times is None or times.closed_ns is None:
            return
        came = times.of(end.frame.span.end)
        if came is not None and times.closed_ns - came > GRACE_NS:
            seconds = (times.closed_ns - came) / 1e9
            self.found(
                f"the connection stayed open {seconds:.1f} s after {end.state}", place(end, end.state_pointer)
            )


class Ord509(Ordered):
    code = "ORD509"
    slug = "no-regression"
    title = "No state comes back: submitted never after working, nothing after a terminal state"
    why = (
        "A state that goes back makes clients show a finished task as running. Send states in the order "
        "of the life cycle; work after a question belongs to a new turn."
    )
    source = "A2A 1.0 section 3.5.2; a2a-tck STREAM-ORDER-001"
    severity = "warning"
    listens = ("task", "status")
    PASSES = (
        _GOOD,
        Example(
            (task("input-required"), status("working"), status("completed")), "turn 2", request=_SUBSCRIBE
        ),
    )
    FAILS = (
        Example((task(), status("working"), status("submitted"), status("completed"))),
        Example((task(), status("completed"), status("working"))),
        Example(
            (task(), status("input-required", "?"), status("working"), status("completed")),
            "info: if no turn came",
        ),
    )

    def event(self, event: Event) -> None:
        stream, state = self.scope.stream, event.state
        if state is None or state == "unknown" or stream.last_state is None:
            return
        if stream.terminal is not None:
            if state not in TERMINAL:
                self._back(event, f"{state} after {stream.terminal.state}")
        elif state == "submitted" and stream.last_state != "submitted":
            self._back(event, f"{state} after {stream.last_state}")
        elif state == "working" and stream.last_state == "input-required":
            self._turn(event)

    def _back(self, event: Event, what: str) -> None:
        self.found(what, place(event, event.state_pointer))

    def _turn(self, event: Event) -> None:
        """A stream that stays open shows the next turn too: only the client knows if it sent one."""
        if self.scope.asked.operation != "subscribe":
            self.found(
                "working after input-required: right only if the client answered meanwhile",
                place(event, event.state_pointer), cause="turn", severity="info",
            )  # fmt: skip
