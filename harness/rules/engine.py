"""The engine: drives the rules of one round, and says which of them could not be checked.

Rules never learn of contracts, and the engine never learns what a rule is about: it knows
what a rule needs, which versions and bindings it speaks of, and which kinds of events it
listens to. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.model.finding import NotChecked
from harness.rules import registry
from harness.rules.found import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.model.event import Event
    from harness.model.finding import Finding
    from harness.rules.contracts import Contract
    from harness.rules.rule import Rule
    from harness.rules.scope import Scope

    type Hook = Callable[[Event], None]

_BINDINGS: frozenset[str] = frozenset({"jsonrpc", "rest"})
_VERSIONS: frozenset[str] = frozenset({"v0.2", "v0.3", "v1.0"})

EXPECTED: dict[str, frozenset[str]] = {
    "NO_TERMINAL": frozenset({"END502", "ORD506"}),
    "PROTOCOL_ERROR": frozenset({"END504"}),
    "HTTP_ERROR": frozenset({"END504"}),
    "TRANSPORT_ERROR": frozenset({"END505", "HTTP103"}),
}
"""What a scenario that expects an outcome takes as said: the breach, under both of its codes."""


class Selection(NamedTuple):
    """The rules that a check runs: chosen once, used for every round. Picklable."""

    contract: Contract
    single: tuple[type[Rule], ...]
    """Rules of one round."""
    across: tuple[type[Rule], ...]
    """Rules that compare rounds."""
    legs: tuple[type[Rule], ...] = ()
    """Rules over the legs of a conversation."""


def select(contract: Contract, only: Sequence[str] = (), skip: Sequence[str] = ()) -> Selection:
    """The contract's rules, of families and codes `only`, without `skip`; `UsageError` for others."""
    chosen = set(contract.codes())
    if only:
        chosen &= set(registry.expand(only))
    chosen -= set(registry.expand(skip))
    single = registry.rules(chosen - registry.LEGS - registry.ACROSS - registry.OWN)
    across = registry.rules(chosen & (registry.ACROSS | registry.BOTH))
    return Selection(contract, single, across, registry.rules(chosen & registry.LEGS))


class Engine:
    """The rules of one round. `event` for each event, before the stream takes it in; then `finish`."""

    def __init__(self, selection: Selection, scope: Scope, *, expected: str | None = None) -> None:
        self._scope = scope
        self._expected = expected
        self._found = Found(selection.contract)
        self._rules: list[Rule] = []
        self._lacking: list[tuple[type[Rule], str]] = []
        for rule in selection.single:
            if not on_leg(rule, scope.capture.leg):
                continue
            reason = lacks(rule, scope)
            if reason is None:
                self._rules.append(rule(scope, self._found))
            else:
                self._lacking.append((rule, reason))
        self._rewire()

    def wants(self, kind: str) -> bool:
        """Does any rule that concerns the stream listen to events of that kind?"""
        if self._known != (self._scope.dialect, self._scope.binding):
            self._rewire()
        return bool(self._hooks.get(kind, self._every))

    def event(self, event: Event) -> None:
        """Show one event to the rules that listen to its kind."""
        if self._known != (self._scope.dialect, self._scope.binding):
            self._rewire()
        for hook in self._hooks.get(event.kind, self._every):
            hook(event)

    def passed(self, name: str, frames: int) -> None:
        """Tell the rules of frames that were only counted."""
        for rule in self._rules:
            rule.passed(name, frames)

    def finish(self) -> tuple[list[Finding], list[NotChecked]]:
        """The round's findings in order, and the rules that could not be checked.

        The scope's outcome, interactions, marks, rest and manner must be set.
        """
        told = {rule.code: reason for rule, reason in self._lacking if concerns(rule, self._scope)}
        silent: set[str] = set()
        for rule in self._rules:
            if not concerns(type(rule), self._scope):
                silent.add(rule.code)
                continue
            reason = unknown(type(rule), self._scope) or rule.missing()
            if reason is None:
                rule.end()
            else:
                told[rule.code] = reason
        if self._expected is not None and self._expected == self._scope.outcome:
            silent |= EXPECTED.get(self._expected, frozenset())
        findings = self._found.findings(self._scope.dialect, silent | told.keys())
        return findings, [NotChecked(code, told[code]) for code in registry.CODES if code in told]

    def _rewire(self) -> None:
        """Which hooks each kind of event has, now that dialect and binding are what they are."""
        self._known = (self._scope.dialect, self._scope.binding)
        kinds: dict[str, list[Hook]] = {}
        listening = [rule for rule in self._rules if rule.listens and concerns(type(rule), self._scope)]
        for rule in listening:
            for kind in rule.listens:
                kinds.setdefault(kind, [])
        every = tuple(rule.event for rule in listening if "*" in rule.listens)
        for rule in listening:
            for kind in kinds if "*" in rule.listens else rule.listens:
                kinds[kind].append(rule.event)
        self._hooks = {kind: tuple(hooks) for kind, hooks in kinds.items()}
        self._every: tuple[Hook, ...] = every


def on_leg(rule: type[Rule], leg: str) -> bool:
    """Is the rule judged on that leg? What a client sees on the client's, the protocol on all A2A legs."""
    if registry.family(rule.code) in registry.CLIENT_LEG:
        return leg == "client"
    return leg != "llm"


def concerns(rule: type[Rule], scope: Scope) -> bool:
    """Does the rule speak of the stream's version and binding? What is unknown is not ruled out."""
    if scope.dialect is None:
        return True
    if scope.dialect not in rule.versions:
        return False
    if scope.binding is None:
        return rule.bindings >= _BINDINGS
    return scope.binding in rule.bindings


def lacks(rule: type[Rule], scope: Scope) -> str | None:
    """Why a capture can not give the rule what it needs, as far as it is known before the stream."""
    needs, capture = rule.needs, scope.capture
    if capture.rebuilt and ("raw" in needs or "sse" in needs):
        return "the frames were printed again from parsed records"
    if "sse" in needs and capture.framing != "sse":
        return "the capture is no SSE body"
    if "http" in needs and (capture.head is None or capture.head.status is None):
        return "status and headers of the response are not known"
    if "request" in needs and not scope.asked.known:
        return "the request is not known"
    if "ending" in needs and capture.ending == "unknown":
        return "how the bytes ended is not known"
    if "timing" in needs and not capture.timed:
        return "the times of the chunks are not known"
    if "rounds" in needs:
        return "a single stream does not show it"
    return None


def unknown(rule: type[Rule], scope: Scope) -> str | None:
    """Why the rule could not be checked, as it is known after the stream."""
    if "events" in rule.needs and not scope.stream.recognised:
        return "no A2A event was recognised"
    if scope.dialect is None and not rule.versions >= _VERSIONS:
        return "the version of the protocol is not known"
    if scope.dialect is None and scope.binding not in rule.bindings and not rule.bindings >= _BINDINGS:
        return "the binding of the protocol is not known"
    return None
