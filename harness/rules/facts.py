"""What one round leaves behind for the rules that compare rounds: small, frozen, picklable. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.model.interaction import Place
from harness.rules.streams import streamed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.a2a.card import Card
    from harness.a2a.dialects import Operation
    from harness.model.capture import Ending
    from harness.model.event import Binding, Dialect, Event, State
    from harness.model.interaction import Interaction, Mark
    from harness.rules.scope import Scope
    from harness.rules.trail import Trail

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
    binding: Binding | None = None
    operation: Operation | None = None
    """What the request asks for; None: not known."""
    target: str | None = None
    """Path and query of the request."""
    streamed: bool = False
    """The answer is a stream of events."""
    rebuilt: bool = False
    """The frames were printed again from parsed records."""
    snapshot: bool = False
    """The first event is a Task."""
    went_on: bool = False
    """The stream went on after a state that waits for an answer: a later turn stands in it as well."""
    last_state: State | None = None
    error_code: int | None = None
    """Of the first error frame."""
    failed: bool = False
    """There was an error frame."""
    ending: Ending = "unknown"
    began_ns: int | None = None
    """When the first bytes of the body came, and when the connection closed; None: not known."""
    closed_ns: int | None = None
    last: Place = NOWHERE
    """The last event with a state."""
    trail: Trail | None = None
    """From a second reading, where another round speaks of the same task (`harness.trails`)."""
    card: Card | None = None
    """What the agent's card says that was recorded beside the round."""


def facts(scope: Scope) -> RoundFacts:
    """The facts of a round whose scope is complete."""
    capture, asked, stream, times = scope.capture, scope.asked, scope.stream, scope.times
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
        place=_place(first),
        last=_place(stream.last_state_event),
        interactions=scope.interactions,
        remotes=remotes(scope.marks),
        binding=scope.binding,
        operation=asked.operation,
        target=capture.request.target if capture.request else None,
        streamed=streamed(scope),
        rebuilt=capture.rebuilt,
        snapshot=first is not None and first.kind == "task",
        went_on=stream.went_on,
        last_state=stream.last_state,
        error_code=stream.error.error_code if stream.error else None,
        failed=stream.error is not None,
        ending=capture.ending,
        began_ns=times.at_ns[0] if times and times.at_ns else None,
        closed_ns=times.closed_ns if times else None,
    )


def _place(event: Event | None) -> Place:
    return NOWHERE if event is None else Place(event.frame.number, event.pointer, event.frame.span)


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
