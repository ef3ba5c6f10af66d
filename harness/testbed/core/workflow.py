"""Workflow agent: components that ask the user one after the other, and a `workflow_final` at the end."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from harness.testbed.core import chunks
from harness.testbed.core.chunks import Chunk, Turn
from harness.testbed.core.react import ReactAgent
from harness.testbed.plan import Plan

SYSTEM = "You are a component of a workflow. Ask for what is missing."


class WorkflowAgent(ReactAgent):
    """A workflow whose components decide by the model what to ask, and whom to call."""

    def __init__(self, name: str, remotes: Sequence[str], model_url: str) -> None:
        super().__init__(name, remotes, model_url, SYSTEM)

    async def stream(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks of one turn."""
        async with aclosing(super().stream(turn, plan)) as inner:
            async for one in inner:
                if one["type"] == "answer" and one["payload"]["result_type"] == "answer":
                    yield chunks.workflow_final(one["payload"]["output"])
                else:
                    yield one
