"""What the client sees of a core's chunks and of remote output, in the three generations of the runtime.

G1: every chunk is a text part that holds JSON text. G2: chunks are data parts, the answer is a text
part, remote output is marked `_remote_invocation`. G3: as G2, but remote events are artifacts with
`metadata.agentEvent`. The content channel is never looked into: that is how a mirror gets through.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from harness.testbed.runtime.frames import (
    Place,
    agent_message,
    artifact,
    artifact_update,
    data_part,
    new_id,
    status_update,
    text_part,
)
from harness.testbed.runtime.interrupts import UNTITLED
from harness.testbed.runtime.javatext import text_of

type Json = dict[str, Any]

ANSWERS = frozenset({"answer", "workflow_final"})
"""Types of the chunk that ends a turn."""


class Call(NamedTuple):
    """One call of a remote agent, as the client may be told of it."""

    batch_id: str
    tool_call_id: str
    tool: str
    target: str
    message: str


class Remote(NamedTuple):
    """One artifact of a remote agent."""

    task_id: str
    artifact_id: str
    text: str
    append: bool = False
    last_chunk: bool = True


class Failure(NamedTuple):
    """Why a task failed; a failure without structure keeps the defaults."""

    text: str = "Agent execution failed"
    code: str = "AGENT_EXECUTION_FAILED"
    numeric_code: int | None = None
    retryable: bool = False


class Mapper(NamedTuple):
    """Chunks of one task as results, in one generation."""

    place: Place
    generation: str = "G2"
    agent: str = ""

    def chunk(self, chunk: Json) -> Json:
        """A chunk of the agent's own core."""
        shown = {"type": chunk["type"], "index": chunk.get("index"), "payload": chunk.get("payload")}
        if self.generation == "G1":
            return self._content(artifact([text_part(text_of(shown))]))
        if ends(chunk) and not is_error(chunk):
            return self._content(artifact([text_part(answer_text(chunk))], {"_agentcore_terminal": True}))
        return self._content(artifact([data_part(shown)]))

    def remote_output(self, call: Call, got: Remote) -> Json:
        """Output of a remote agent that is passed on."""
        if self.generation == "G1":
            payload = {"content": got.text, "agentName": call.target}
            shown = {"type": "remote_agent_output", "index": 0, "payload": payload}
            return self._content(artifact([text_part(text_of(shown))]))
        if self.generation == "G2":
            return self._content(artifact([text_part(got.text, {"_remote_invocation": _mark(call)})]))
        event = {"type": "output", "source": {"agentId": call.target, "taskId": got.task_id}}
        made = artifact([text_part(got.text)], {"agentEvent": event})
        made["artifactId"] = f"remote:{call.target}:{got.task_id}:{got.artifact_id}"
        return artifact_update(self.place, made, append=got.append, last_chunk=got.last_chunk)

    def delegation(self, call: Call, remote_task: str) -> Json | None:
        """G3 says openly who was asked what."""
        if self.generation != "G3":
            return None
        event = {
            "type": "delegation",
            "toolCallId": call.tool_call_id,
            "source": {"agentId": self.agent, "taskId": self.place.task_id},
            "target": {"agentId": call.target, "taskId": remote_task},
        }
        return self._event(f"delegation:{self.place.task_id}:{remote_task}", call.message, event)

    def remote_status(self, call: Call, remote_task: str, state: str) -> Json | None:
        """G3 says how a remote task stands: `completed`, `input_required`, ..."""
        if self.generation != "G3":
            return None
        event = {
            "type": "status",
            "source": {"agentId": call.target, "taskId": remote_task},
            "state": state.lower(),
        }
        return self._event(f"status:{call.target}:{remote_task}:{new_id()}", "", event)

    def _event(self, artifact_id: str, text: str, event: Json) -> Json:
        made = artifact([text_part(text)], {"agentEvent": event}, artifact_id)
        return artifact_update(self.place, made, append=False, last_chunk=True)

    def _content(self, made: Json) -> Json:
        return artifact_update(self.place, made)


def ends(chunk: Json) -> bool:
    """The chunk is the end of a core's work, an answer or what stands in its place."""
    return chunk["type"] in ANSWERS


def answer_text(chunk: Json) -> str:
    """The words of an `answer` or `workflow_final` chunk."""
    payload = chunk.get("payload")
    output = payload.get("output") if isinstance(payload, dict) else payload
    return output if isinstance(output, str) else text_of(output)


def is_error(chunk: Json) -> bool:
    """An `answer` that says that there is none."""
    payload = chunk.get("payload")
    return isinstance(payload, dict) and (payload.get("result_type") == "error" or bool(payload.get("error")))


def interrupted(place: Place, interrupt: Json) -> Json:
    """The end of a turn that asks."""
    text = str(interrupt.get("message") or UNTITLED)
    return status_update(place, "INPUT_REQUIRED", agent_message(place, text, {"_interrupt": interrupt}))


def failed(place: Place, failure: Failure) -> Json:
    """The end of a task that failed."""
    error = {
        "schemaVersion": "1",
        "code": failure.code,
        "numericCode": failure.numeric_code,
        "retryable": failure.retryable,
    }
    return status_update(place, "FAILED", agent_message(place, failure.text, {"openjiuwen.error": error}))


def _mark(call: Call) -> Json:
    return {
        "kind": "remote_agent_output",
        "batchId": call.batch_id,
        "toolCallId": call.tool_call_id,
        "target": call.target,
    }
