"""Two texts that differ, cut to where they do."""

from __future__ import annotations

from harness.diff.marks import ID, NAME, TEXT, TIME

LEAD = 24
"""Characters shown before the first difference."""
ROOM = 160


def around(before: str, after: str) -> tuple[str, str]:
    """Both texts from a little before their first difference on; `…` where something was cut off."""
    at = _first(before, after)
    start = max(0, at - LEAD)
    start = start if start > 3 else 0
    return _cut(before, start), _cut(after, start)


def plain(text: str) -> str:
    """`text` with its marks as people read them."""
    return text.replace(ID, "(id)").replace(TIME, "(time)").replace(TEXT, "").replace(NAME, "")


def _first(a: str, b: str) -> int:
    """Where the first difference stands; the length of the shorter one if it begins the other."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(text: str, start: int) -> str:
    shown = ("…" if start else "") + text[start : start + ROOM] + ("…" if len(text) > start + ROOM else "")
    return plain(shown)
