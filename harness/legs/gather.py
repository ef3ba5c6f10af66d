"""Conversations of a check: its rounds, model calls and remote calls, by run folder and scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import topologies
from harness.capture.naming import BESIDE
from harness.legs.cast import role
from harness.legs.reading import events, span
from harness.legs.remote import remote_call
from harness.legs.runs import RunFolder, runs
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

_MODEL = BESIDE[1]
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
        self._of: dict[_Key, list[int]] = {}
        """Rounds of each conversation, on all legs."""
        for index, one in enumerate(judged):
            self._of.setdefault((one.facts.group, one.facts.scenario), []).append(index)
        self._runs = runs(captures)

    def talks(self) -> list[Conversation]:
        keys = {key for key in self._of if any(True for _ in self._clients(key))}
        if self._options.topology is None:
            keys |= self._models.keys()
        talks = [self._talk(key) for key in sorted(keys)]
        known = {talk.scenario for talk in talks if talk.rounds}
        absent = [one for one in self._wanted() if one.name not in known]
        return talks + [self._empty(one) for one in absent]

    def _clients(self, key: _Key) -> Iterable[int]:
        return (at for at in self._of.get(key, ()) if self._judged[at].round.leg == CLIENT)

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
        run = self._runs.get(group, RunFolder())
        legs = run.legs
        remotes = self._remotes(key, legs) if self._is_looked_at(key, plan) else ()
        return Conversation(
            group=group,
            scenario=scenario,
            rounds=tuple(self._rounds(key)),
            models=tuple(self._models.get(key, ())),
            remotes=remotes,
            legs=legs,
            tools=self._tools(key, plan, legs),
            loose=run.loose,
            gone=run.gone(scenario),
            plan=plan,
            contract=self._kit.selection.contract.name,
            defects=self._options.defects or run.defects,
            codes=frozenset(rule.code for rule in self._rules()),
        )

    def _rules(self) -> Iterable[type[Rule]]:
        selection = self._kit.selection
        return (*selection.single, *selection.across, *selection.legs)

    def _is_looked_at(self, key: _Key, plan: Scenario | None) -> bool:
        """Are the remote legs needed: with model calls, a scenario, or a leak that they may prove?"""
        if plan is not None or key in self._models:
            return True
        rounds = (self._judged[at].round for at in self._of.get(key, ()))
        return any(asked.exposure == "leaked" for one in rounds for asked in one.interactions)

    def _rounds(self, key: _Key) -> Iterable[Seen]:
        found = [self._seen(index) for index in self._clients(key)]
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
        for index in self._of.get(key, ()):
            one = self._judged[index]
            capture = self._captures.get(one.round.source)
            if one.round.leg == CLIENT or capture is None:
                continue
            call = remote_call(capture, one.round, self._kit.max_line)
            if call is not None:
                found.append(call)
        return tuple(sorted(found, key=lambda call: (call.began_ns or 0, call.source)))

    def _tools(self, key: _Key, plan: Scenario | None, legs: frozenset[str]) -> Mapping[str, str]:
        """Remote agents by name, with their legs: of the topology, and the legs that were recorded."""
        names = [plan.topology] if plan else []
        rounds = (self._judged[at].round for at in self._of.get(key, ()))
        names += [one.topology for one in rounds if one.topology]
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
