"""What an agent remembers of one conversation."""

from collections.abc import Mapping
from typing import Any

from harness.testbed.core.rails import Interrupt, resumed


class Conversation:
    """Messages, calls that wait, and the steering queue of one contextId."""

    def __init__(self, context_id: str, system: str) -> None:
        self.context_id = context_id
        self.messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
        self.waiting: dict[str, Interrupt] = {}
        self.steering: list[str] = []
        """What the task loop put into the steering queue; explicit texts come with the turn."""
        self.tasks = 0
        self._next = 0
        self._results: dict[str, str] = {}
        self._calls: list[str] = []

    @property
    def task_name(self) -> str:
        """The task's name inside the task loop, as in seed 000."""
        return f"deep_agent_task_{self.context_id}_{self.tasks}"

    def number(self) -> int:
        """The next running number of the task's chunks."""
        self._next += 1
        return self._next - 1

    def open(self, text: str) -> None:
        """A new task; what still waits is forgotten, with the model's reply that asked for it."""
        if self.waiting:
            while self.messages.pop()["role"] != "assistant":
                continue
        self.waiting, self._next, self.tasks = {}, 0, self.tasks + 1
        self.messages.append({"role": "user", "content": text})

    def called(self, call_ids: list[str]) -> None:
        """The calls of a reply, in order; their results go to the model together, once all are there."""
        self._calls, self._results = call_ids, {}

    def returned(self, call_id: str, result: str) -> None:
        """The result of one call."""
        self._results[call_id] = result
        if len(self._results) == len(self._calls):
            for one in self._calls:
                self.messages.append({"role": "tool", "content": self._results[one], "tool_call_id": one})

    def resume(self, results: Mapping[str, object]) -> None:
        """Give waiting calls their results; "" is the only one that waits, and unknown ids are left alone."""
        for key, given in results.items():
            target = next(iter(self.waiting)) if key == "" and len(self.waiting) == 1 else self._target(key)
            if target is not None:
                call = self.waiting.pop(target).call
                self.returned(call.id, resumed(call, given))

    def _target(self, key: str) -> str | None:
        """The waiting call by its id, or by the id of the component that asks."""
        return next((id for id, one in self.waiting.items() if key in (id, one.id)), None)
