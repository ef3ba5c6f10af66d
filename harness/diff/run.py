"""A run of tokens that is still growing: its text in blocks, of which only the beginning is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.diff.normal import MAX_JSON

if TYPE_CHECKING:
    from collections.abc import Hashable

    from harness.diff.normal import Form, Normal
    from harness.diff.tokens import Token
    from harness.model.event import Event

KEPT = 1 << 16
"""Characters of a text, and of a form, that are kept to be shown."""


class Run:
    """Tokens of one source that are still coming."""

    def __init__(self, at: int, event: Event, said: Token, form: Form, orphan: bool) -> None:
        self.at = at
        self.event = event
        self.label = said.label
        self.form = form
        self.orphan = orphan
        self.closed = False
        self.size = 0
        self.last = 0
        self.chars = 0
        self.kept = ""
        self.state: Hashable = None
        self.ids: list[int] = []
        self.pieces: list[str] = []
        self.waiting = 0

    def take(self, event: Event, said: Token) -> None:
        self.size += 1
        self.last = event.frame.number
        self.chars += len(said.text)
        self.waiting += len(said.text)
        self.pieces.append(said.text)
        self.closed = self.closed or said.last

    def settle(self, normal: Normal, *, end: bool) -> None:
        """Bring into normal form what waits; before the end in blocks whose size says nothing of the cuts."""
        text = "".join(self.pieces)
        while len(text) > MAX_JSON:
            cut = _cut(text)
            self._block(text[:cut], normal)
            text = text[cut:]
        if end:
            self._block(text, normal)
            text = ""
        self.pieces, self.waiting = [text], len(text)

    def _block(self, text: str, normal: Normal) -> None:
        written, ids = normal.written(text)
        self.state = hash((self.state, written))
        self.ids += ids[: KEPT - len(self.ids)]
        if len(self.kept) < KEPT:
            self.kept += written[: KEPT - len(self.kept)]


def _cut(text: str) -> int:
    """Where the first `MAX_JSON` characters can be cut without cutting an id."""
    for at in range(MAX_JSON, MAX_JSON - 200, -1):
        sign = text[at]
        if not (sign.isascii() and (sign.isalnum() or sign in "_-:.")):
            return at
    return MAX_JSON
