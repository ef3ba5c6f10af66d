"""Drives conversations, so many at a time, until all are over or the run is stopped."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.drive import Driven, drive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.drive import Step, Target
    from harness.live.stop import Stop
    from harness.live.system import Talk


class Conductor:
    """Drives the conversations of one run."""

    def __init__(
        self, jobs: int, mappings: Sequence[str], stop: Stop, on_step: Callable[[Step], None] | None
    ) -> None:
        self._jobs = jobs
        self._mappings = mappings
        self._stop = stop
        self._on_step = on_step
        self.driven: list[Driven] = []
        """Conversations that are over, in the order in which they ended."""

    def run(self, talks: Sequence[tuple[Talk, Target]]) -> None:
        """Drive all; returns early when the run is stopped."""
        try:
            asyncio.run(self._all(talks))
        except asyncio.CancelledError:
            if self._stop.number is None:
                raise

    async def _all(self, talks: Sequence[tuple[Talk, Target]]) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        free = asyncio.Semaphore(self._jobs)

        async def one(talk: Talk, target: Target) -> None:
            async with free:
                self.driven.append(
                    await drive(
                        talk.scenario,
                        target,
                        talk.context_id,
                        on_progress=self._on_step,
                        mappings=self._mappings,
                    )
                )

        with self._stop.calling(lambda: loop.call_soon_threadsafe(task.cancel)):
            async with asyncio.TaskGroup() as group:
                for talk, target in talks:
                    group.create_task(one(talk, target))
