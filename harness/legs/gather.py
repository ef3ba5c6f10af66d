"""Conversations of a check: its rounds, model calls and remote calls, by run folder and scenario."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness import topologies
from harness.capture.naming import BESIDE
from harness.capture.store import read_run
from harness.errors import CaptureError
from harness.legs.cast import role
from harness.legs.reading import events, span
from harness.legs.remote import remote_call
from harness.legs.shown import Shown
from harness.llm import read
from harness.rules.legs import CLIENT, LLM, Conversation, Seen, Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.kit import Kit, Options
    from harness.llm import ModelCall
    from harness.model.capture import Capture
    from harness.model.scenario import Expect, Scenario
    from harness.rounds import Judged
    from harness.rules.legs import RemoteCall
    from harness.rules.rule import Rule

_OTHER, _MODEL = BESIDE
type _Key = tuple[str, str]


def gather(
    judged: Sequence[Judged], captures: Sequence[Capture], kit: Kit, options: Options
) -> list[Conversation]:
    """Every conversation of which a client's round, a model call or a scenario is known, in order."""
    return _Gathering(judged, captures, kit, options).talks()


class _Gathering:
    """One check: what is looked up in it, and what was read for it."""

    def __init__(
        self, judged: Sequence[Judged], captures: Sequence[Capture], kit: Kit, options: Options
    ) -> None:
        self._judged = judged
        self._kit = kit
        self._options = options
        self._plans = {one.name: one for one in options.scenarios}
        self._captures = {capture.source: capture for capture in captures}
        self._models = _models(captures)
        self._legs = _legs(captures)
        self._loose = _loose(captures)

    def talks(self) -> list[Conversation]:
        keys = {(one.facts.group, one.facts.scenario) for one in self._judged if one.round.leg == CLIENT}
        keys |= self._models.keys()
        talks = [self._talk(key) for key in sorted(keys)]
        known = {talk.scenario for talk in talks if talk.rounds}
        absent = [one for one in self._wanted() if one.name not in known]
        return talks + [self._empty(one) for one in absent]

    def _wanted(self) -> Iterable[Scenario]:
        """The scenarios that must have been recorded."""
        topology = self._options.topology
        for one in self._options.scenarios:
            if one.name not in self._options.may_be_absent and topology in (None, one.topology):
                yield one

    def _empty(self, plan: Scenario) -> Conversation:
        contract = self._kit.selection.contract.name
        return Conversation("", plan.name, plan=plan, contract=contract, defects=self._options.defects)

    def _talk(self, key: _Key) -> Conversation:
        group, scenario = key
        plan = self._plans.get(scenario)
        legs = self._legs.get(group, frozenset())
        remotes = self._remotes(key, legs) if self._is_looked_at(key, plan) else ()
        return Conversation(
            group=group,
            scenario=scenario,
            rounds=tuple(self._rounds(key)),
            models=tuple(self._models.get(key, ())),
            remotes=remotes,
            legs=legs,
            tools=self._tools(key, plan, legs),
            loose=self._loose.get(group, frozenset()),
            plan=plan,
            contract=self._kit.selection.contract.name,
            defects=self._options.defects,
            codes=frozenset(rule.code for rule in self._rules()),
        )

    def _rules(self) -> Iterable[type[Rule]]:
        selection = self._kit.selection
        return (*selection.single, *selection.across, *selection.legs)

    def _is_looked_at(self, key: _Key, plan: Scenario | None) -> bool:
        """Are the remote legs needed: with model calls, a scenario, or a leak that they may prove?"""
        if plan is not None or key in self._models:
            return True
        return any(
            asked.exposure == "leaked"
            for one in self._judged
            if (one.facts.group, one.facts.scenario) == key
            for asked in one.round.interactions
        )

    def _rounds(self, key: _Key) -> Iterable[Seen]:
        found = [
            self._seen(index)
            for index, one in enumerate(self._judged)
            if one.round.leg == CLIENT and (one.facts.group, one.facts.scenario) == key
        ]
        return sorted(found, key=lambda seen: (seen.facts.round, seen.position))

    def _seen(self, index: int) -> Seen:
        one = self._judged[index]
        capture = self._captures.get(one.round.source)
        wanted = role(capture, one.round.round, self._options.scenarios) if capture else None
        return Seen(
            position=index,
            round=one.round,
            facts=one.facts,
            wanted=wanted,
            began_ns=span(capture).began_ns if capture and wanted and wanted.steer else None,
            texts=_texts(capture, wanted.expect, self._kit.max_line) if capture and wanted else None,
        )

    def _remotes(self, key: _Key, legs: frozenset[str]) -> tuple[RemoteCall, ...]:
        if not legs - {CLIENT, LLM}:
            return ()
        found: list[RemoteCall] = []
        for one in self._judged:
            capture = self._captures.get(one.round.source)
            if one.round.leg == CLIENT or (one.facts.group, one.facts.scenario) != key or capture is None:
                continue
            call = remote_call(capture, one.round, self._kit.max_line)
            if call is not None:
                found.append(call)
        return tuple(sorted(found, key=lambda call: (call.began_ns or 0, call.source)))

    def _tools(self, key: _Key, plan: Scenario | None, legs: frozenset[str]) -> Mapping[str, str]:
        """Remote agents by name, with their legs: of the topology, and the legs that were recorded."""
        names = [plan.topology] if plan else []
        names += [
            one.round.topology
            for one in self._judged
            if one.round.topology and (one.facts.group, one.facts.scenario) == key
        ]
        tools = {leg: leg for leg in legs - {CLIENT, LLM}}
        for name in names[:1]:
            topology = topologies.named(self._kit.topologies, name)
            edges = topology.edges if topology else ()
            tools |= {edge.target: edge.leg for edge in edges if edge.leg != CLIENT}
        return tools


