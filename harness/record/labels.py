"""The protocol label of an exchange: that of the SIT logs, or one of ours where they have none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.capture.naming import BESIDE

if TYPE_CHECKING:
    from harness.record.assign import Call

OTHER, LLM = BESIDE

_LABELS = {
    "stream": "A2A_STREAM",
    "send": "A2A_SYNC",
    "subscribe": "A2A_SUBSCRIBE",
    "get": "A2A_GET",
    "list": "A2A_LIST",
    "cancel": "A2A_CANCEL",
    "push": "A2A_PUSH",
    "card": OTHER,
}
WITHIN = frozenset({"A2A_GET", "A2A_LIST", "A2A_CANCEL", "A2A_PUSH"})
"""Calls about a task, within the round that it is in."""
_MODEL = re.compile(
    r"/(?:chat/completions|completions|responses|embeddings|messages|api/chat|api/generate)/?$"
)
_VERSATILE = re.compile(r"/v1/[^/]+/agents/[^/]+/conversations/[^/]+/?$")
_QUERY = re.compile(r"/query(?P<reactive>/reactive)?/?$")


def protocol(call: Call) -> str:
    """The label of an exchange, as in the SIT logs where they have one."""
    asked = call.asked
    path = call.target.partition("?")[0]
    if asked.operation is not None:
        return _LABELS[asked.operation]
    if call.method == "POST":
        if _MODEL.search(path):
            return LLM
        if match := _QUERY.search(path):
            kind = "REST_REACTIVE" if match["reactive"] else "REST_QUERY"
            return kind if asked.streaming is not False else kind + "_SYNC"
        if _VERSATILE.search(path):
            return "REST_VERSATILE"
        if call.leg == "llm":
            return LLM
        if asked.binding == "jsonrpc" or (call.is_json and not asked.known):
            return "A2A_SYNC"
    return OTHER
