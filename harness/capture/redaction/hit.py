"""What a place of interest turns out to be. Values only."""

from __future__ import annotations

from typing import Literal, NamedTuple

from harness.capture.redaction.ends import End
from harness.capture.redaction.form import Keeps, Name

type Judged = Literal["any", "word", "mixed", "sure"]
"""What a value must be like to be a secret; `sure`: it was recognised as one already."""
type Written = Literal["plain", "json", "percent", "form"]
"""How a value's characters are written."""


class Match(NamedTuple):
    """A value that is secret if it is like `judged`: it begins at `start` (in the bytes)."""

    start: int
    end: End
    kind: str
    judged: Judged = "any"
    keeps: Keeps = "nothing"
    written: Written = "plain"
    depth: int = 0
    """JSON strings around it."""
    quote: bytes = b""
    """What must stand around its pseudonym, where there were no quotes."""
    secret: bytes = b""
    """The known secret that stands there in some form."""
    inside: Name | None = None
    """An array or object begins at `start`, all strings in which are secret by this name's rule."""


class Wait(NamedTuple):
    """Only further bytes can tell. From `start` on bytes must be held; None: none."""

    start: int | None = None
