"""What an event carries, in a word or two, and how much text: for timelines.

Knows the outer form of an openJiuwen core chunk (`{type,index,payload}`), in a data part or
as JSON in a text part, since its type says more than "data".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness import jsontext

if TYPE_CHECKING:
    from harness.model.event import Event

_LONGEST = 1 << 20
"""Characters of a text part that are tried as JSON."""


def label(event: Event) -> tuple[str, int]:
    """A short name of the content, and its characters of text."""
    body = event.body
    if event.kind == "chunk" and isinstance(body, dict):
        return _core(body) or ("chunk", 0)
    if event.kind == "artifact" and isinstance(body, dict):
        return _artifact(body.get("artifact"))
    if event.kind == "error" and event.error_code is not None:
        return str(event.error_code), 0
    return "", 0


def _artifact(artifact: Any) -> tuple[str, int]:
    if not isinstance(artifact, dict):
        return "", 0
    public = _declared(artifact.get("metadata"))
    parts = artifact.get("parts") or artifact.get("content")
    if not isinstance(parts, list) or not parts:
        return public or "no parts", 0
    names, chars = zip(*map(_part, parts), strict=True)
    name = public or names[0]
    return (name if len(parts) == 1 else f"{name} (+{len(parts) - 1})"), sum(chars)


def _declared(metadata: Any) -> str:
    event = metadata.get("agentEvent") if isinstance(metadata, dict) else None
    kind = event.get("type") if isinstance(event, dict) else None
    return f"agentEvent {kind}" if isinstance(kind, str) else ""


def _part(part: Any) -> tuple[str, int]:
    if not isinstance(part, dict):
        return "part", 0
    text = part.get("text")
    if isinstance(text, str):
        return _text(text)
    data = part.get("data")
    if isinstance(data, dict):
        inner = data.get("data") if set(data) == {"data"} else data
        return (_core(inner) if isinstance(inner, dict) else None) or ("data", 0)
    return ("data" if "data" in part else "file"), 0


def _text(text: str) -> tuple[str, int]:
    if text.startswith("{") and len(text) <= _LONGEST:
        inner = jsontext.read(text)
        if isinstance(inner, dict):
            return _core(inner) or ("text, JSON inside", len(text))
    return "text", len(text)


def _core(chunk: dict[str, Any]) -> tuple[str, int] | None:
    kind = chunk.get("type")
    if not isinstance(kind, str):
        return None
    payload = chunk.get("payload")
    if not isinstance(payload, dict):
        return kind, len(payload) if isinstance(payload, str) else 0
    inner = payload.get("type")
    said = payload.get("content") or payload.get("output")
    name = f"{kind} {inner}" if isinstance(inner, str) else kind
    return name, len(said) if isinstance(said, str) else 0
