"""RES: an answer goes back to the task and the call that asked (openJiuwen facts, section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.compare import Comparison, Tell, scenarios
from harness.rules.example import Example, status
from harness.rules.facts import NOWHERE
from harness.rules.leak import VERSIONS
from harness.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.rules.facts import RoundFacts

_ASKS = (status("submitted"), status("working"), status("input-required", "Which city?"))
_INTERRUPTED = frozenset({"INTERACTION", "AUTH_REQUIRED"})


def _answer(*parts: dict[str, object], task: str = "t-1", context: str = "c-1") -> dict[str, object]:
    """A request that continues a task."""
    said = {
        "messageId": "m-9",
        "role": "ROLE_USER",
        "taskId": task,
        "contextId": context,
        "parts": list(parts) or [{"text": "Beijing"}],
    }
    return {"jsonrpc": "2.0", "id": "r-1", "method": "SendStreamingMessage", "params": {"message": said}}


def _second(*frames: object, **request: str) -> tuple[Example, ...]:
    return (Example(frames, request=_answer(**request), round=2),)


class ResumeChanges(Comparison):
    """The round that answers a question goes on in another task or context."""

    code = "RES601"
    slug = "resume-changes-task"
    title = "A resumed round stays in its task and context"
    why = (
        "What the agent knew when it asked belongs to the task; in another one the answer is out of place. "
        "Answer with the taskId and contextId of the question, and go on with both."
    )
    source = "A2A 1.0 sections 3.4.1 and 3.4.2; openJiuwen facts, section 2 (resume)"
    PASSES = (
        Example(_ASKS, "the same task", then=_second(status("working"), status("completed"))),
        Example(_ASKS, "one round alone"),
    )
    FAILS = (
        Example(
            _ASKS,
            "the stream goes on in another task",
            then=_second(status("working", task="t-2"), status("completed", task="t-2")),
        ),
        Example(
            _ASKS,
            "the stream goes on in another context",
            then=_second(status("working", context="c-2"), status("completed", context="c-2")),
        ),
    )

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        for rounds in scenarios(facts):
            before: dict[str, RoundFacts] = {}
            for index in rounds:
                one = facts[index]
                cls._round(index, one, before, tell)
                if one.task_id:
                    before[one.task_id] = one

    @classmethod
    def _round(cls, index: int, one: RoundFacts, earlier: dict[str, RoundFacts], tell: Tell) -> None:
        if one.asked_task is None:
            waits = any(before.outcome in _INTERRUPTED for before in earlier.values())
            if waits and not one.asked and not one.opened and one.task_id not in earlier:
                tell.lacks(index, "the request is not known: it may answer an earlier round")
            return
        before = earlier.get(one.asked_task)
        if before is None and one.answers:
            tell.lacks(index, "the request continues a task whose earlier rounds are not there")
        if before is None or before.outcome not in _INTERRUPTED or not one.answers:
            return
        if one.task_id and one.task_id != one.asked_task:
            cls._changed(index, one, "task", one.asked_task, one.task_id, tell)
        for seen in dict.fromkeys((one.asked_context, one.context_id)):
            if seen and before.context_id and seen != before.context_id:
                cls._changed(index, one, "context", before.context_id, seen, tell)

    @classmethod
    def _changed(cls, index: int, one: RoundFacts, what: str, was: str, now: str, tell: Tell) -> None:
        message = f"the question was asked in {what} {was!r}, and the answer's round is in {now!r}"
        tell.breach(index, message, one.place, cause=(what, now), names=(was, now))


class MixedAnswers(Rule):
    """Some parts of a request name the call that they answer, others do not."""

    code = "RES602"
    slug = "targeted-and-untargeted-answers"
    title = "Either all parts of an answer name their call, or none does"
    why = (
        "The runtime refuses a mixture (REMOTE_TOOL_INPUT_TARGET_MIXED), since it can not say which call the "
        "unnamed part belongs to. Put `metadata.toolCallId` on each part where several calls wait."
    )
    source = "openJiuwen facts, section 2 (resume)"
    versions = VERSIONS
    needs = frozenset({"request"})
    PASSES = (
        Example(
            (status("working"), status("completed")),
            "each part names its call",
            request=_answer(
                {"text": "4 star", "metadata": {"toolCallId": "call_00_Ex"}},
                {"text": "CA", "metadata": {"toolCallId": "call_01_Ex"}},
            ),
        ),
        Example((status("working"), status("completed")), "one plain answer", request=_answer()),
    )
    FAILS = (
        Example(
            (status("working"), status("completed")),
            request=_answer({"text": "4 star", "metadata": {"toolCallId": "call_00_Ex"}}, {"text": "CA"}),
        ),
    )

    def end(self) -> None:
        asked = self.scope.asked
        if asked.targeted and asked.untargeted:
            calls = ", ".join(repr(call) for call in asked.targeted)
            message = f"the request answers {calls} by name, and {asked.untargeted} part(s) name no call"
            self.found(message, NOWHERE, names=asked.targeted)


RULES: tuple[type[Rule], ...] = (ResumeChanges, MixedAnswers)
