"""How IDS604 is judged: the rounds of a scenario, and the tasks that they speak of. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.compare import Comparison, Tell, scenarios
from harness.rules.rule import ALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.facts import RoundFacts


class ReusedTask(Comparison):
    """A request that named no task was answered under the id of an earlier round's task."""

    versions = ALL

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        for rounds in scenarios(facts):
            known: dict[str, RoundFacts] = {}
            for index in rounds:
                one = facts[index]
                if one.task_id is None:
                    continue
                before = known.setdefault(one.task_id, one)
                if before.round < one.round and one.asked_task is None:
                    cls._again(index, one, before, tell)

    @classmethod
    def _again(cls, index: int, one: RoundFacts, before: RoundFacts, tell: Tell) -> None:
        if not one.asked:
            tell.lacks(index, "the request is not known: it may continue the task")
            return
        message = f"the request names no task, and {one.task_id!r} is that of round {before.round}"
        tell.breach(index, message, one.place, names=(one.task_id or "",))
