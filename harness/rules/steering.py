"""Steering messages in a model request: is one a structured interrupt that was turned into text?

By structure, not by words: the text after `[STEERING]` must be one printed object whose own
member `type` is `__interaction__` or whose `result_type` is `interrupt`, in the spelling of JSON,
of Java's toString (`{payload=InteractionOutput{...}, type=__interaction__}`) or of Python's str,
in any order of members. A sentence that speaks of one is none. Pure. Rank 3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.llm import Message

MARK = "[STEERING]"
KEYS: dict[str, str] = {"type": "__interaction__", "result_type": "interrupt"}
"""Members that make a frame a structured interrupt (seed 001)."""
_LONGEST = 1 << 20
_HEAD = r"[A-Za-z_][\w.$]*(?=[{(\[])"
_FRAME = r"(?s)(?:\w*Frame[({\[])?\s*(?:type=\W?json\W?,?\s*)?data=(\{.*\})[)}\]]?"
_ENTRY = r"""(?s)\s*(?:'([^']*)'|"([^"]*)"|([\w.$]+))\s*[=:]\s*(.*)"""
_OPEN, _CLOSE = "{[(", "}])"


def steerings(messages: Iterable[Message]) -> Iterator[str]:
    """The texts of the steering messages, without their mark."""
    for one in messages:
        text = one.text.lstrip()
        if one.role == "user" and text.startswith(MARK):
            yield text[len(MARK) :].strip()


def interrupt(text: str) -> str | None:
    """`type=__interaction__` or `result_type=interrupt` if `text` is such an object; else None."""
    text = text.strip()[:_LONGEST]
    value = jsontext.read(text) if text.startswith("{") else None
    if isinstance(value, dict):
        return _said((name, held) for name, held in value.items() if isinstance(held, str))
    if frame := re.fullmatch(_FRAME, text):
        return interrupt(frame[1])
    head = re.match(_HEAD, text)
    body = text[head.end() :] if head else text
    if len(body) < 2 or body[0] not in _OPEN or body[-1] not in _CLOSE:
        return None
    return _said(_members(body[1:-1]))


def _said(members: Iterable[tuple[str, str]]) -> str | None:
    return next((f"{name}={held}" for name, held in members if KEYS.get(name) == held), None)


def _members(inner: str) -> Iterator[tuple[str, str]]:
    """Name and value of the members that a printed object has of its own.

    Java prints texts without quotes, so that brackets and quotes in them may not match: then the
    first and the last member are still read.
    """
    pieces = _cut(inner, quotes=True) or _cut(inner, quotes=False)
    if pieces is None:
        parts = inner.split(", ")
        pieces = [parts[0], parts[-1]]
    for piece in pieces:
        match = re.fullmatch(_ENTRY, piece)
        if match:
            yield match[1] or match[2] or match[3] or "", _bare(match[4])


def _cut(inner: str, *, quotes: bool) -> list[str] | None:
    """`inner` at the commas outside of brackets; None where the brackets (or quotes) do not match."""
    pieces, start, depth = [], 0, 0
    pattern = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[{}\[\](),'"]""" if quotes else r"[{}\[\](),]"
    for match in re.finditer(pattern, inner, re.DOTALL):
        seen = match[0]
        if seen in ("'", '"'):
            return None
        if seen in _OPEN:
            depth += 1
        elif seen in _CLOSE:
            depth -= 1
            if depth < 0:
                return None
        elif seen == "," and depth == 0:
            pieces.append(inner[start : match.start()])
            start = match.end()
    pieces.append(inner[start:])
    return pieces if depth == 0 else None


def _bare(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
