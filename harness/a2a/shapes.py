"""Looking at one A2A object: its text, its regions, and what it is where nothing names it.

Pure and total: any JSON value may be given. Used by the reader and by the rules.
"""

from __future__ import annotations

from typing import Any

from harness.a2a.dialects import STATES
from harness.model.event import EventKind, Region, State


def state_of(value: Any) -> State | None:
    """A state in whatever spelling; what no version knows is `unknown`, what is absent None."""
    if isinstance(value, str):
        return STATES.get(value, "unknown") if value else None
    return None if value is None or value is False else "unknown"


def said(message: Any, pointer: str) -> tuple[str, str]:
    """The text of a Message and where its first piece stands."""
    if type(message) is not dict:
        return "", ""
    name = "parts" if message.get("parts") else "content"
    parts = message.get(name)
    texts: list[str] = []
    where = ""
    for number, part in enumerate(parts if type(parts) is list else ()):
        text = part.get("text") if type(part) is dict else None
        if type(text) is str and text:
            where = where or f"{pointer}/{name}/{number}/text"
            texts.append(text)
    return "\n".join(texts), where


def task_regions(task: dict[str, Any], pointer: str) -> tuple[Region, ...]:
    """Where interactions may stand in a Task: what its user said is none of them."""
    regions = [
        Region("control", f"{pointer}/{name}", task[name])
        for name in ("status", "metadata")
        if task.get(name)
    ]
    if task.get("artifacts"):
        regions.append(Region("content", pointer + "/artifacts", task["artifacts"]))
    history = task.get("history")
    for number, message in enumerate(history if type(history) is list else ()):
        if type(message) is dict and message.get("role") not in ("user", "ROLE_USER"):
            regions.append(Region("control", f"{pointer}/history/{number}", message))
    return tuple(regions)


def is_old_rest(kind: EventKind, body: dict[str, Any]) -> bool:
    """Only protocol buffers of 0.3 print `content`, `final` and CANCELLED."""
    if "final" in body:
        return True
    if kind == "message":
        return type(body.get("content")) is list
    status, history = members(body.get("status")), body.get("history")
    if status.get("state") == "TASK_STATE_CANCELLED":
        return True
    messages = [status.get("message"), *(history if type(history) is list else ())]
    return any(type(members(message).get("content")) is list for message in messages)


def kind_by_shape(body: dict[str, Any]) -> EventKind | None:
    """The event that a body without a name is: the Task of GetTask, or one whose `kind` was left out."""
    status = body.get("status")
    if type(status) is dict and "state" in status:
        if word(body, "taskId") or word(body, "task_id"):
            return "status"
        return "task" if word(body, "id") else None
    if type(body.get("artifact")) is dict and (word(body, "taskId") or word(body, "task_id")):
        return "artifact"
    if word(body, "messageId") and word(body, "role"):
        return "message"
    return None


def is_error(json: dict[str, Any]) -> bool:
    """A bare `{code, message}`, as the JavaScript SDK writes it for 0.3 over REST."""
    return integer(json.get("code")) is not None and type(json.get("message")) is str


def integer(value: Any) -> int | None:
    """An integral JSON number; `-32603.0` is one too."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float and value.is_integer() else None


def word(body: dict[str, Any], name: str) -> str | None:
    """A member that is a string and not empty."""
    value = body.get(name)
    return value if type(value) is str and value else None


def members(value: Any) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if type(value) is dict else {}


def some_names(value: dict[str, Any]) -> str:
    """The first member names, for a sentence."""
    shown = [name[:40] for name, _ in zip(value, range(6), strict=False)]
    return ", ".join(shown) if shown else "none"


def json_type(value: Any) -> str:
    """A JSON type, in words."""
    if value is None:
        return "null"
    words = {bool: "a boolean", str: "a string", list: "an array", dict: "an object"}
    return words.get(type(value), "a number")


def shown(value: Any) -> str:
    """A value of the wire, short enough for a sentence; what is nested is only named."""
    if isinstance(value, str):
        return f'"{value[:60]}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    return json_type(value) if value is None or isinstance(value, (dict, list)) else str(value)[:60]
