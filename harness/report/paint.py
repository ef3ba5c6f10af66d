"""Colours of a terminal, or none of them: the only place that writes escape sequences."""

from __future__ import annotations

from typing import NamedTuple

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "36",
    "good": "1;32",
    "head": "1",
    "dim": "2",
    "leaked": "1;31",
    "masked": "32",
    "native": "36",
    "declared": "35",
}


class Paint(NamedTuple):
    """Paints text by its role when `on`, else leaves it alone."""

    on: bool = False

    def __call__(self, role: str, text: str) -> str:
        code = _CODES.get(role) if self.on and text else None
        return f"\x1b[{code}m{text}\x1b[0m" if code else text
