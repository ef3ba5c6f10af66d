"""The life cycle of one stream as memory: what a client knows after each event.

`TRANSITIONS` is the life cycle: phases by what came. No event is refused: rules compare an
event with this memory before `take` lets it in. Sources: A2A v1.0 sections 3.1.2, 3.1.6, 3.5.2.
Memory is bounded, however long the stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from harness.a2a.artifacts import ArtifactFacts, Artifacts, content, id_of
from harness.model.event import INTERRUPTED, TERMINAL, Binding, Dialect, Event, State

if TYPE_CHECKING:
    from harness.a2a.members import Piece

type Phase = Literal["new", "open", "asking", "ended", "said", "broken"]
"""`said`: only Messages so far; `broken`: an error frame came."""
type Input = Literal["going", "asks", "ends", "artifact", "message", "error"]

INPUTS: tuple[Input, ...] = ("going", "asks", "ends", "artifact", "message", "error")
_ROWS: dict[Phase, tuple[Phase, ...]] = {
    # came:    going     asks      ends     artifact  message   error
    "new":    ("open",   "asking", "ended", "open",   "said",   "broken"),
    "open":   ("open",   "asking", "ended", "open",   "open",   "broken"),
    "asking": ("open",   "asking", "ended", "asking", "asking", "broken"),
    "said":   ("open",   "asking", "ended", "open",   "said",   "broken"),
    "broken": ("broken", "broken", "ended", "broken", "broken", "broken"),
    "ended":  ("ended",  "ended",  "ended", "ended",  "ended",  "ended"),
}  # fmt: skip
TRANSITIONS: dict[Phase, dict[Input, Phase]] = {
    phase: dict(zip(INPUTS, row, strict=True)) for phase, row in _ROWS.items()
}
_OF_KIND: dict[str, Input] = {"artifact": "artifact", "message": "message", "error": "error"}
A2A_KINDS: frozenset[str] = frozenset({"task", "message", "status", "artifact"})


def input_of(event: Event) -> Input:
    """What `event` is to the life cycle."""
    if event.state is None:
        return _OF_KIND.get(event.kind, "going")
    if event.state in TERMINAL:
        return "ends"
    return "asks" if event.state in INTERRUPTED else "going"


class Stream:
    """What has been seen of one round. Rules and the judge read it; only `take` and `plain` write."""

    __slots__ = (
        "artifacts", "binding", "context_id", "dialect", "error", "first", "last_final", "last_state",
        "last_state_event", "memo", "messages", "phase", "recognised", "task_id", "tasks", "terminal",
        "went_on",
    )  # fmt: skip

    def __init__(self) -> None:
        self.phase: Phase = "new"
        self.first: Event | None = None
        """The first A2A event or chunk."""
        self.recognised = 0
        """A2A events and chunks; error frames are not counted."""
        self.dialect: Dialect | None = None
        """Of the first event; REST may turn from v1.0 to v0.3 when a later frame proves it."""
        self.binding: Binding | None = None
        self.task_id: str | None = None
        """The first that was seen; `context_id` likewise."""
        self.context_id: str | None = None
        self.tasks = 0
        """Task events."""
        self.messages = 0
        """Message events."""
        self.last_state: State | None = None
        self.last_state_event: Event | None = None
        self.went_on = False
        """A state that waits for an answer was followed by another one."""
        self.last_final: bool | None = None
        """`final` of the last status update."""
        self.terminal: Event | None = None
        """The first event with a terminal state."""
        self.error: Event | None = None
        """The first error frame."""
        self.artifacts = Artifacts()
        self.memo: tuple[Event, tuple[Piece, ...]] | None = None
        """For `harness.a2a.members.pieces`."""

    @property
    def message_only(self) -> bool:
        """The stream is Messages and nothing else."""
        return self.messages > 0 and self.messages == self.recognised and self.error is None

    @property
    def artifacts_capped(self) -> bool:
        """More artifacts than are remembered: the ART rules can not be checked."""
        return self.artifacts.capped

    def artifact(self, artifact_id: str) -> ArtifactFacts | None:
        """What is known of one artifact so far."""
        return self.artifacts.get(artifact_id)

    def take(self, event: Event) -> None:
        """Let `event` into the memory."""
        kind = event.kind
        if kind == "error":
            self.error = self.error or event
            self.phase = TRANSITIONS[self.phase]["error"]
            return
        if kind == "malformed" and event.state is not None:
            self.phase = TRANSITIONS[self.phase][input_of(event)]
            self._state(event)
        if kind not in A2A_KINDS and kind != "chunk":
            return
        if self.first is None:
            self.first = event
            self.dialect = event.dialect
            self.binding = event.binding
        elif event.dialect == "v0.3" and self.dialect == "v1.0" and not event.enveloped:
            self.dialect = "v0.3"
        self.recognised += 1
        self.task_id = self.task_id or event.task_id
        self.context_id = self.context_id or event.context_id
        if kind == "artifact":
            self._artifact(event)
            if self.phase == "new" or self.phase == "said":
                self.phase = "open"
            return
        self.phase = TRANSITIONS[self.phase][input_of(event)]
        self._said(event)

    def _said(self, event: Event) -> None:
        if event.kind == "message":
            self.messages += 1
            return
        if event.kind == "task":
            self.tasks += 1
            self._snapshot(event)
        elif event.kind == "status":
            self.last_final = event.final
        if event.state is not None:
            self._state(event)

    def _state(self, event: Event) -> None:
        if self.last_state in INTERRUPTED and event.state not in INTERRUPTED:
            self.went_on = True
        self.last_state = event.state
        self.last_state_event = event
        if self.terminal is None and event.state in TERMINAL:
            self.terminal = event

    def _artifact(self, event: Event) -> None:
        artifact = event.body.get("artifact")
        name = id_of(artifact)
        if not name:
            return
        text, others = content(artifact)
        last = event.body.get("lastChunk") is True
        if event.body.get("append") is True:
            self.artifacts.chunk(name, text, others, last)
        else:
            self.artifacts.whole(name, text, others, last)

    def _snapshot(self, event: Event) -> None:
        listed = event.body.get("artifacts")
        for artifact in listed if type(listed) is list else ():
            self.artifacts.snapshot(artifact)

    def may_be_plain(self) -> bool:
        """Between its opening and its end, with its ids known: plain frames may follow."""
        return self.phase == "open" and self.task_id is not None and self.context_id is not None

    def plain(self, artifact_id: str, text: str = "", others: int = 0) -> bool:
        """Take an artifact event that has no `append` and no `lastChunk` and the stream's own ids.

        `text` is that of its parts, `others` the number of parts that are no text. Equal to
        `take` on such an event. False, and nothing taken, where only `take` will do: the
        artifact is known or has no id, or the stream is not between its opening and its end.
        """
        if not self.may_be_plain() or not self.artifacts.new(artifact_id, text, others):
            return False
        self.recognised += 1
        return True
