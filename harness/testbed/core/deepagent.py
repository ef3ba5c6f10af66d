"""Deep agent: a task loop around a ReAct agent. It drives its rounds and handles their events."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from harness.testbed.core import chunks, spelling
from harness.testbed.core.chunks import INTERACTION, Chunk, Turn
from harness.testbed.core.conversation import Conversation
from harness.testbed.core.mirror import mirrors
from harness.testbed.core.react import MODEL_FAILED, ReactAgent
from harness.testbed.plan import Plan

FAILURE = f"[181001] {MODEL_FAILED}"
SYSTEM = "You are a research agent. Plan, delegate, then report."


class DeepAgent:
    """A ReAct agent in a task loop."""

    def __init__(self, name: str, remotes: Sequence[str], model_url: str) -> None:
        self._inner = ReactAgent(name, remotes, model_url, SYSTEM)

    async def close(self) -> None:
        """Close the connections to the model."""
        await self._inner.close()

    async def stream(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks of one turn: of as many inner rounds as steering texts ask for."""
        inner = self._inner.stream(turn, plan)
        while True:
            end: list[Chunk] = []
            async with aclosing(inner):
                async for one in inner:
                    if one["type"] in (INTERACTION, "answer"):
                        end.append(one)
                    else:
                        yield one
            if turn.steer.empty() or not _answered(end):
                break
            inner = self._inner.go_on(turn, plan)
        for one in self._ended(self._inner.talk(turn.context_id), end, plan):
            yield one

    def _ended(self, talk: Conversation, end: list[Chunk], plan: Plan) -> list[Chunk]:
        """What an inner round's end becomes: interrupts are mirrored by defect, faults are told."""
        frames = [one for one in end if one["type"] == INTERACTION]
        if frames:
            talk.steering += _polluted(frames, plan.defects)
            return [*mirrors(talk, list(talk.waiting.values()), frames, plan.defects), *end]
        if end and end[0]["payload"]["result_type"] != "answer":
            return [_task_failed(talk, plan.core), *end]
        return end


def _answered(end: list[Chunk]) -> bool:
    return bool(end) and end[0]["type"] == "answer" and end[0]["payload"]["result_type"] == "answer"


def _polluted(frames: list[Chunk], defects: frozenset[str]) -> list[str]:
    """What the loop's event handler puts into the steering queue by mistake (seed 001)."""
    texts = []
    if "steering-interaction" in defects:
        texts.append(spelling.printed_interaction(frames[0]))
    if "steering-interrupt" in defects:
        texts.append(spelling.printed_result(frames))
    return texts


def _task_failed(talk: Conversation, core: str) -> Chunk:
    data = {"text": FAILURE} if core == "java" else {"type": "text", "text": FAILURE}
    return chunks.controller_output(0, "task_failed", [data], {"task_id": talk.task_name})
