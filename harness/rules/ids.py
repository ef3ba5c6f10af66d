"""IDS: which task and context the events of a stream belong to (a2a.md I01 to I04)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.shapes import members, word
from harness.rules.example import Example, artifact, message, status, task
from harness.rules.reuse import ReusedTask
from harness.rules.rule import Rule, place

if TYPE_CHECKING:
    from harness.model.event import Event

_GOOD = Example((task(), status("working"), artifact("hello"), status("completed")))


def _sending(**message: str) -> object:
    return {"jsonrpc": "2.0", "id": "r-1", "method": "SendStreamingMessage", "params": {"message": message}}


class Identified(Rule):
    """A rule about ids of A2A events."""

    needs = frozenset({"events"})
    listens = ("task", "message", "status", "artifact")


def _nested(event: Event, name: str) -> str | None:
    """An id of the status message inside an update or a Task."""
    if event.kind not in ("status", "task"):
        return None
    return word(members(members(event.body.get("status")).get("message")), name)


class Ids601(Identified):
    code = "IDS601"
    slug = "one-task-id"
    title = "All events of a stream, and the messages in them, name the same task"
    why = (
        "Clients file an event under its taskId: one of another task is lost, or shown in a foreign "
        "conversation. The JavaScript "
        "server passes wrong ids on; check the id where the agent makes the event."
    )
    source = "A2A 1.0 section 3.4.2"
    PASSES = (_GOOD,)
    FAILS = (
        Example((task(), status("working"), artifact("x", task="t-9"), status("completed"))),
        Example((task(), status("completed", message("done", taskId="t-9")))),
    )

    def event(self, event: Event) -> None:
        known = self.scope.stream.task_id or event.task_id
        nested = _nested(event, "taskId")
        if event.task_id is not None and event.task_id != known:
            name = "id" if event.kind == "task" else "taskId"
            self._other(event, event.task_id, known, f"{event.pointer}/{name}")
        elif nested is not None and known is not None and nested != known:
            self._other(event, nested, known, event.pointer + "/status/message/taskId")

    def _other(self, event: Event, seen: str, known: str | None, pointer: str) -> None:
        self.found(
            f"the task is {seen[:60]}, the stream's {(known or '')[:60]}",
            place(event, pointer),
            names=(seen[:60],),
        )


class Ids602(Identified):
    code = "IDS602"
    slug = "one-context-id"
    title = "All events name the same context, and the one that the request named"
    why = (
        "The context ties turns together: with another one the agent forgets the conversation. Keep the "
        "client's "
        "contextId, and make one only where the client sent none."
    )
    source = "A2A 1.0 section 3.4.1"
    PASSES = (_GOOD, Example((task(), status("completed")), request=_sending(contextId="c-1")))
    FAILS = (
        Example((task(), status("completed", context="c-9"))),
        Example((task(), status("completed")), "not that of the request", request=_sending(contextId="c-9")),
    )

    def event(self, event: Event) -> None:
        asked = self.scope.asked.context_id
        for seen, pointer in (
            (event.context_id, "/contextId"),
            (_nested(event, "contextId"), "/status/message/contextId"),
        ):
            known = asked or self.scope.stream.context_id or event.context_id
            if seen is not None and seen != known:
                whose = "request" if asked else "stream"
                self.found(
                    f"the context is {seen[:60]}, the {whose}'s {(known or '')[:60]}",
                    place(event, event.pointer + pointer), names=(seen[:60],),
                )  # fmt: skip
                return


class Ids603(Identified):
    code = "IDS603"
    slug = "task-continued"
    title = "A request that names a task is answered by that task"
    why = (
        "The client continues a task and gets another one: its answer never reaches the question. Load the "
        "task "
        "that the request names, or refuse with -32001."
    )
    source = "A2A 1.0 sections 3.4.2, 3.4.3"
    PASSES = (Example((status("working"), status("completed")), request=_sending(taskId="t-1")),)
    FAILS = (Example((task(id="t-9"), status("completed", task="t-9")), request=_sending(taskId="t-1")),)

    done = False

    def missing(self) -> str | None:
        asked = self.scope.asked
        return "the request is not known" if asked.task_id is None and not asked.known else None

    def event(self, event: Event) -> None:
        wanted = self.scope.asked.task_id
        if wanted is None or event.task_id is None or self.done:
            return
        self.done = True
        if event.task_id != wanted:
            name = "id" if event.kind == "task" else "taskId"
            self.found(
                f"the request continues task {wanted[:60]}, the answer is task {event.task_id[:60]}",
                place(event, f"{event.pointer}/{name}"), names=(event.task_id[:60],),
            )  # fmt: skip


class Ids604(ReusedTask):
    code = "IDS604"
    slug = "task-id-not-reused"
    title = "A new task has an id that no other stream has"
    why = (
        "A reused id mixes two tasks in every store and client. Make a fresh random id for each task that no "
        "request continues."
    )
    source = "A2A 1.0 section 3.4.2"
    needs = frozenset({"events", "rounds"})
    PASSES = (
        Example(
            (task(), status("input-required", "City?")),
            then=(
                Example((status("working"), status("completed")), request=_sending(taskId="t-1"), round=2),
            ),
        ),
    )
    FAILS = (
        Example(
            (task(), status("completed")),
            then=(
                Example((task(), status("completed")), "the same id, though nothing was continued", round=2),
            ),
        ),
    )


RULES: tuple[type[Rule], ...] = (Ids601, Ids602, Ids603, Ids604)
