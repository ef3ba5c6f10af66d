"""Standard output and error as they are: a terminal or not, how wide, with colours or without."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from harness.report.paint import Paint
    from harness.report.view import View

PLAIN_WIDTH = 120
"""Cells of a line where nothing tells how wide the output is: a file, a pipe, a CI log."""


def view(lang: str, *, everything: bool = False, stream: TextIO | None = None) -> View:
    """How a report is shown on `stream` (standard output)."""
    from harness.cli.words import words
    from harness.report.reasons import reasons
    from harness.report.view import View

    out = stream or sys.stdout
    return View(width(out), words(lang), paint(out), everything, reasons(lang))


def width(stream: TextIO) -> int:
    """Cells of a line: `COLUMNS`, else the terminal's, else `PLAIN_WIDTH`; 40 at least."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return max(int(asked), 40)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns or PLAIN_WIDTH, 40)
    except (OSError, ValueError, AttributeError):
        return PLAIN_WIDTH


def paint(stream: TextIO) -> Paint:
    """Colours on a terminal; never with `NO_COLOR` or a dumb terminal, always with `FORCE_COLOR`."""
    from harness.report.paint import Paint

    if os.environ.get("NO_COLOR"):
        return Paint(False)
    if os.environ.get("FORCE_COLOR"):
        return Paint(True)
    return Paint(stream.isatty() and os.environ.get("TERM") != "dumb")


def clear() -> None:
    """An empty screen, where standard output is a terminal."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        write([b"\x1b[2J\x1b[H"])


def show(lines: Iterable[str]) -> None:
    """Print `lines` on standard output; a reader that left is no error, the exit code stays true."""
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _leave()
    except OSError as fault:
        _leave()
        raise _full(fault) from None


def write(pieces: Iterable[bytes]) -> None:
    """The same for bytes."""
    sys.stdout.flush()
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _leave()
    except OSError as fault:
        _leave()
        raise _full(fault) from None


def aside(text: str) -> None:
    """Write `text` on standard error; where nobody can read it any more, what runs goes on without."""
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _full(fault: OSError) -> HarnessError:
    what = f"standard output can not be written: {fault.strerror}"
    return HarnessError(what, mend="make room, or write somewhere else")


def _leave() -> None:
    """Whoever read standard output has left: what is still to come goes nowhere, without complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
