"""JSON inside strings: whole texts, and values in the middle of prose.

Such text is evidence, not protocol, so it is read leniently (control characters, NaN).
Work is bounded by the length of the text; nothing raises.
"""

from __future__ import annotations

import json
import re
from typing import Any

_decoder = json.JSONDecoder(strict=False)
_decode = _decoder.decode
_decode_from = _decoder.raw_decode

_OPENING = re.compile(r'\{\s*["}]|\[\s*[\[{"]')
ATTEMPTS = 256
"""Openings tried in one text; each failed one may have cost a read to the end."""


def worth(text: str) -> bool:
    """The text can hold a JSON object, openly or behind escapes."""
    return "{" in text or ("\\" in text and "\\u007" in text)


def opened(text: str) -> tuple[list[Any], bool]:
    """The JSON values in `text`, and whether they stand in prose (False: the text is one value)."""
    try:
        return [_decode(text)], False
    except (ValueError, RecursionError):
        return _embedded(text), True


def _embedded(text: str) -> list[Any]:
    found: list[Any] = []
    at, work, tries = 0, 4 * len(text) + 65_536, ATTEMPTS
    while tries and work > 0:
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        begin = opening.start()
        try:
            value, at = _decode_from(text, begin)
            if value:
                found.append(value)
        except json.JSONDecodeError as error:
            at, tries, work = begin + 1, tries - 1, work - (error.pos - begin)
        except (ValueError, RecursionError):
            at, tries = begin + 1, tries - 1
    return found
