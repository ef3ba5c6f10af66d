"""JSON text laid out over lines as it stands: numbers, key order, escapes and doubles untouched.

Works on tokens, so that neither depth nor size nor an error in the text can stop it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{][ \t\r\n]*[\]}]|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_DEEPEST = 40
"""Levels that are indented; deeper ones stay at this indent."""


def layout(text: str) -> Iterator[str]:
    """`text` with one member or item a line, two blanks a level."""
    line, depth = "", 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("]", "}"):
            depth = max(depth - 1, 0)
            if line.strip():
                yield line
            line = _indent(depth) + token
        elif token == ",":
            yield line + token
            line = _indent(depth)
        elif token in ("[", "{"):
            depth += 1
            yield line + token
            line = _indent(depth)
        elif token == ":":
            line += ": "
        else:
            line += "".join(token.split()) if token[0] in "[{" else token
    if line.strip():
        yield line


def _indent(depth: int) -> str:
    return "  " * min(depth, _DEEPEST)
