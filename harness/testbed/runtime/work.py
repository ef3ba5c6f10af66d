"""One turn of a task, from the client's message to its end.

Content is passed on unread and at once. Questions are collected to the end of the core's stream;
those that are delegations are answered by remote agents, called concurrently, and the core is resumed
once with all results by toolCallId. The client is asked for what the core asks itself, and by a proxy
for what a remote agent asks.
"""

from __future__ import annotations

import traceback
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

from harness.testbed.core.chunks import INTERACTION, Chunk, CoreAgent, Turn
from harness.testbed.plan import Plan
from harness.testbed.runtime.batch import Batch, Wire, member_of
from harness.testbed.runtime.frames import agent_message, status_update
from harness.testbed.runtime.interrupts import Refused, are_delegations, proxy, public
from harness.testbed.runtime.projection import Failure, ends, failed, interrupted, is_error
from harness.testbed.runtime.remote import Reply
from harness.testbed.runtime.tasks import Task

type Json = dict[str, Any]


class Setting(NamedTuple):
    """What a turn works with."""

    task: Task
    plan: Plan
    core: CoreAgent
    wire: Wire
    streamed: frozenset[str]
    """Remote agents whose output the client is shown."""
    keep: Callable[[Batch | None], None]
    """Told which delegations are open."""


class Work:
    """One turn in progress."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.canceled = False
        """The client wants no more; remote agents have been told."""

    async def run(self, turn: Turn, batch: Batch | None, *, opens: bool) -> None:
        """Play the turn; `batch` holds the remote agents that the client answered."""
        task, publish = self.setting.task, self.setting.wire.publish
        for state in ("SUBMITTED", "WORKING") if opens else ("WORKING",):
            publish(status_update(task.place, state))
        end = status_update(task.place, "CANCELED")
        try:
            end = await self._end(turn, batch)
        except Refused as refused:
            end = failed(task.place, Failure(code=refused.code))
        except Exception:  # noqa: BLE001 - an agent's own fault is told to its client, as the runtime does
            traceback.print_exc()
            end = failed(task.place, Failure())
        finally:
            publish(end)
            task.end_turn()

    async def _end(self, turn: Turn, batch: Batch | None) -> Json:
        """What the turn ends with."""
        while True:
            if batch:
                if end := await self._delegated(batch):
                    return end
                turn = turn._replace(text="", results=self._results(batch))
            asked, end = await self._core(turn)
            if end:
                return end
            if not asked:
                return status_update(self.setting.task.place, "COMPLETED")
            if not are_delegations(asked):
                return interrupted(self.setting.task.place, public(asked))
            batch = self._batch(asked)

    async def _core(self, turn: Turn) -> tuple[list[Chunk], Json | None]:
        """The questions of one run of the core, and the end that it gave itself."""
        asked: list[Chunk] = []
        end: Json | None = None
        async for chunk in self.setting.core.stream(turn, self.setting.plan):
            if chunk["type"] == INTERACTION:
                asked.append(chunk)
            else:
                end = self._take(chunk) or end
        return asked, end

    def _take(self, chunk: Chunk) -> Json | None:
        """Pass a chunk on, unless it is an end that the client sees as a state only."""
        place = self.setting.task.place
        if chunk["type"] == "input_required":
            return status_update(place, "INPUT_REQUIRED")
        if chunk["type"] == "error":
            return failed(place, _failure(chunk))
        if ends(chunk) and is_error(chunk) and "failure-as-answer" not in self.setting.plan.defects:
            return failed(place, Failure())
        self.setting.wire.publish(self.setting.wire.mapper.chunk(chunk))
        return None

    def _batch(self, asked: list[Chunk]) -> Batch:
        setting = self.setting
        if "control-leak" in setting.plan.defects:
            setting.wire.publish(self._unmasked(asked))
        batch_id = f"batch-{uuid.uuid4().hex[:8]}"
        return Batch(batch_id, [member_of(one, batch_id, setting.streamed) for one in asked])

    async def _delegated(self, batch: Batch) -> Json | None:
        """Have the remote agents answer; None when all have, else the proxy interrupt."""
        setting = self.setting
        if "remote-call-missing" in setting.plan.defects and len(batch.members) == 1:
            batch.members[0].reply = Reply("COMPLETED", value=MADE_UP.format(batch.members[0].call.message))
            return None
        setting.keep(batch)
        await batch.run(setting.wire, serial="calls-serial" in setting.plan.defects)
        if self.canceled:
            return status_update(setting.task.place, "CANCELED")
        if not batch.waiting:
            setting.keep(None)
            return None
        items = [(one.call.tool_call_id, one.call.tool, one.prompt) for one in batch.waiting]
        return interrupted(setting.task.place, proxy(items))

    def _results(self, batch: Batch) -> dict[str, object]:
        results = batch.results()
        if "results-crossed" in self.setting.plan.defects:
            calls, values = list(results), list(results.values())
            return dict(zip(calls, values[1:] + values[:1], strict=True))
        return results

    def _unmasked(self, asked: list[Chunk]) -> Json:
        place, interrupt = self.setting.task.place, public(asked)
        message = agent_message(place, interrupt["message"], {"_interrupt": interrupt})
        return status_update(place, "WORKING", message)


MADE_UP = "【{}】来源一致"
"""The result of the remote agent that `remote-call-missing` does not call: as good as a real one."""


def _failure(chunk: Chunk) -> Failure:
    payload = chunk.get("payload") or {}
    return Failure(
        str(payload.get("message") or Failure().text),
        str(payload.get("code") or Failure().code),
        payload.get("numericCode"),
        bool(payload.get("retryable")),
    )
