"""Events become units: one for what belongs together, tokens joined to their text.

A token run ends where something else is said. Sources that speak at the same time (remote
agents, artifacts that grow) each have a run of their own, so that it does not matter how
their pieces were mixed. Memory is bounded: of a text `KEPT` characters, of all forms `BUDGET`.
"""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.diff.normal import MAX_JSON, Form, Normal
from harness.diff.run import KEPT, Run
from harness.diff.tokens import Token, inner, public, token
from harness.model.interaction import Place

if TYPE_CHECKING:
    from collections.abc import Hashable

    from harness.model.event import Event

BUDGET = 1 << 23
"""Characters of all forms of one round that are kept."""
MAX_OPEN = 1024
"""Runs that grow at the same time."""
MAX_SEEN = 100_000
"""Artifacts that are remembered, to know one that is appended to without having begun."""
_RUNNING = frozenset({"submitted", "working"})


class Unit(NamedTuple):
    """One event, or a run of tokens. `full` and `shape` are equal where all, or all but texts, is equal."""

    kind: str
    label: str
    place: Place
    last: int
    size: int
    full: int
    shape: int
    form: str | None
    """The normal form; None where it was too much to keep."""
    ids: tuple[int, ...]
    said: str | None = None
    """The text of a run, as far as it is kept; None: no run."""
    chars: int = 0
    steady: bool = False
    """It tells of the state of the task: others may not pass it without meaning something."""


class Units:
    """Takes the events of one round, in order; `close` gives its units."""

    def __init__(self, normal: Normal, asking: frozenset[int] = frozenset()) -> None:
        self._normal = normal
        self._asking = asking
        self._units: list[Unit | None] = []
        self._runs: dict[Hashable, Run] = {}
        self._core: Hashable = None
        self._lanes: dict[tuple[Any, ...], tuple[Hashable, Form]] = {}
        self._seen: set[str] = set()
        self._state: str | None = None
        self._spent = 0
        self.coarse = False
        """Not everything was kept: changes of some units can not be shown in detail."""

    def take(self, event: Event) -> None:
        """Let one event in."""
        number = event.frame.number
        said = None if number in self._asking else token(event)
        if said is not None:
            self._token(event, said)
        elif not self._says_nothing(event):
            self._alone(event)
        if event.state is not None:
            self._state = event.state

    def close(self) -> list[Unit]:
        """All units, in the order in which they began."""
        self._flush()
        return [unit for unit in self._units if unit is not None]

    def _says_nothing(self, event: Event) -> bool:
        """A status that repeats the state before it and has nothing else: a sign of life."""
        if event.kind != "status" or event.state != self._state or event.state not in _RUNNING:
            return False
        if event.frame.number in self._asking or type(event.body) is not dict:
            return False
        status = event.body.get("status")
        bare = type(status) is dict and not status.get("message")
        return bare and not event.body.get("metadata") and not event.final

    def _token(self, event: Event, said: Token) -> None:
        lane, form = self._lane(event, said)
        run = self._runs.get(lane)
        starts = run is None or (said.way == "artifact" and (run.closed or not said.append))
        if run is not None and starts:
            self._end(lane)
        if said.way == "core":
            if self._core is not None and self._core != lane:
                self._end(self._core)
            self._core = lane
        if starts or run is None:
            if len(self._runs) >= MAX_OPEN:
                self._flush()
                self.coarse = True
            orphan = said.way == "artifact" and said.append and said.artifact_id not in self._seen
            run = self._runs[lane] = Run(len(self._units), event, said, form, orphan)
            self._units.append(None)
        if said.way == "artifact" and len(self._seen) < MAX_SEEN:
            self._seen.add(said.artifact_id)
        run.take(event, said)
        if run.waiting > 2 * MAX_JSON:
            run.settle(self._normal, end=False)

    def _lane(self, event: Event, said: Token) -> tuple[Hashable, Form]:
        """Which run a token belongs to, and the form of what is around its text."""
        if said.key is not None and said.key in self._lanes:
            return self._lanes[said.key]
        form = self._normal.form(said.body, event.pointer, event.frame.data)
        if said.way == "artifact":
            return ("artifact", said.artifact_id, form.meaning), form
        found = (said.way, form.meaning, form.ids), form
        if said.key is not None and len(self._lanes) < MAX_OPEN:
            self._lanes[said.key] = found
        return found

    def _end(self, lane: Hashable) -> None:
        run = self._runs.pop(lane)
        if self._core == lane:
            self._core = None
        run.settle(self._normal, end=True)
        marks = ("append" if run.orphan else "") + ("last" if run.closed else "")
        event, form = run.event, run.form
        self._units[run.at] = Unit(
            event.kind, run.label, _place(event), run.last, run.size,
            hash((event.kind, form.meaning, marks, run.state)), hash((event.kind, form.shape, marks)),
            self._keep(_flagged(form.text, run)), (*form.ids, *run.ids), run.kept, run.chars,
        )  # fmt: skip

    def _flush(self) -> None:
        for lane in list(self._runs):
            self._end(lane)

    def _alone(self, event: Event) -> None:
        """An event that is a unit of its own; no run goes on behind it."""
        self._flush()
        body = event.frame.data if event.kind in ("malformed", "sentinel") else _object(event)
        form = self._normal.form(body, event.pointer, event.frame.data)
        head = (event.kind, event.state)
        self._units.append(
            Unit(
                event.kind, _label(event), _place(event), event.frame.number, 1, hash((head, form.meaning)),
                hash((head, form.shape)), self._keep(form.text), form.ids,
                steady=event.kind in ("task", "status", "message", "error") or event.state is not None,
            )
        )  # fmt: skip

    def _keep(self, form: str) -> str | None:
        if len(form) > KEPT or self._spent + len(form) > BUDGET:
            self.coarse = True
            return None
        self._spent += len(form)
        return form


def _place(event: Event) -> Place:
    return Place(event.frame.number, intern(event.pointer), event.frame.span)


def _object(event: Event) -> Any:
    return event.json if event.body is None else event.body


def _flagged(form: str, run: Run) -> str:
    """The form with what the pieces said of the artifact."""
    flags = [name for name, on in (("append", run.orphan), ("lastChunk", run.closed)) if on]
    return form[:-1] + "".join(f',"{name}":true' for name in flags) + "}" if flags else form


def _label(event: Event) -> str:
    """What the event carries, in a word or two."""
    body = event.body
    if type(body) is not dict:
        return ""
    if event.kind == "chunk":
        return _typed(body)
    if event.kind == "artifact" and type(artifact := body.get("artifact")) is dict:
        if name := public(artifact):
            return name
        parts = artifact.get("parts")
        first = parts[0] if type(parts) is list and parts else None
        chunk = inner(first) if type(first) is dict else None
        return _typed(chunk) if chunk else "data" if type(first) is dict and "data" in first else "parts"
    return event.state or ""


def _typed(chunk: dict[str, Any]) -> str:
    payload = chunk.get("payload")
    inside = payload.get("type") if type(payload) is dict else None
    kind = chunk.get("type")
    names = [name for name in (kind, inside) if type(name) is str]
    return intern(" ".join(names) or "chunk")
