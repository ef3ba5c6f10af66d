"""An agent that plays against a real model server, turn by turn."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.testbed.core.build import build
from harness.testbed.core.chunks import INTERACTION, Turn, interaction_of
from harness.testbed.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.testbed.model.serving import Serving

REMOTES = (
    "search-agent",
    "verify-agent",
    "versatile-adapter",
    "hotel-agent",
    "flight-agent",
    "expense-review-workflow",
)
CONTEXT = "ctx-demo-01"
MODEL: list[Serving] = []
"""The model server of the whole session (`conftest.py`)."""


class Told(list[dict[str, Any]]):
    """The chunks of one turn."""

    def of(self, *types: str) -> list[dict[str, Any]]:
        return [one for one in self if one["type"] in types]

    @property
    def interactions(self):
        return [interaction_of(one) for one in self.of(INTERACTION)]

    @property
    def end(self) -> dict[str, Any]:
        return self[-1]


class Player(NamedTuple):
    """An agent in one conversation."""

    agent: Any
    plan: Plan
    model: Serving
    steer: asyncio.Queue[str]
    runner: asyncio.Runner

    def says(self, text: str, **headers: str) -> Told:
        """A new request."""
        return self._turn(text, {}, headers)

    def resumed(self, results: dict[str, object]) -> Told:
        """The next turn, with results."""
        return self._turn("", results, {})

    def to_the_end(self, text: str, result="R({})") -> list[Told]:
        """All turns of a conversation in which each interrupted call gets a result."""
        turns = [self.says(text)]
        while turns[-1].interactions:
            given = {one.call_id or one.id: result.format(one.message) for one in turns[-1].interactions}
            turns.append(self.resumed(given))
        return turns

    def _turn(self, text, results, headers) -> Told:
        turn = Turn(CONTEXT, "t-1", text, results, self.steer, headers)

        async def run() -> Told:
            return Told([one async for one in self.agent.stream(turn, self.plan)])

        return self.runner.run(run())


@contextmanager
def playing(kind: str | None, name: str = "deep-research", /, **plan: Any) -> Iterator[Player]:
    """An agent of a kind with all remote agents, and its model."""
    model = MODEL[0]
    model.asked.clear()
    with asyncio.Runner() as runner:
        agent = build(kind, name, REMOTES, model.url)
        try:
            yield Player(agent, Plan.of(plan), model, asyncio.Queue(), runner)
        finally:
            runner.run(agent.close())
