"""The objects that an event is made of, and the members that the protocol defines for each.

Only these are looked at by rules about names and required members: what stands in metadata
or data is the agent's own (semantics section 4). Sources: a2a.proto v1.0, types.ts v0.3.
"""

from typing import Any, Literal, NamedTuple

from harness.a2a.stream import Stream
from harness.model.event import Event

type Type = Literal["task", "status", "message", "part", "artifact", "statusUpdate", "artifactUpdate"]

DEFINED: dict[Type, frozenset[str]] = {
    "task": frozenset({"id", "contextId", "status", "artifacts", "history", "metadata"}),
    "status": frozenset({"state", "message", "timestamp"}),
    "message": frozenset(
        {"messageId", "contextId", "taskId", "role", "parts", "metadata", "extensions", "referenceTaskIds"}
    ),
    "part": frozenset({"text", "raw", "url", "data", "metadata", "filename", "mediaType"}),
    "artifact": frozenset({"artifactId", "name", "description", "parts", "metadata", "extensions"}),
    "statusUpdate": frozenset({"taskId", "contextId", "status", "metadata"}),
    "artifactUpdate": frozenset({"taskId", "contextId", "artifact", "append", "lastChunk", "metadata"}),
}
"""Members that v1.0 defines."""

REQUIRED: dict[Type, tuple[str, ...]] = {
    "task": ("id", "status"),
    "status": ("state",),
    "message": ("messageId", "role", "parts"),
    "part": (),
    "artifact": ("artifactId", "parts"),
    "statusUpdate": ("taskId", "contextId", "status"),
    "artifactUpdate": ("taskId", "contextId", "artifact"),
}
"""Members that may be neither absent nor empty, in v1.0 and, as far as it goes, in v0.3."""

REQUIRED_V03_RPC: dict[Type, tuple[str, ...]] = {
    **REQUIRED,
    "task": ("id", "contextId", "status"),
    "statusUpdate": ("taskId", "contextId", "status", "final"),
}
"""types.ts of 0.3 also requires these; protocol buffers, as REST prints them, do not."""

CONTENT = ("text", "raw", "url", "data")
"""Of a v1.0 Part: exactly one."""


class Piece(NamedTuple):
    """One object of an event. `value` may be of any JSON type."""

    type: Type
    pointer: str
    value: Any
    echoed: bool = False
    """Said by the user, and only repeated by the agent."""


def camel(name: str) -> str:
    """`task_id` as `taskId`."""
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def blank(value: Any) -> bool:
    """Absent or an empty default: null, false, `""`, `[]`, `{}`."""
    return value is None or value is False or (type(value) in (str, list, dict) and not value)


def pieces(stream: Stream, event: Event) -> tuple[Piece, ...]:
    """The objects of `event`; remembered by `stream` for the next rule that asks."""
    memo = stream.memo
    if memo is not None and memo[0] is event:
        return memo[1]
    found = tuple(_pieces(event))
    stream.memo = (event, found)
    return found


def _pieces(event: Event) -> list[Piece]:
    found: list[Piece] = []
    body, pointer = event.body, event.pointer
    if event.kind == "artifact":
        found.append(Piece("artifactUpdate", pointer, body))
        if not blank(body.get("artifact")):
            _artifact(found, pointer + "/artifact", body["artifact"])
    elif event.kind == "message":
        _message(found, pointer, body)
    elif event.kind == "status":
        found.append(Piece("statusUpdate", pointer, body))
        _status(found, pointer, body)
    elif event.kind == "task":
        found.append(Piece("task", pointer, body))
        _status(found, pointer, body)
        for number, artifact in enumerate(_list(body.get("artifacts"))):
            _artifact(found, f"{pointer}/artifacts/{number}", artifact)
        for number, message in enumerate(_list(body.get("history"))):
            _message(found, f"{pointer}/history/{number}", message)
    return found


def _status(found: list[Piece], pointer: str, body: dict[str, Any]) -> None:
    status = body.get("status")
    if blank(status):
        return
    found.append(Piece("status", pointer + "/status", status))
    message = status.get("message") if type(status) is dict else None
    if not blank(message):
        _message(found, pointer + "/status/message", message)


def _message(found: list[Piece], pointer: str, message: Any) -> None:
    echoed = type(message) is dict and message.get("role") in ("user", "ROLE_USER")
    found.append(Piece("message", pointer, message, echoed))
    _parts(found, pointer, message, echoed)


def _artifact(found: list[Piece], pointer: str, artifact: Any) -> None:
    found.append(Piece("artifact", pointer, artifact))
    _parts(found, pointer, artifact, False)


def _parts(found: list[Piece], pointer: str, holder: Any, echoed: bool) -> None:
    if type(holder) is dict:
        for number, part in enumerate(_list(holder.get("parts"))):
            found.append(Piece("part", f"{pointer}/parts/{number}", part, echoed))


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []
