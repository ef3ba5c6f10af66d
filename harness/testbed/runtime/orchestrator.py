"""The runtime of one agent: its tasks, the turns that run, and the delegations that wait for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from harness.testbed.core.chunks import CoreAgent, Turn
from harness.testbed.plan import Plan
from harness.testbed.runtime.batch import MAX_CONCURRENCY, Batch, Wire
from harness.testbed.runtime.harm import CHANGED, harmed
from harness.testbed.runtime.inbound import Message
from harness.testbed.runtime.plans import Played, played
from harness.testbed.runtime.projection import Mapper
from harness.testbed.runtime.remote import RemoteAgents
from harness.testbed.runtime.tasks import Task, Tasks
from harness.testbed.runtime.work import Setting, Work

CANCEL_S = 2.0
"""So long a canceled turn may wait for its remote agents to stop."""


class Profile(NamedTuple):
    """Who the agent is."""

    name: str
    kind: str | None = None
    streamed: frozenset[str] = frozenset()
    """Remote agents whose output the client is shown."""


class Turnover(NamedTuple):
    """A message that was taken: the task that goes on, and how."""

    task: Task
    turn: Turn
    batch: Batch | None
    opens: bool


class Orchestrator:
    """Takes messages, starts turns, ends them."""

    def __init__(
        self,
        profile: Profile,
        core: Callable[[str | None], CoreAgent],
        agents: RemoteAgents,
        plans: Mapping[str, Plan],
    ) -> None:
        self.profile = profile
        self.tasks = Tasks()
        self._core, self._agents, self._plans = core, agents, plans
        self._gate = asyncio.Semaphore(MAX_CONCURRENCY)
        self._batches: dict[str, Batch] = {}
        self._works: dict[str, Work] = {}

    def played(self, context_id: str) -> Played:
        """How a conversation is played."""
        return played(self._plans, context_id)

    def open(self, message: Message, headers: Mapping[str, str]) -> Turnover:
        """A new task for a message."""
        task = self.tasks.open(message.context_id)
        return Turnover(task, self._turn(task, message.text, {}, headers), None, True)

    def resume(self, task: Task, message: Message, headers: Mapping[str, str]) -> Turnover:
        """The next turn of a task that waits; Refused when nothing waits for the answers."""
        answers = {call.removesuffix(CHANGED): text for call, text in message.answers.items()}
        batch = self._batches.get(task.place.task_id)
        if batch:
            batch.answer(answers)
        opens = "resume-new-task" in self.played(task.place.context_id).plan.defects
        if opens:
            task = self.tasks.open(task.place.context_id)
        return Turnover(task, self._turn(task, "", answers, headers), batch, opens)

    def begin(self, taken: Turnover) -> None:
        """Start the turn; it goes on whoever listens."""
        task = taken.task
        work = self._works[task.place.task_id] = Work(self._setting(task, taken.turn.headers))
        task.run = asyncio.create_task(work.run(taken.turn, taken.batch, opens=taken.opens))

    async def cancel(self, task: Task) -> None:
        """End a task that works or waits; its remote agents are told first."""
        task_id = task.place.task_id
        work, batch = self._works[task_id], self._batches.pop(task_id, None)
        work.canceled = True
        if batch:
            await batch.cancel(self._agents)
        if task.run and not task.run.done():
            done, _ = await asyncio.wait([task.run], timeout=CANCEL_S if batch else 0)
            if not done:
                task.run.cancel()
                await asyncio.wait([task.run])
        if not task.is_over:
            task.cancel()

    async def aclose(self) -> None:
        """Stop what runs and give the connections back."""
        running = [work.setting.task.run for work in self._works.values() if work.setting.task.run]
        for run in running:
            run.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._agents.aclose()

    def _turn(self, task: Task, text: str, results: Mapping[str, object], headers: Mapping[str, str]) -> Turn:
        place = task.place
        return Turn(
            place.context_id, place.task_id, text, results, self.tasks.steer(place.context_id), headers
        )

    def _setting(self, task: Task, headers: Mapping[str, str]) -> Setting:
        how = self.played(task.place.context_id)
        mapper = Mapper(task.place, how.plan.generation, self.profile.name)
        publish = harmed(task.publish, how.plan.defects)
        wire = Wire(self._agents, mapper, publish, headers, self._gate)
        core = self._core((how.plan.kind if how.is_entry else None) or self.profile.kind)
        return Setting(task, how.plan, core, wire, self.profile.streamed, partial(self._keep, task))

    def _keep(self, task: Task, batch: Batch | None) -> None:
        if batch:
            self._batches[task.place.task_id] = batch
        else:
            self._batches.pop(task.place.task_id, None)
