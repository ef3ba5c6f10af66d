"""The task loop's copies of interrupts on the content channel, in all forms (openJiuwen facts, section 3)."""

from collections.abc import Callable, Sequence
from typing import Any

from harness.testbed.core import chunks, spelling
from harness.testbed.core.chunks import Chunk
from harness.testbed.core.conversation import Conversation
from harness.testbed.core.rails import Interrupt


def mirrors(
    talk: Conversation, waiting: Sequence[Interrupt], frames: Sequence[Chunk], defects: frozenset[str]
) -> list[Chunk]:
    """The frames that the loop publishes of the interrupts `frames`, by the defects that are switched on."""
    told: list[Chunk] = []
    for name, form in FORMS.items():
        if name in defects:
            told += form(talk, waiting, frames)
    return told


def _one_each(talk: Conversation, waiting: Sequence[Interrupt], frames: Sequence[Chunk]) -> list[Chunk]:
    return [_output(one["index"], [{"data": one}], {"task_id": talk.task_name}) for one in frames]


def _together(talk: Conversation, waiting: Sequence[Interrupt], frames: Sequence[Chunk]) -> list[Chunk]:
    data = [{"data": {"type": one["type"], "payload": one["payload"]}} for one in frames]
    return [_output(talk.number(), data, {"task_id": talk.task_name, "stream_kind": "inner_agent"})]


def _result(talk: Conversation, waiting: Sequence[Interrupt], frames: Sequence[Chunk]) -> list[Chunk]:
    ids = [one["payload"]["id"] for one in frames]
    result = {"result_type": "interrupt", "state": list(frames), "interrupt_ids": ids}
    return [_output(0, [{"data": result}], {"task_id": talk.task_name})]


def _completion(talk: Conversation, waiting: Sequence[Interrupt], frames: Sequence[Chunk]) -> list[Chunk]:
    state = [spelling.spelled(n, one, "python") for n, one in enumerate(waiting)]
    ids = [one.id for one in waiting]
    data = {"type": "json", "data": {"result_type": "interrupt", "interrupt_ids": ids, "state": state}}
    return [chunks.controller_output(0, "task_completion", [data], {"task_id": talk.task_name})]


def _output(index: int, data: list[dict[str, Any]], metadata: dict[str, str]) -> Chunk:
    return chunks.controller_output(index, "task_interaction", data, metadata)


FORMS: dict[str, Callable[[Conversation, Sequence[Interrupt], Sequence[Chunk]], list[Chunk]]] = {
    "mirror-v1": _one_each,
    "mirror-v2": _together,
    "mirror-final": _result,
    "mirror-python": _completion,
}
