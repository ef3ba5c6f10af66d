"""The ids of context and task, found in the first bytes of an answer without decoding it."""

from __future__ import annotations

import re

_MOST = 64 << 10
"""Bytes that are looked at; who has not told the ids by then does not."""
_CONTEXT = re.compile(rb'"context(?:Id|_id)"\s*:\s*"([^"\\]{1,500})"')
_TASK = re.compile(rb'"task(?:Id|_id)"\s*:\s*"([^"\\]{1,500})"')
_OWN = re.compile(rb'"task"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]{1,500})"')


class Ids:
    """Looks for ids as bytes come."""

    def __init__(self) -> None:
        self._seen = b""

    def feed(self, data: bytes) -> tuple[str | None, str | None] | None:
        """Context and task id when the context is known or the search is over; else None."""
        self._seen += data
        context = _CONTEXT.search(self._seen)
        if context is None and len(self._seen) < _MOST:
            return None
        task = _TASK.search(self._seen) or _OWN.search(self._seen)
        self._seen = b""
        return _text(context), _text(task)


def _text(match: re.Match[bytes] | None) -> str | None:
    return None if match is None else str(match[1], "utf-8", "replace")
