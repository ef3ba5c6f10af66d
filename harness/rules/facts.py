"""What one round leaves behind for the rules that compare rounds: small, frozen, picklable. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.model.interaction import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.event import Dialect
    from harness.model.interaction import Interaction, Mark
    from harness.rules.scope import Scope

REMOTE: frozenset[str] = frozenset({"remote-output", "remote-call"})
NOWHERE = Place(None, None, None)
"""The place of what stands in no frame: in the request, or in no frame at all."""


class Remote(NamedTuple):
    """A trace of a remote call, as a mark shows it: which task called which agent, under which id."""

    task_id: str | None
    tool_call_id: str | None
    target: str | None


class RoundFacts(NamedTuple):
    """One round, as other rounds are compared with it."""

    source: str
    group: str
    """The run folder; the source itself where it lies in none."""
    scenario: str
    round: int
    leg: str
    topology: str | None
    dialect: Dialect | None
    outcome: str
    task_id: str | None
    """The task that the stream speaks of."""
    context_id: str | None
    asked: bool
    """The request is known; without it a missing `asked_task` says nothing."""
    asked_task: str | None
    """The task that the request names."""
    answers: bool
    """The request is a message to that task (or may be one): it resumes the task."""
    asked_context: str | None
    opened: bool | None
    """The round opened a new task; None: not known."""
    recognised: bool
    """At least one A2A event or chunk."""
    place: Place
    """The first event."""
    interactions: tuple[Interaction, ...]
    remotes: tuple[Remote, ...]


def facts(scope: Scope) -> RoundFacts:
    """The facts of a round whose scope is complete."""
    capture, asked, stream = scope.capture, scope.asked, scope.stream
    first = stream.first
    return RoundFacts(
        source=capture.source,
        group=capture.group or capture.source,
        scenario=capture.scenario,
        round=capture.round,
        leg=capture.leg,
        topology=capture.topology,
        dialect=scope.dialect,
        outcome=scope.outcome,
        task_id=stream.task_id,
        context_id=stream.context_id,
        asked=asked.known,
        asked_task=asked.task_id,
        answers=bool(asked.task_id) and asked.operation in (None, "send", "stream"),
        asked_context=asked.context_id,
        opened=_opened(scope),
        recognised=stream.recognised > 0,
        place=NOWHERE if first is None else Place(first.frame.number, first.pointer, first.frame.span),
        interactions=scope.interactions,
        remotes=remotes(scope.marks),
    )


def remotes(marks: Iterable[Mark]) -> tuple[Remote, ...]:
    """The remote calls that marks show, each once, however often a remote wrote a token."""
    seen = {
        Remote(mark.task_id, mark.tool_call_id, mark.target): None for mark in marks if mark.name in REMOTE
    }
    return tuple(seen)


def _opened(scope: Scope) -> bool | None:
    if scope.asked.task_id:
        return False
    if scope.asked.known:
        return True
    first = scope.stream.first
    if first is not None and first.state == "submitted":
        return True
    return None
