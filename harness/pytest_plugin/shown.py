"""What pytest prints of a failed test that read captures: text from a wire must not act on a terminal.

A diff of two strings prints their lines as they are. Colours that pytest itself put into them are
taken out: they can not be told from those of a capture.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.report.cells import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

_COLOUR = r"\x1b\[[0-9;]*m"


def calm(longrepr: Any) -> Any:
    """The failure with all that would act on a terminal spelled out."""
    if isinstance(longrepr, str):
        return plain(longrepr)
    for traceback, crash in _parts(longrepr):
        if crash is not None:
            crash.message = plain(crash.message)
        for entry in traceback.reprentries:
            _entry(entry)
    return longrepr


def _parts(longrepr: Any) -> Iterator[tuple[Any, Any]]:
    """Each traceback with the place where it ended."""
    if hasattr(longrepr, "chain"):
        yield from ((traceback, crash) for traceback, crash, _ in longrepr.chain)
    elif hasattr(longrepr, "reprtraceback"):
        yield longrepr.reprtraceback, longrepr.reprcrash


def _entry(entry: Any) -> None:
    entry.lines = [plain(one) for one in entry.lines]
    values = getattr(entry, "reprlocals", None)
    if values is not None:
        values.lines = [plain(one) for one in values.lines]
    arguments = getattr(entry, "reprfuncargs", None)
    if arguments is not None:
        arguments.args = [(name, plain(str(value))) for name, value in arguments.args]


def plain(text: str) -> str:
    """Lines and tabs as they are, all else as the console report shows it."""
    pieces = re.split("([\n\t])", re.sub(_COLOUR, "", text))
    return "".join(one if one in ("\n", "\t") else harmless(one, len(one)) for one in pieces)
