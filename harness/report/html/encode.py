"""Captured text on its way into a page: nothing of it acts on the reader or on the browser.

Every string of the page's data passes `shown`. Characters that are invisible or that reorder
text become `⟨U+202E⟩`; line breaks and tabs stay. `json_text` gives JSON that can stand inside
a script element, whatever the strings say.
"""

from __future__ import annotations

import json
import re
from typing import Any

from harness.report.cells import UNSAFE

_KEPT = "\n\r\t"
_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def shown(text: str) -> str:
    """`text` with each invisible or reordering character as `⟨U+XXXX⟩`."""
    return text if text.isascii() and text.isprintable() else re.sub(UNSAFE, _named, text)


def is_plain(text: str) -> bool:
    """Does `text` pass `shown` unchanged?"""
    return shown(text) == text


def _named(match: re.Match[str]) -> str:
    char = match[0]
    return char if char in _KEPT else f"⟨U+{ord(char):04X}⟩"


def json_text(value: Any) -> str:
    """`value` as JSON for a script element: no `<`, `>`, `&`, no invisible character."""
    text = json.dumps(_safe(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&]", lambda match: _IN_SCRIPT[match[0]], text)


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(name): _safe(held) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_safe(held) for held in value]
    return value
