"""Versatile adapter: a remote agent that streams its work and does not say for what it needs input."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from harness.testbed.core import chunks
from harness.testbed.core.chunks import INTERACTION, Chunk, Turn
from harness.testbed.core.react import ReactAgent
from harness.testbed.plan import Plan

SYSTEM = "You look into accounts."


class VersatileAgent(ReactAgent):
    """An agent whose questions are a bare INPUT_REQUIRED (form k)."""

    def __init__(self, name: str, remotes: Sequence[str], model_url: str) -> None:
        super().__init__(name, remotes, model_url, SYSTEM)

    async def stream(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks of one turn."""
        async with aclosing(super().stream(turn, plan)) as inner:
            async for one in inner:
                if one["type"] != INTERACTION:
                    yield one
                elif one["index"] == 0:
                    yield chunks.input_required()
