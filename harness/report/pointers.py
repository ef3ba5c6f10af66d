"""Follows an RFC 6901 pointer through JSON, and on (`#`) into JSON that a string holds."""

from __future__ import annotations

from typing import Any

from harness import jsontext


def at(value: Any, pointer: str) -> list[Any]:
    """The value at `pointer` as a list of one; of none, where there is no such place."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        found = _member(value, name)
        while not found and name.endswith("#"):
            name = name[:-1]
            found = [inside(held) for held in _member(value, name) if isinstance(held, str)]
        if not found:
            return []
        value = found[0]
    return [value]


def inside(text: str) -> Any:
    """The object or array that is written in `text`; None where there is none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    value = jsontext.read(text)
    return None if isinstance(value, jsontext.Flaw) else value


def _member(value: Any, name: str) -> list[Any]:
    if isinstance(value, dict):
        return [value[name]] if name in value else []
    if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
        return [value[int(name)]]
    return []
