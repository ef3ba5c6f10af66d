"""What a core asked, as the runtime says it on the control channel.

One question is `{type,index,payload,message,context,toolCallId,toolName}`, more are
`{type,message,items}`, a proxy is `{message,items:[{toolCallId,toolName,message}]}`; what is not
named is absent. Knows no transport.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.testbed.core.chunks import Chunk, interaction_of, is_delegation

type Json = dict[str, Any]

UNTITLED = "Input required"
"""What the client reads when a question has no text."""

UNTITLED_REMOTE = "Remote agent requires input"
SEVERAL_REMOTE = "Multiple remote agents require input"


class Refused(Exception):
    """What can not be worked with; `code` is the runtime's name for why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def single(chunk: Chunk) -> Json:
    """The form of one question."""
    said = interaction_of(chunk)
    return {
        "type": "__interaction__",
        "index": chunk["index"],
        "payload": chunk["payload"],
        "message": said.message,
        "context": said.context,
        "toolCallId": said.call_id,
        "toolName": said.tool,
    }


def public(asked: Sequence[Chunk]) -> Json:
    """What goes to the client as `_interrupt` when it is to answer itself."""
    if len(asked) == 1:
        return single(asked[0])
    items = [single(one) for one in asked]
    return {"type": "__interaction__", "message": "interaction batch", "items": items}


def proxy(items: Sequence[tuple[str, str, str]]) -> Json:
    """What goes to the client for remote agents that ask: toolCallId, toolName and prompt of each."""
    shown = [
        {"toolCallId": call, "toolName": tool, "message": prompt or UNTITLED_REMOTE}
        for call, tool, prompt in items
    ]
    return {"message": shown[0]["message"] if len(shown) == 1 else SEVERAL_REMOTE, "items": shown}


def are_delegations(asked: Sequence[Chunk]) -> bool:
    """Whether the coordinator takes them; a mixture, and a delegation without toolCallId, is refused."""
    delegated = [one for one in asked if is_delegation(one)]
    if not delegated:
        return False
    if len(delegated) < len(asked):
        raise Refused("CORE_INTERRUPT_KIND_MIXED_UNSUPPORTED")
    if not all(interaction_of(one).call_id for one in delegated):
        raise Refused("CORE_INTERRUPT_CORRELATION_MISSING")
    return True
