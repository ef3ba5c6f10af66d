"""Agents by kind."""

from collections.abc import AsyncGenerator, Callable, Sequence

from harness.testbed.core.chunks import Chunk, CoreAgent, Turn
from harness.testbed.core.deepagent import DeepAgent
from harness.testbed.core.planagent import PlanAgent
from harness.testbed.core.react import ReactAgent
from harness.testbed.core.versatile import VersatileAgent
from harness.testbed.core.workflow import WorkflowAgent
from harness.testbed.model.scripts import AGENTS
from harness.testbed.plan import Plan


def _react(name: str, remotes: Sequence[str], model_url: str) -> CoreAgent:
    return ReactAgent(name, remotes, model_url, "You answer with the help of tools.")


KINDS: dict[str, Callable[[str, Sequence[str], str], CoreAgent]] = {
    "deepagent": DeepAgent,
    "plan-agent": PlanAgent,
    "workflow": WorkflowAgent,
    "react": _react,
    "versatile": VersatileAgent,
}


class AnyAgent:
    """An agent whose kind is chosen by each conversation's plan."""

    def __init__(self, name: str, remotes: Sequence[str], model_url: str) -> None:
        self._made = (name, remotes, model_url)
        self._kinds: dict[str, CoreAgent] = {}

    def stream(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks of one turn, of an agent of the plan's kind."""
        kind = plan.kind or "react"
        if kind not in self._kinds:
            self._kinds[kind] = KINDS[kind](*self._made)
        return self._kinds[kind].stream(turn, plan)

    async def close(self) -> None:
        """Close the connections to the model."""
        for one in self._kinds.values():
            await one.close()


def build(kind: str | None, name: str, tools: Sequence[str], model_url: str) -> CoreAgent:
    """The agent `name` with remote agents `tools`; `model_url` ends with /v1. No kind: each plan chooses."""
    if kind is None and name in AGENTS:
        kind = "versatile" if name == "versatile-adapter" else "react"
    return KINDS[kind](name, tools, model_url) if kind in KINDS else AnyAgent(name, tools, model_url)
