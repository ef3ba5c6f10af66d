"""Which round an exchange belongs to: scenario, protocol, number. Pure, no clock, no bytes.

A request of the client opens a round. What happens on the other legs belongs to a round by,
in this order: the ids that it carries (a child context is `parent:batch:call` or
`parent_batch_call`, a remote's own ids are remembered), a trace header, or because one
conversation only is open. Else it is round 0, unassigned.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from harness.capture.naming import BESIDE
from harness.record.labels import OTHER, WITHIN, protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.a2a.request import Asked

CLIENT = "client"
UNASSIGNED = "unassigned"

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}")
_TRACES = ("x-b3-traceid", "x-request-id", "x-correlation-id", "x-trace-id")
_BORDER = re.compile(r"[:_]")
_REMEMBERED = 100_000
"""Ids that are kept; the oldest are forgotten first."""


def is_round(where: Where) -> bool:
    """Is an exchange a round of the client, and no call about one?"""
    return where.leg == CLIENT and where.round > 0 and where.protocol not in (*BESIDE, *WITHIN)


class Call(NamedTuple):
    """An exchange as far as its round depends on it."""

    leg: str
    method: str
    target: str
    asked: Asked
    traces: frozenset[str] = frozenset()
    is_json: bool = False
    """The request says that its body is JSON."""


class Where(NamedTuple):
    """The place of an exchange in the run."""

    scenario: str
    protocol: str
    round: int
    leg: str
    unassigned: bool = False


class _Round:
    """One round of the client's leg."""

    def __init__(self, where: Where, conversation: object, works: bool) -> None:
        self.where = where
        self.conversation = conversation
        self.works = works
        """The agent works on it: it can be the cause of other exchanges."""
        self.traces: set[str] = set()
        self.is_open = True


