"""When the bytes of a capture came: the journal's chunks as the rules ask for them. Rank 4."""

from __future__ import annotations

import os
from array import array
from typing import TYPE_CHECKING

from harness import jsontext
from harness.capture.journal import TAIL, chunk_times
from harness.rules.scope import Times

if TYPE_CHECKING:
    from harness.model.capture import Capture


def times_of(capture: Capture) -> Times | None:
    """Arrival of each chunk and of the ending, in ns; None where no journal tells."""
    if not capture.timed:
        return None
    journal = os.path.splitext(capture.path)[0] + ".jsonl"
    at_ns, ends = array("q"), array("q")
    try:
        for chunk in chunk_times(journal):
            at_ns.append(chunk.at_ns)
            ends.append(capture.start + chunk.offset + chunk.length)
        return Times(at_ns, ends, _closed(journal))
    except (OSError, OverflowError):
        return None


def _closed(journal: str) -> int | None:
    """`at_ns` of the journal's last line, if that is the ending."""
    with open(journal, "rb") as file:
        file.seek(max(0, os.path.getsize(journal) - TAIL))
        lines = [line for line in file.read().split(b"\n") if line.strip()]
    last = jsontext.read(str(lines[-1], "utf-8", "replace")) if lines else None
    if not isinstance(last, dict) or last.get("kind") != "ending":
        return None
    at = last.get("at_ns")
    return at if isinstance(at, int) else None
