"""Captures on disk: found by content, read lazily, written by the recorder (rank 1).

    found = find(["captures/golden"])
    for capture in found.captures:
        body = Body(capture)
        for chunk in body.chunks(): ...

Knows files and their forms; knows no frame, no A2A, no rule.
"""

from __future__ import annotations

from harness.capture.discover import Found, find
from harness.capture.files import Body, is_plain

__all__ = ["Body", "Found", "find", "is_plain"]