def traces(headers: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The ids by which a request says which trace it belongs to; names in lower case."""
    return frozenset(_traces(headers))


def _traces(headers: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, value in headers:
        if name == "traceparent" and (match := _TRACEPARENT.match(value)):
            yield match[1]
        elif name == "b3":
            yield value.partition("-")[0]
        elif name in _TRACES and value:
            yield value


class Rounds:
    """The rounds of a run, as they come and go."""

    def __init__(self, scenario: str | None = None) -> None:
        self._scenario = scenario
        self._open: dict[object, _Round] = {}
        self._numbers: dict[str, int] = {}
        self._nameless = 0
        self._names: dict[str, str] = {}
        self._again: set[str] = set()
        self._by_id: dict[str, _Round] = {}
        self._by_trace: dict[str, _Round] = {}
        self._of_key: dict[object, _Round] = {}

    def name(self, context_id: str, scenario: str) -> None:
        """The conversation `context_id` is called `scenario`."""
        self._names[context_id] = scenario

    def again(self, context_id: str) -> Where | None:
        """The next request of a conversation is its last one, sent again: the place of that one."""
        found = self._known(context_id)
        if found is None:
            return None
        self._again.add(context_id)
        return found.where

    def begin(self, key: object, call: Call) -> Where:
        """The place of a new exchange; `key` names it until `end`."""
        label = protocol(call)
        if label == OTHER:
            return Where(self._scenario or "other", OTHER, 0, call.leg)
        if call.leg == CLIENT and label not in WITHIN:
            return self._opened(key, call, label)
        found = self._cause(call)
        if found is None:
            scenario = self._scenario or call.asked.context_id or UNASSIGNED
            return Where(scenario, label, 0, call.leg, unassigned=True)
        self._of_key[key] = found
        self._remember(found, call)
        return found.where._replace(protocol=label, leg=call.leg)

    def learn(self, key: object, context_id: str | None, task_id: str | None) -> Where | None:
        """Ids that the answer told; the exchange's place, if it has another name by that."""
        found = self._of_key.get(key)
        if found is None:
            return None
        self._note(found, (context_id, task_id))
        where = found.where
        if key not in self._open or context_id is None or not _is_nameless(where.scenario):
            return None
        number = self._numbers.get(context_id, 0) + 1
        self._numbers[context_id] = number
        found.where = where._replace(scenario=context_id, round=number)
        return found.where

    def end(self, key: object) -> None:
        """The exchange is over."""
        self._of_key.pop(key, None)
        found = self._open.pop(key, None)
        if found is not None:
            found.is_open = False

    def _opened(self, key: object, call: Call, label: str) -> Where:
        asked = call.asked
        before = self._known(asked.context_id) or self._known(asked.task_id)
        named = self._names.get(asked.context_id or "", asked.context_id)
        scenario = self._scenario or (before.where.scenario if before else named)
        if scenario is None:
            self._nameless += 1
            scenario = f"{_NAMELESS}{self._nameless}"
        where = Where(scenario, label, self._number(scenario, before, asked.context_id), call.leg)
        conversation = before.conversation if before else asked.context_id or object()
        made = _Round(where, conversation, works=label != "A2A_SUBSCRIBE")
        self._open[key] = self._of_key[key] = made
        self._remember(made, call)
        return where

    def _number(self, scenario: str, before: _Round | None, context_id: str | None) -> int:
        if before is not None and context_id in self._again:
            self._again.discard(context_id)
            return before.where.round
        number = self._numbers[scenario] = self._numbers.get(scenario, 0) + 1
        return number

    def _remember(self, found: _Round, call: Call) -> None:
        self._note(found, (call.asked.context_id, call.asked.task_id))
        for trace in call.traces:
            found.traces.add(trace)
            self._by_trace[trace] = found
        _trim(self._by_trace)

    def _note(self, found: _Round, ids: Iterable[str | None]) -> None:
        if not found.works:
            return
        for one in ids:
            if one:
                self._by_id.pop(one, None)
                self._by_id[one] = found
        _trim(self._by_id)

    def _known(self, one: str | None) -> _Round | None:
        return self._by_id.get(one) if one else None

    def _cause(self, call: Call) -> _Round | None:
        """The round that an exchange of another leg, or a call about a task, belongs to."""
        asked = call.asked
        found = self._by_name(asked.context_id) or self._by_name(asked.task_id)
        return self._now(found) if found else self._traced(call) or self._only()

    def _now(self, found: _Round) -> _Round:
        """`found`, or the round of its conversation that is open when it is over: a child goes on as well."""
        if found.is_open:
            return found
        working = [one for one in self._open.values() if one.works and one.conversation == found.conversation]
        return working[-1] if working else found

    def _by_name(self, one: str | None) -> _Round | None:
        """By an id that is known, or that begins with one: the latest round of that conversation."""
        for name in _prefixes(one or ""):
            if found := self._by_id.get(name):
                return found
        return None

    def _traced(self, call: Call) -> _Round | None:
        found = {id(one): one for trace in call.traces if (one := self._by_trace.get(trace))}
        if len(found) != 1 or sum(bool(call.traces & one.traces) for one in self._open.values()) > 1:
            return None
        return next(iter(found.values()))

    def _only(self) -> _Round | None:
        """The latest round, if rounds of one conversation only are open."""
        working = [one for one in self._open.values() if one.works]
        if len({one.conversation for one in working}) != 1:
            return None
        return working[-1]


_NAMELESS = "conversation-"


def _is_nameless(scenario: str) -> bool:
    return scenario.startswith(_NAMELESS) and scenario.removeprefix(_NAMELESS).isdecimal()


def _prefixes(one: str) -> Iterator[str]:
    """The id itself, then what stands before each border in it, the longest first; `shadow:agent:id` too."""
    if not one:
        return
    yield one
    if one.startswith("shadow:"):
        yield one.split(":", 2)[-1]
    for match in reversed(list(_BORDER.finditer(one))):
        if match.start():
            yield one[: match.start()]


def _trim(known: dict[str, _Round]) -> None:
    while len(known) > _REMEMBERED:
        del known[next(iter(known))]
