"""Plan agent: a ReAct agent without a task loop, which delegates to streaming remote agents."""

from collections.abc import Sequence

from harness.testbed.core.react import ReactAgent

SYSTEM = "You plan the user's business and delegate each step."


class PlanAgent(ReactAgent):
    """A ReAct agent that plans; its interrupts go up the control channel alone."""

    def __init__(self, name: str, remotes: Sequence[str], model_url: str) -> None:
        super().__init__(name, remotes, model_url, SYSTEM)
