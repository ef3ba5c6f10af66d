"""How large the captures of a run are, and how long their exchanges took."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.capture.discover import find
from harness.legs.reading import span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.model.capture import Capture


class Measure(NamedTuple):
    """One capture; None: not known."""

    bytes: int | None = None
    """Of its body as it lies on the disk."""
    seconds: float | None = None
    """From the request to the end of the answer."""


def measures(paths: Sequence[str]) -> Mapping[str, Measure]:
    """By source, of all captures at `paths`; standard input can not be read again and is left out."""
    files = [path for path in paths if path != "-"]
    found = find(files).captures if files else ()
    return {capture.source: Measure(_size(capture), _seconds(capture)) for capture in found}


def _size(capture: Capture) -> int | None:
    if capture.end is not None:
        return capture.end - capture.start
    try:
        return os.path.getsize(capture.path) - capture.start
    except OSError:
        return None


def _seconds(capture: Capture) -> float | None:
    if not capture.timed:
        return None
    began, ended = span(capture)
    return None if began is None or ended is None else round((ended - began) / 1e9, 6)
