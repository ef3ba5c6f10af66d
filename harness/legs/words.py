"""What a request says: the text and the parts of its message. Pure and total."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness import jsontext

if TYPE_CHECKING:
    from harness.model.capture import Request


def text_of(request: Request) -> str:
    """The texts of the message, joined by line feeds; data as JSON."""
    return "\n".join(text for part in _parts(request) if (text := _text(part)))


def is_whole(request: Request) -> bool:
    """Was the request's body recorded to its end?"""
    return not request.body or not isinstance(jsontext.read(request.body), jsontext.Flaw)


def _parts(request: Request) -> list[Any]:
    body = jsontext.read(request.body) if request.body else None
    holder = _object(_object(body).get("params")) or _object(body)
    message = _object(holder.get("message")) or _object(holder.get("request"))
    parts = message.get("parts") or message.get("content")
    if isinstance(parts, list):
        return parts
    said = holder.get("message")
    return [{"text": said}] if isinstance(said, str) else []


def _text(part: Any) -> str:
    members = _object(part)
    text = members.get("text")
    if isinstance(text, str):
        return text
    data = members.get("data")
    return "" if data is None else json.dumps(data, ensure_ascii=False)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
