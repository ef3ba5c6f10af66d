"""Finds text in a frame's JSON: in names and values, JSON inside strings included. Iterative."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from harness import jsontext
from harness.model.pointer import child
from harness.report.pointers import at, inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cli.reading import Reading
    from harness.model.frame import Frame
    from harness.report.view import View

_PLAIN = re.compile(r"[A-Za-z0-9_ .:\-]+")
_DEEPEST = 8
"""How often JSON inside strings inside JSON is opened."""


class Hit(NamedTuple):
    """A name or a value that holds the text."""

    pointer: str
    value: str
    name: bool = False


def may_hold(data: str, text: str) -> bool:
    """False only where no reading of `data` can hold `text`: plain characters are written as they are."""
    return text in data or "\\u" in data or not _PLAIN.fullmatch(text)


def search(value: Any, text: str) -> Iterator[Hit]:
    """Every place under `value` that holds `text`, in document order."""
    for pointer, name, held in walk(value):
        if name is not None and text in name:
            yield Hit(pointer, name, True)
        said = held if isinstance(held, str) else None if isinstance(held, (dict, list)) else _written(held)
        if said is not None and text in said:
            yield Hit(pointer, said)


def walk(value: Any) -> Iterator[tuple[str, str | None, Any]]:
    """Pointer, member name and value of everything under `value`; `#` steps into JSON in a string."""
    stack: list[tuple[str, str | None, Any, int]] = [("", None, value, 0)]
    while stack:
        pointer, name, held, depth = stack.pop()
        yield pointer, name, held
        if isinstance(held, dict):
            members = [(child(pointer, key), key, inner, depth) for key, inner in held.items()]
            stack.extend(reversed(members))
        elif isinstance(held, list):
            items = [(child(pointer, at), None, inner, depth) for at, inner in enumerate(held)]
            stack.extend(reversed(items))
        elif isinstance(held, str) and depth < _DEEPEST:
            inner = inside(held)
            if inner is not None:
                stack.append((pointer + "#", None, inner, depth + 1))


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def grep(reading: Reading, text: str, base: str | None, view: View) -> Iterator[str]:
    """Frame, pointer and value of each place that holds the text; last a line with the counts."""
    from harness.report.cells import harmless

    count = frames = total = 0
    for one in reading.frames():
        total += 1
        if text and not may_hold(one.data, text):
            continue
        hits = list(_hits(one, text, base))
        count += len(hits)
        frames += bool(hits)
        for pointer, value, is_name in hits:
            name = f"  {view.words['inspect.name']}" if is_name else ""
            shown = harmless(_window(value, text, view.width), 1024)
            yield f"{view.paint('head', str(one.number))}  {harmless(pointer, 1024) or '/'}{name}  {shown}"
    yield view.say("inspect.matches", count=f"{count:,}", frames=f"{frames:,}", total=f"{total:,}")


def _hits(one: Frame, text: str, base: str | None) -> Iterator[Hit]:
    value = jsontext.read(one.data)
    if isinstance(value, jsontext.Flaw):
        if base is None and text in one.data:
            yield Hit("", one.data)
        return
    for below in at(value, base or ""):
        if text:
            yield from (hit._replace(pointer=(base or "") + hit.pointer) for hit in search(below, text))
        else:
            yield Hit(base or "", _shown(below))


def _shown(value: object) -> str:
    import json

    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "(nested too deep to be shown)"


def _window(value: str, text: str, width: int) -> str:
    """The part of a long value that shows the text."""
    room = max(width - 20, 40)
    if len(value) <= room:
        return value
    start = max(value.find(text) - room // 4, 0)
    cut = value[start : start + room]
    return ("…" if start else "") + cut + ("…" if start + room < len(value) else "")
