"""END: how a round ended, as a contract sees it (semantics, sections 2 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.interaction import Place
from harness.rules.example import Example, artifact, message, rpc, rpc_error, status
from harness.rules.facts import NOWHERE
from harness.rules.leak import VERSIONS, quoted
from harness.rules.rule import ALL, Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event

_OPEN = (status("submitted"), status("working"))
_DONE = (artifact("The answer is 42.", id="a-9"), status("completed"))


def _chunk(kind: str, **payload: object) -> object:
    """An openJiuwen chunk as a DataPart."""
    return artifact({"data": {"type": kind, "index": 0, "payload": payload}}, id=f"a-{kind}")


_ERROR = _chunk("answer", output="boom", result_type="error")
_TASK_FAILED = _chunk("controller_output", type="task_failed", data=[{"text": "boom"}])


class _Ending(Rule):
    """A rule about the end: it can say nothing of a round whose end was not recorded."""

    versions = VERSIONS

    def missing(self) -> str | None:
        if self.scope.outcome == "INCONCLUSIVE":
            return "the capture does not tell how the round ended"
        return None

    def last(self) -> Place:
        """The last statement of a state, else the first event."""
        stream = self.scope.stream
        event = stream.terminal or stream.last_state_event or stream.first
        return NOWHERE if event is None else place(event, event.state_pointer or event.pointer)


class AsksNothing(_Ending):
    """The agent waits for input that it never asked for."""

    code = "END501"
    slug = "input-required-asks-nothing"
    title = "A round that requires input asks for something"
    why = (
        "The client has nothing to show and nothing to answer: the conversation hangs. Send the question as "
        "the status message, or end the task in the state that it is in."
    )
    source = "openJiuwen facts, section 2, form k; semantics, section 3"
    listens = ("status", "task")
    PASSES = (
        Example((*_OPEN, status("input-required", "Which city?"))),
        Example((*_OPEN, *_DONE), "no input is required"),
    )
    FAILS = (Example((*_OPEN, status("input-required"))),)

    text = False

    def missing(self) -> str | None:
        asked = self.scope.stream.last_state_event
        if self.scope.outcome == "INTERACTION" and asked is not None and asked.kind == "malformed":
            return "the record that asks could not be read"
        return super().missing()

    def event(self, event: Event) -> None:
        if event.text.strip():
            self.text = True

    def end(self) -> None:
        scope = self.scope
        if scope.outcome == "INTERACTION" and not scope.interactions and not self.text:
            self.found("the task is input-required, and nothing was asked", self.last())


class NoTerminal(_Ending):
    """The stream ended, the task did not."""

    code = "END502"
    slug = "no-terminal-state"
    title = "A stream ends in a terminal or an interrupted state"
    why = (
        "The official clients take the end of the bytes for success and report nothing: an answer that broke "
        "off looks like a whole one. Send the terminal state before the stream is closed."
    )
    source = "seed 003; A2A 1.0 sections 3.1.2, 3.1.6 and 11.7"
    PASSES = (
        Example((*_OPEN, *_DONE)),
        Example((*_OPEN, status("input-required", "Which city?")), "closing at an interrupt is legal"),
        Example((rpc({"message": message()}),), "one Message is a whole answer"),
    )
    FAILS = (
        Example(_OPEN, "the last state is working"),
        Example((), "an empty body"),
    )

    def end(self) -> None:
        if self.scope.outcome == "NO_TERMINAL":
            state = self.scope.stream.last_state
            said = f"its last state is {state}" if state else "it states none"
            self.found(f"the stream ended without an end of the task: {said}", self.last())


class FalseSuccess(_Ending):
    """The task failed, and its state says that it succeeded."""

    code = "END503"
    slug = "false-success"
    title = "A round that shows its failure does not end COMPLETED"
    why = (
        "The failure stands in the content only; whoever goes by the state takes an error text for an "
        "answer. End the task FAILED when the agent's answer is an error."
    )
    source = "seed 003; openJiuwen facts, section 1 (`answer` with result_type error stays a plain chunk)"
    versions = ALL
    marks = frozenset({"failure"})
    PASSES = (
        Example((*_OPEN, *_DONE)),
        Example((*_OPEN, _ERROR, status("failed")), "and FAILED"),
        Example((*_OPEN, _chunk("answer", output="42", result_type="answer"), status("completed"))),
    )
    FAILS = (
        Example((*_OPEN, _ERROR, status("completed"))),
        Example((*_OPEN, _TASK_FAILED, status("completed"))),
        Example((*_OPEN, _chunk("answer", output="", error="boom", result_type=""), status("completed"))),
    )

    def end(self) -> None:
        if self.scope.outcome != "COMPLETED":
            return
        terminal = self.scope.stream.terminal
        until = terminal.frame.number if terminal is not None else None
        for mark in self.scope.marks:
            late = until is not None and mark.place.event is not None and mark.place.event > until
            if mark.name == "failure" and not late:
                what = f"the round ended COMPLETED after a failure: {quoted(mark.text)}"
                self.found(what, mark.place, snippet=mark.text)


class EndedInError(_Ending):
    """The call ended in an error of JSON-RPC, REST or HTTP."""

    code = "END504"
    slug = "ended-in-error"
    title = "A round does not end in a protocol error"
    why = (
        "The task has no state that a client could act on. Look for the cause in the agent's log under the "
        "request's id; a failure of the agent's own work should end the task FAILED instead."
    )
    source = "A2A 1.0 sections 9.5 and 11.6; semantics, section 2"
    PASSES = (Example((*_OPEN, status("failed")), "FAILED is an answer"),)
    FAILS = (
        Example((*_OPEN, rpc_error(-32603, "Agent execution failed"))),
        Example(
            ({"error": {"code": 404, "status": "NOT_FOUND", "message": "no such task"}},),
            "HTTP 404",
            status=404,
            headers=(("content-type", "application/json"),),
            framing="document",
        ),
    )

    def end(self) -> None:
        if self.scope.outcome not in ("PROTOCOL_ERROR", "HTTP_ERROR"):
            return
        error, head = self.scope.stream.error, self.scope.capture.head
        said = [f"HTTP status {head.status}"] if self.scope.outcome == "HTTP_ERROR" and head else []
        if error is not None:
            code = "" if error.error_code is None else f" {error.error_code}"
            said.append(f"error{code} {quoted(error.error_message)}")
        where = self.last() if error is None else place(error, error.pointer)
        names = (str(error.error_code),) if error is not None and error.error_code is not None else ()
        self.found("the round ended in " + ", ".join(said), where, names=names)


class Cut(_Ending):
    """The upstream broke the body off."""

    code = "END505"
    slug = "stream-cut"
    title = "A stream is not cut off by the server's side"
    why = (
        "Bytes are missing, and with them the end of the task; some clients take the cut for a clean end. "
        "Look for a crash or a time limit on the way (agent, gateway, proxy)."
    )
    source = "A2A facts, section 0, trap 5 (curl 18); semantics, section 2"
    PASSES = (
        Example((*_OPEN, *_DONE)),
        Example((*_OPEN, status("completed")), "the client left after the end", ending="client_left"),
    )
    FAILS = (Example(_OPEN, "cut while working", ending="upstream_cut"),)

    def missing(self) -> str | None:
        ended = self.scope.outcome not in ("NO_TERMINAL", "INCONCLUSIVE")
        if self.scope.capture.ending == "unknown" and not ended:
            return "how the bytes ended is not known"
        return super().missing()

    def end(self) -> None:
        capture = self.scope.capture
        if self.scope.outcome == "TRANSPORT_ERROR" and capture.ending == "upstream_cut":
            state = self.scope.stream.last_state
            said = f"while the task was {state}" if state else "before any state was said"
            how = f" ({capture.ending_text})" if capture.ending_text else ""
            self.found(f"the body was cut {said}{how}", self.last())


RULES: tuple[type[Rule], ...] = (AsksNothing, NoTerminal, FalseSuccess, EndedInError, Cut)
