"""Tools and the rails in front of them: which call interrupts, with what value, and how it goes on."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from harness.testbed.core.chunks import DELEGATE
from harness.testbed.core.model_client import ToolCall

APPROVE = "Please approve or reject?"
ANSWERS = {
    "type": "object",
    "properties": {"answers": {"type": "object", "additionalProperties": {"type": "string"}}},
}
APPROVAL = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "feedback": {"type": "string"},
        "auto_confirm": {"type": "boolean"},
    },
    "required": ["approved"],
}


class Interrupt(NamedTuple):
    """A tool call that waits: for a remote agent, or for the user."""

    call: ToolCall
    id: str
    """The toolCallId, or the id of the component that asks."""
    value: Any
    delegates: bool


def delegation(call: ToolCall) -> dict[str, Any]:
    """What the rail of a remote agent raises (members in the order of seed 000)."""
    return {
        "toolCallId": call.id,
        "payloadSchema": {},
        "context": {"_interrupt_kind": DELEGATE, "agentName": call.name},
        "message": str(call.given.get("remoteInput", "")),
        "toolName": call.name,
    }


def _user_input(call: ToolCall) -> dict[str, Any]:
    asked: dict[str, Any] = {**_named(call), "message": str(call.given.get("message", ""))}
    if missing := call.given.get("missing_fields"):
        asked |= {"context": {"missing_fields": missing}, "payloadSchema": {}}
    return asked


def _ask_user(call: ToolCall) -> dict[str, Any]:
    questions = call.given.get("questions", [])
    return {**_named(call), "message": "", "questions": questions, "payloadSchema": ANSWERS}


def _confirm(call: ToolCall) -> dict[str, Any]:
    return {**_named(call), "message": APPROVE, "autoConfirmKey": call.name, "payloadSchema": APPROVAL}


def _client_tool(call: ToolCall) -> dict[str, Any]:
    context = {"_interrupt_kind": "client_tool", "arguments": call.given}
    return {"message": f"Client tool invocation required: {call.name}", **_named(call), "context": context}


def _questioner(call: ToolCall) -> str:
    return str(call.given.get("question", ""))


def _named(call: ToolCall) -> dict[str, str]:
    return {"toolCallId": call.id, "toolName": call.name}


RAILS: dict[str, Callable[[ToolCall], Any]] = {
    "request_user_input": _user_input,
    "ask_user": _ask_user,
    "delete_file": _confirm,
    "get_location": _client_tool,
    "questioner": _questioner,
}
"""Tools of every agent that interrupt it, with what their rails raise."""

LOCAL: dict[str, Callable[[ToolCall], str]] = {"look_up": lambda call: f"page {call.given.get('page')}"}
"""Tools of every agent that run at once."""


def interrupt(call: ToolCall, remotes: Iterable[str]) -> Interrupt | None:
    """What the rails make of a call; None: the tool runs at once."""
    if call.name in remotes:
        return Interrupt(call, call.id, delegation(call), True)
    if rail := RAILS.get(call.name):
        return Interrupt(call, "questioner" if call.name == "questioner" else call.id, rail(call), False)
    return None


def run(call: ToolCall) -> str:
    """The result of a tool that runs at once."""
    tool = LOCAL.get(call.name)
    return tool(call) if tool else f"no tool is called {call.name}"


def resumed(call: ToolCall, given: object) -> str:
    """What a call that waited returns to the model."""
    if call.name == "delete_file":
        return _decided(call, given)
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _decided(call: ToolCall, given: object) -> str:
    try:
        decision = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        decision = None
    approved = isinstance(decision, Mapping) and decision.get("approved") is True
    return f"{call.given.get('path')} {'deleted' if approved else 'kept'}"


def cards(remotes: Iterable[str]) -> list[dict[str, Any]]:
    """The tools as they are offered to the model; a remote agent is a card with one text."""
    return [
        *(
            _card(name, f"Delegates to the remote agent {name}", {"remoteInput": {"type": "string"}})
            for name in remotes
        ),
        *(_card(name, "Asks the user", {}) for name in RAILS),
        *(_card(name, "Looks up a page", {"page": {"type": "integer"}}) for name in LOCAL),
    ]


def _card(name: str, text: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": dict(properties), "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": text, "parameters": schema}}
