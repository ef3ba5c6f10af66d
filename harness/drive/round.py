"""One round while it runs: its request, its cancelling, what became of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.drive.exchange import Ended, Exchange, Post
from harness.drive.values import DrivenRound
from harness.drive.wording import Wording, traceparent

if TYPE_CHECKING:
    from harness.drive.conversation import Conversation
    from harness.model.event import Dialect
    from harness.model.scenario import Part, ScenarioRound

_CANCEL_S = 10.0
"""How long the answer to CancelTask is waited for."""


class RunningRound:
    """One round of a conversation."""

    def __init__(self, talk: Conversation, round: ScenarioRound) -> None:
        self.round = round
        self._talk = talk
        self._tell = talk.tell
        self._canceled = False
        self._wording = Wording(talk.target.protocol)
        self._headers = (
            *self._wording.version.headers,
            ("traceparent", traceparent()),
            *talk.target.headers,
        )
        self.exchange = self._exchange()

    def _exchange(self) -> Exchange:
        dialect: Dialect = "v0.3" if self._talk.target.protocol == "v0.3" else "v1.0"
        return Exchange(self._talk.client, self._talk.mapper, dialect)

    def gives_up(self) -> None:
        """Nothing is sent: whoever waits for it need not."""
        self.exchange.answered.set()
        self.exchange.shown.set()

    async def run(self, parts: list[tuple[Part, str | None]] | str) -> DrivenRound:
        """Send and read; `parts` may be the reason why nothing can be sent."""
        if isinstance(parts, str):
            self.gives_up()
            return self._done(Ended("not_sent", text=parts))
        self._tell(self.round, "sent")
        canceling = self._canceling()
        try:
            ended = await self.exchange.run(self._post(parts), self._again)
            if canceling is not None and self._canceled:
                await asyncio.wait([canceling])
        finally:
            if canceling is not None:
                canceling.cancel()
        return self._done(ended)

    def _post(self, parts: list[tuple[Part, str | None]]) -> Post:
        talk, round = self._talk, self.round
        body = self._wording.message(
            f"{talk.context_id}-r{round.number}",
            parts,
            context_id=talk.context_id,
            task_id=None if round.opens else talk.task_id,
            steer=round.steer,
        )
        timeout = round.timeout_s or talk.scenario.timeout_s
        return Post(talk.target.url, self._headers, body, timeout, talk.scenario.retries)

    def _again(self, ended: Ended) -> None:
        text = ended.text or f"HTTP {ended.status}"
        self._tell(self.round, "again", text=text)

    def _canceling(self) -> asyncio.Task[None] | None:
        if self.round.cancel_after_s is None:
            return None
        return asyncio.create_task(self._cancel(self.round.cancel_after_s))

    async def _cancel(self, after_s: float) -> None:
        """CancelTask, as soon as the time has come and the task has a name."""
        await asyncio.sleep(after_s)
        await self.exchange.shown.wait()
        task_id = self.exchange.reading.stream.task_id or self._talk.task_id
        if task_id is None:
            return
        self._canceled = True
        body = self._wording.cancel(f"{self._talk.context_id}-r{self.round.number}-cancel", task_id)
        post = Post(self._talk.target.url, self._headers, body, _CANCEL_S, 0)
        ended = await self._exchange().run(post, self._again)
        self._tell(self.round, "canceled", text=ended.text)

    def _done(self, ended: Ended) -> DrivenRound:
        reading = self.exchange.reading
        driven = DrivenRound(
            number=self.round.number,
            end=ended.end,
            status=ended.status,
            state=reading.stream.last_state,
            task_id=reading.stream.task_id,
            attempts=self.exchange.attempts,
            questions=reading.questions,
            text=ended.text,
        )
        self._tell(self.round, "ended", driven)
        return driven
