"""One conversation: the rounds of a scenario in their order, and what is sent meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx

from harness.drive.cards import NoCard, resolved
from harness.drive.round import RunningRound
from harness.drive.values import Driven, DrivenRound, Step
from harness.mapping.engine import Mapper
from harness.mapping.load import load
from harness.model.event import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.drive.values import OnProgress, Question, Target, What
    from harness.model.scenario import Part, Scenario, ScenarioRound

_ENDS = frozenset(state.upper() for state in TERMINAL)
"""Outcomes that end a task."""


async def drive(
    scenario: Scenario,
    target: Target,
    context_id: str,
    *,
    on_progress: OnProgress | None = None,
    mappings: Sequence[str] = (),
) -> Driven:
    """Send the rounds of `scenario` as the conversation `context_id`; never raises for what a system does.

    `mappings` are files of further shapes in which it may ask, as those of `harness check`.
    """
    async with _client() as client:
        try:
            async with asyncio.timeout(scenario.timeout_s):
                target = await resolved(target, client)
        except (NoCard, TimeoutError) as fault:
            why = str(fault) or f"no answer within {scenario.timeout_s:g} s"
            text = f"no agent card tells what it speaks: {why}"
            return _unsent(scenario, context_id, text, on_progress)
        talk = Conversation(scenario, target, context_id, client, Mapper(load(mappings)), on_progress)
        return Driven(scenario.name, context_id, await talk.run())


def _client() -> httpx.AsyncClient:
    """A connection for each request: one that is kept may be closed by the time it is used again."""
    limits = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=None, limits=limits)


def _unsent(scenario: Scenario, context_id: str, text: str, tell: OnProgress | None) -> Driven:
    rounds = tuple(DrivenRound(one.number, "not_sent", text=text) for one in scenario.rounds)
    for one in rounds:
        if tell is not None:
            tell(Step(scenario.name, context_id, one.number, "ended", one))
    return Driven(scenario.name, context_id, rounds)


class Conversation:
    """Sends the rounds, one after the other, and those in between while another one runs."""

    def __init__(
        self,
        scenario: Scenario,
        target: Target,
        context_id: str,
        client: httpx.AsyncClient,
        mapper: Mapper,
        on_progress: OnProgress | None,
    ) -> None:
        self.scenario = scenario
        self.target = target
        self.context_id = context_id
        self.client = client
        self.mapper = mapper
        self.task_id: str | None = None
        self.state: str | None = None
        """Of the task, as the last answer told it."""
        self.asked: list[tuple[Question, ...]] = []
        """What each answer asked, the latest last."""
        self._stuck: str | None = None
        """Why nothing more is sent."""
        self._on_progress = on_progress

    def tell(self, one: ScenarioRound, what: What, driven: DrivenRound | None = None, text: str = "") -> None:
        """Pass a step on."""
        if self._on_progress is not None:
            step = Step(self.scenario.name, self.context_id, one.number, what, driven, text)
            self._on_progress(step)

    async def run(self) -> tuple[DrivenRound, ...]:
        """All rounds."""
        driven: list[DrivenRound] = []
        main: ScenarioRound | None = None
        for together in _grouped(self.scenario.rounds):
            done = await self._together(together, self._lacks(together[0], main))
            self._stuck = self._stuck or _stuck(done[0])
            driven += done
            main = together[0]
        return tuple(driven)

    def _lacks(self, one: ScenarioRound, main: ScenarioRound | None) -> str | None:
        """Why a round can not be sent; None: it can."""
        if self._stuck is not None:
            return self._stuck
        if one.opens:
            return None
        if self.task_id is None:
            return "no round has told a task that could be continued"
        expected = main.expect.outcome if main else None
        if self.state in TERMINAL and expected not in _ENDS:
            return f"the task is {self.state}, and the scenario did not expect its end"
        return None

    async def _together(self, rounds: Sequence[ScenarioRound], lacks: str | None) -> list[DrivenRound]:
        """A round, and those that are sent while it runs."""
        if lacks is not None:
            return [self._not_sent(one, lacks) for one in rounds]
        if rounds[0].opens:
            self.task_id = None
        first, *meanwhile = [RunningRound(self, one) for one in rounds]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(first.run(self._answers(rounds[0])))]
            before = first
            for one in meanwhile:
                await first.exchange.shown.wait()
                await before.exchange.answered.wait()
                tasks.append(group.create_task(self._meanwhile(first, one)))
                before = one
        for one in (first, *meanwhile):
            self._note(one)
        return [task.result() for task in tasks]

    async def _meanwhile(self, first: RunningRound, one: RunningRound) -> DrivenRound:
        if not first.exchange.reading.works:
            one.gives_up()
            return self._not_sent(one.round, f"round {first.round.number} never showed that the agent works")
        if not one.round.opens:
            self.task_id = first.exchange.reading.stream.task_id or self.task_id
        return await one.run(self._answers(one.round))

    def _note(self, one: RunningRound) -> None:
        """What later rounds need of a round's answer."""
        reading = one.exchange.reading
        if reading.stream.recognised == 0 or one.round.steer:
            return
        self.context_id = reading.stream.context_id or self.context_id
        self.task_id = reading.stream.task_id or self.task_id
        self.state = reading.stream.last_state
        self.asked.append(reading.questions)

    def _answers(self, one: ScenarioRound) -> list[tuple[Part, str | None]] | str:
        """The parts, each with the call that it answers; or why there is no such call."""
        made: list[tuple[Part, str | None]] = []
        for part in one.parts:
            call = None if part.answers is None else self._call(part.answers)
            if part.answers is not None and call is None:
                return self._unasked(part.answers)
            made.append((part, call))
        return made

    def _call(self, key: str) -> str | None:
        """The toolCallId of a question that was asked: by itself, or by the toolName of one question only."""
        for questions in reversed(self.asked):
            if any(one.call == key for one in questions):
                return key
            calls = {one.call for one in questions if one.tool == key and one.call is not None}
            if calls:
                return calls.pop() if len(calls) == 1 else None
        return None

    def _unasked(self, key: str) -> str:
        last = self.asked[-1] if self.asked else ()
        several = sum(one.tool == key for one in last) > 1
        seen = ", ".join(f"{one.tool} ({one.call})" for one in last[:20]) or "nothing"
        what = "was asked several times, name the toolCallId" if several else "was not asked"
        return f"{key!r} {what}; asked was: {seen}"

    def _not_sent(self, one: ScenarioRound, why: str) -> DrivenRound:
        driven = DrivenRound(one.number, "not_sent", text=why)
        self.tell(one, "ended", driven)
        return driven


def _stuck(driven: DrivenRound) -> str | None:
    if driven.end in ("over", "left"):
        return None
    return f"round {driven.number} was not {'sent' if driven.end == 'not_sent' else 'answered to its end'}"


def _grouped(rounds: Sequence[ScenarioRound]) -> list[list[ScenarioRound]]:
    """Each round with those that are sent while it runs."""
    groups: list[list[ScenarioRound]] = []
    for one in rounds:
        if one.during is None:
            groups.append([one])
        else:
            groups[-1].append(one)
    return groups
