"""The request body of a chat completion: its messages. Total: what can not be read is a flaw."""

from __future__ import annotations

from typing import Any

from harness import jsontext
from harness.llm.values import Asked, Message, ToolCall

MOST = 20_000
"""Messages of one request that are read."""


def request(body: str | None) -> Asked:
    """The messages of a request body."""
    if not body:
        return Asked(flaw="the request's body was not recorded")
    value = jsontext.read(body)
    if isinstance(value, jsontext.Flaw):
        return Asked(flaw=f"the request is no whole JSON: {value.reason} at character {value.at}")
    listed = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return Asked(flaw=_foreign(value))
    if len(listed) > MOST:
        return Asked(flaw=f"the request has {len(listed)} messages, over {MOST} are not read")
    found = tuple(_message(one) for one in listed if isinstance(one, dict))
    flaw = None if len(found) == len(listed) else "a message of the request is no object"
    return Asked(found, text(value.get("model")), _tools(value.get("tools")), flaw)


def _tools(listed: Any) -> tuple[str, ...]:
    """The names of the tools that are offered."""
    names = (_function(one).get("name") for one in listed) if isinstance(listed, list) else ()
    return tuple(name for name in names if isinstance(name, str) and name)


def _function(one: Any) -> dict[str, Any]:
    members = one.get("function") if isinstance(one, dict) else None
    return members if isinstance(members, dict) else {}


def _foreign(value: Any) -> str:
    names = ", ".join(str(name)[:40] for name in list(value)[:6]) if isinstance(value, dict) else ""
    return f"the request is no chat completion ({names or 'no object'}): its form is not read"


def _message(one: dict[str, Any]) -> Message:
    listed = one.get("tool_calls")
    made = listed if isinstance(listed, list) else ()
    calls = tuple(_call(each) for each in made if isinstance(each, dict))
    return Message(
        text(one.get("role")) or "", content(one.get("content")), text(one.get("tool_call_id")), calls
    )


def _call(one: dict[str, Any]) -> ToolCall:
    members = _function(one)
    return ToolCall(text(one.get("id")), text(members.get("name")) or "", arguments(members.get("arguments")))


def content(value: Any) -> str:
    """The text of a message's content: a text, or a list of parts."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else ()
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "\n".join(one for one in texts if isinstance(one, str))


def arguments(value: Any) -> str:
    """A call's arguments as text; some servers send them as an object."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    import json

    return json.dumps(value, ensure_ascii=False)


def text(value: Any) -> str | None:
    """A text that is not empty."""
    return value if isinstance(value, str) and value else None