def _texts(capture: Capture, expect: Expect, max_line: int) -> Texts | None:
    wanted = (*expect.has, *expect.lacks)
    if not wanted and not expect.order:
        return None
    shown = Shown(wanted, expect.order)
    for event in events(capture, max_line):
        shown.take(event)
    return Texts(shown.found, shown.reached)


def _models(captures: Iterable[Capture]) -> dict[_Key, list[ModelCall]]:
    found: dict[_Key, list[ModelCall]] = {}
    for capture in captures:
        if capture.protocol == _MODEL:
            when = span(capture)
            call = read(capture, when.began_ns, when.ended_ns)
            found.setdefault((call.group, call.scenario), []).append(call)
    for calls in found.values():
        calls.sort(key=lambda call: (call.began_ns or 0, call.round, call.source))
    return found


def _legs(captures: Iterable[Capture]) -> dict[str, frozenset[str]]:
    """By run folder the legs that were recorded, those of `run.json` without an exchange included."""
    found: dict[str, set[str]] = {}
    for capture in captures:
        group = capture.group or capture.source
        if group not in found:
            found[group] = set(_declared(capture))
        found[group].add(LLM if capture.protocol == _MODEL else capture.leg)
    return {group: frozenset(legs) for group, legs in found.items()}


def _declared(capture: Capture) -> Iterable[str]:
    """The legs that `run.json` lists; what is wrong with that file is told where it is found."""
    try:
        facts = read_run(os.path.dirname(capture.path)) if capture.group else None
    except CaptureError:
        return ()
    listed = facts.get("legs") if facts else None
    names = (one.get("name") for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()
    return (name for name in names if isinstance(name, str))


def _loose(captures: Iterable[Capture]) -> dict[str, frozenset[str]]:
    """By run folder the legs with exchanges that the recorder could not assign to a round."""
    found: dict[str, set[str]] = {}
    for capture in captures:
        if capture.round == 0 and capture.protocol != _OTHER:
            leg = LLM if capture.protocol == _MODEL else capture.leg
            found.setdefault(capture.group or capture.source, set()).add(leg)
    return {group: frozenset(legs) for group, legs in found.items()}
