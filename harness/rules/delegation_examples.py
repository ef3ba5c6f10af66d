"""Examples of the DEL rules: one turn that delegates twice, and what goes wrong in it."""

from __future__ import annotations

from typing import Any

from harness.rules.example import Example, Model, artifact, asking, plan, said, status, tool_calls

_AGENT = "search-agent"
_CALLS = ("call_00_Ex", "call_01_Ex")
_PROMPTS = ("price of A", "price of B")
_ANSWERS = ("A costs 1", "B costs 2")
_MADE = tool_calls(*((call, _AGENT, prompt) for call, prompt in zip(_CALLS, _PROMPTS, strict=True)))
_STREAM = (status("submitted"), status("working"), artifact("A 1, B 2"), status("completed"))
_PLAN = plan({"concurrent": 2}, topology="deep-research")


def _remote(number: int, at_ms: tuple[int, int], text: str = "", context: str = "") -> Example:
    context = context or f"c-1_batch_{_CALLS[number]}"
    ids = {"task": f"rt-{number}", "context": context}
    frames = (status("submitted", **ids), artifact(_ANSWERS[number], **ids), status("completed", **ids))
    first, last = at_ms
    return Example(
        frames,
        leg=_AGENT,
        request=asking(text or _PROMPTS[number], context),
        at_ms=(first, first, last, last),
    )


_REMOTES = (_remote(0, (2, 8)), _remote(1, (3, 7)))


def _models(*results: str) -> tuple[Model, ...]:
    """The turn that delegates, and the one that is told the results."""
    told = [
        said("tool", text, tool_call_id=call) for call, text in zip(_CALLS, results, strict=False) if text
    ]
    return (
        Model((said("user", "hello"),), _MADE, (_AGENT,), (0, 1)),
        Model((said("user", "hello"), _MADE, *told), "A 1, B 2", (_AGENT,), (9, 10)),
    )


def _example(
    note: str, *, then: tuple[Example, ...] = _REMOTES, frames: Any = _STREAM, **more: Any
) -> Example:
    models = more.pop("models", _models(*_ANSWERS))
    return Example(
        frames, note, topology="deep-research", models=models, then=then, plan=_PLAN, at_ms=(0, 0, 11, 12, 12)
    )


def _mirror(prompt: str) -> Any:
    value = {
        "toolCallId": _CALLS[0],
        "toolName": _AGENT,
        "message": prompt,
        "context": {"_interrupt_kind": "a2a_delegate", "agentName": _AGENT},
    }
    call = {"type": "__interaction__", "payload": {"id": _CALLS[0], "value": value}}
    payload = {"type": "task_interaction", "data": [{"data": call}]}
    return artifact({"data": {"type": "controller_output", "index": 0, "payload": payload}})


def _leaking(prompt: str) -> Any:
    return (*_STREAM[:2], _mirror(prompt), _STREAM[3])


CALLED = _example("two delegations, two calls at the same time, two results")
MISSING = _example("one of two is not called", then=_REMOTES[:1])
SERIAL = _example("one after the other", then=(_remote(0, (2, 4)), _remote(1, (5, 8))))
CROSSED = _example("the results are exchanged", models=_models(*reversed(_ANSWERS)))
LOST = _example("one result is not told", models=_models(_ANSWERS[0]))
LEAKING = _example("the prompt that leaked is what was asked", frames=_leaking(_PROMPTS[0]))
ANOTHER = _example("the prompt that leaked is not what was asked", frames=_leaking("price of C"))
SILENT = _example(
    "no request carried the prompt that leaked",
    frames=_leaking("price of C"),
    then=(_remote(0, (2, 8), context="other"), _REMOTES[1]),
)
