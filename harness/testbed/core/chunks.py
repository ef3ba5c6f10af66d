"""What an agent core and its runtime say: a turn goes in, chunks `{type, index, payload}` come out.

Content chunks: `llm_reasoning`, `llm_output`, `llm_usage`, `controller_output`. A turn ends with one of

- `__interaction__` (control), one a question or delegation, all of a turn before any is resumed. The runtime
  answers delegations (`is_delegation`) by calling the remote agent `interaction_of(chunk).tool`, shows the
  others to the client, and resumes with the next turn's `results`. A core calls no remote agent itself.
- `input_required`: the agent waits for input and does not say for what (form k of the facts).
- `answer` (agents) or `workflow_final` (workflows). A `result_type` other than `answer` hides a fault: the
  runtime sends such an answer like any content, and COMPLETED after it.
- `error`: the task FAILED; payload `{code, message, retryable}`.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from harness.testbed.plan import Plan

type Chunk = dict[str, Any]

INTERACTION = "__interaction__"
DELEGATE = "a2a_delegate"


class Turn(NamedTuple):
    """One invocation of an agent: a user's text, or the results that its interrupted calls waited for."""

    context_id: str
    task_id: str
    text: str
    """The user's text; not read where there are results."""
    results: Mapping[str, object]
    """toolCallId to remote result or user's answer; "" is the only pending one. Empty: a new request."""
    steer: "asyncio.Queue[str]"
    """Explicit steering texts; they are drained into the next model request."""
    headers: Mapping[str, str]
    """Headers for model requests, `traceparent` above all."""


class CoreAgent(Protocol):
    """An agent: keeps its conversations by contextId, speaks in chunks."""

    def stream(self, turn: Turn, plan: Plan) -> AsyncGenerator[Chunk]:
        """The chunks of one turn; close it (`contextlib.aclosing`) to cancel the work."""
        ...

    async def close(self) -> None:
        """Close the connections to the model."""
        ...


class Interaction(NamedTuple):
    """One `__interaction__` chunk, whatever its spelling."""

    id: str
    tool: str | None
    """Tool, or remote agent; None: a component's question."""
    call_id: str | None
    message: str
    context: Mapping[str, Any] | None


def chunk(kind: str, index: int, payload: Any) -> Chunk:
    """One chunk, members in the order of the wire."""
    return {"type": kind, "index": index, "payload": payload}


def token(kind: str, index: int, text: str) -> Chunk:
    """A piece of the model's text: `kind` is llm_reasoning or llm_output."""
    return chunk(kind, index, {"content": text, "result_type": "answer"})


def usage(tokens_in: int, tokens_out: int) -> Chunk:
    """What a model call cost."""
    numbers = {"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
    return chunk("llm_usage", 0, {"usage_metadata": numbers})


def answer(text: str) -> Chunk:
    """The end of an agent's work."""
    return chunk("answer", 0, {"output": text, "result_type": "answer"})


def workflow_final(text: str) -> Chunk:
    """The end of a workflow."""
    return chunk("workflow_final", 0, {"output": text, "result_type": "answer"})


def false_answer(text: str) -> Chunk:
    """A fault that looks like an answer (Java core)."""
    return chunk("answer", 0, {"output": text, "result_type": "error"})


def python_false_answer(text: str) -> Chunk:
    """A fault that looks like an answer (Python core)."""
    return chunk("answer", 0, {"error": text, "output": "", "result_type": ""})


def error(message: str, *, code: str = "AGENT_EXECUTION_FAILED", retryable: bool = False) -> Chunk:
    """The task failed."""
    return chunk("error", 0, {"code": code, "message": message, "retryable": retryable})


def input_required() -> Chunk:
    """The agent waits and does not say for what."""
    return chunk("input_required", 0, {})


def interaction(index: int, name: str, value: Any) -> Chunk:
    """A question or delegation: `name` is the toolCallId, or the id of a component."""
    return chunk(INTERACTION, index, {"id": name, "value": value})


def interaction_of(one: Chunk) -> Interaction:
    """What an `__interaction__` chunk says, in either spelling."""
    name, value = one["payload"]["id"], one["payload"]["value"]
    if isinstance(value, str):
        return Interaction(name, None, None, value, None)
    tool = value.get("toolName", value.get("tool_name"))
    call = value.get("toolCallId", value.get("tool_call_id"))
    return Interaction(name, tool, call, value.get("message", ""), value.get("context"))


def is_delegation(one: Chunk) -> bool:
    """The chunk is a delegation to a remote agent, not a question to the user."""
    context = interaction_of(one).context if one["type"] == INTERACTION else None
    return bool(context) and (context or {}).get("_interrupt_kind") == DELEGATE


def controller_output(
    index: int, kind: str, data: Sequence[Mapping[str, Any]], metadata: Mapping[str, str]
) -> Chunk:
    """A frame of the task loop."""
    return chunk("controller_output", index, {"type": kind, "data": list(data), "metadata": dict(metadata)})
