"""What a chunk comes in: `text` (a part that holds JSON text) or `data`. The same chunk either way."""

from __future__ import annotations

from typing import Any

from harness.diff.marks import NESTED


def carrier(part: dict[str, Any]) -> str:
    """What the chunk in a part of a normal form comes in; empty where there is no chunk."""
    text, data = part.get("text"), part.get("data")
    if type(text) is dict and _is_chunk(text.get(NESTED)) and data is None:
        return "text"
    return "data" if _is_chunk(data) else ""


def unpacked(value: Any) -> Any:
    """`value`, with every chunk as if it had come as data."""
    if type(value) is list:
        return [unpacked(item) for item in value]
    if type(value) is not dict:
        return value
    if carrier(value) == "text":
        value = {"data": value["text"][NESTED], **{name: value[name] for name in value if name != "text"}}
    return {name: unpacked(value[name]) for name in sorted(value)}


def _is_chunk(value: Any) -> bool:
    return type(value) is dict and type(value.get("type")) is str
