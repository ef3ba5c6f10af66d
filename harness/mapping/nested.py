"""JSON inside strings: whole texts, and values in the middle of prose.

Such text is evidence, not protocol, so it is read leniently (control characters, NaN).
Work is bounded by the length of the text; nothing raises. What was read last is kept for the
conditions that look at the same text again, until `forget`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

_decoder = json.JSONDecoder(strict=False)
_decode = _decoder.decode
_decode_from = _decoder.raw_decode

ATTEMPTS = 256
"""Openings in one text that may turn out to be no JSON; one nested too deep counts as 64."""
VALUES = 20_000
"""Values taken out of one text."""
KEPT = 16
"""Texts remembered."""


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(r'\{\s*"|\[\s*[\[{"]')


class _No:
    """What is no JSON."""


NO = _No()
_wholes: dict[str, Any] = {}
_parts: dict[str, list[Any]] = {}


def worth(text: str) -> bool:
    """The text can hold a JSON object or array, openly or behind escapes."""
    return "{" in text or "[" in text or ("\\" in text and "\\u00" in text)


def whole(text: str) -> Any:
    """The JSON value that the text is, else `NO`."""
    value = _wholes.get(text)
    if value is None:
        try:
            value = _decode(text)
        except (ValueError, RecursionError):
            value = NO
        _keep(_wholes, text, value)
    return value


def embedded(text: str) -> list[Any]:
    """The JSON objects and arrays that stand in the text, in order."""
    found = _parts.get(text)
    if found is None:
        found = _embedded(text)
        _keep(_parts, text, found)
    return found


def within(text: str) -> list[Any]:
    """The JSON values in the text: the one that it is, or those that stand in it."""
    value = whole(text)
    return embedded(text) if value is NO else [value]


def forget() -> None:
    """Let go of what was kept."""
    _wholes.clear()
    _parts.clear()


def _keep[T](kept: dict[str, T], text: str, value: T) -> None:
    if len(kept) >= KEPT:
        kept.clear()
    kept[text] = value


def _embedded(text: str) -> list[Any]:
    found: list[Any] = []
    at, work, tries = 0, 4 * len(text) + 65_536, ATTEMPTS
    while tries > 0 and work > 0 and len(found) < VALUES:
        opening = _opening().search(text, at)
        if opening is None:
            break
        begin = opening.start()
        try:
            value, at = _decode_from(text, begin)
            found.append(value)
        except json.JSONDecodeError as error:
            at, tries, work = begin + 1, tries - 1, work - (error.pos - begin)
        except (ValueError, RecursionError):
            at, tries = begin + 1, tries - 64
    return found
