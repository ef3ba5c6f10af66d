"""The ids of one round: each value once, by class, found again inside other strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff.form import Volatile

LOOSE: frozenset[str] = frozenset({"artifact", "message"})
"""Classes whose values are many and used once: they are not searched for inside other strings."""
MAX_KNOWN = 256
"""Ids that are searched for inside strings."""
MAX_IDS = 250_000
LEAST_INSIDE = 8
"""Characters of an id that is searched for inside strings."""
LEAST_ALONE = 4
"""Characters of an id that is known again where it stands alone at a member that declares none."""


class Span(NamedTuple):
    """An id inside a string."""

    start: int
    end: int
    number: int


class Ids:
    """Numbers ids in the order of their first sight."""

    def __init__(self, volatile: Volatile) -> None:
        self._apart = frozenset(volatile.apart)
        self._numbers: dict[tuple[str, str], int] = {}
        self._known: list[tuple[str, int]] = []
        self.names: list[str] = []
        """The class of each id."""
        self.learned = 0
        """How many ids were seen that may stand elsewhere too: it grows with each new one."""
        self.full = False
        """More ids than are told apart, or than are searched for inside strings."""
        patterns = [f"(?P<s{at}>{shape.pattern})" for at, shape in enumerate(volatile.shapes)]
        self._shapes = re.compile("|".join(patterns)) if patterns else None
        self._shape_names = {f"s{at}": shape.name for at, shape in enumerate(volatile.shapes)}

    def number(self, name: str, value: str) -> int:
        """The number of the id `value` of the class `name`."""
        key = (name if name in self._apart else "", value)
        number = self._numbers.get(key)
        if number is None:
            return self._new(name, key)
        if self.names[number] == "id" and name != "id":
            self.names[number] = name
            self._learn(name, value, number)
        return number

    def _new(self, name: str, key: tuple[str, str]) -> int:
        number = len(self.names)
        if number >= MAX_IDS:
            self.full = True
            return MAX_IDS - 1
        self._numbers[key] = number
        self.names.append(name)
        if not key[0]:
            self._learn(name, key[1], number)
        return number

    def _learn(self, name: str, value: str, number: int) -> None:
        if name in LOOSE or name == "id":
            return
        self.learned += 1
        if len(value) < LEAST_INSIDE or not _telling(value):
            return
        if len(self._known) >= MAX_KNOWN:
            self.full = True
            return
        self._known.append((value, number))
        self._known.sort(key=lambda entry: -len(entry[0]))

    def alone(self, value: str) -> int | None:
        """The number of `value` if it is an id that was seen before."""
        if len(value) < LEAST_ALONE or not _telling(value):
            return None
        return self._numbers.get(("", value))

    def inside(self, text: str) -> list[Span]:
        """The ids inside `text`, in order, none over another."""
        if len(text) < LEAST_INSIDE:
            return []
        spans: list[Span] = []
        for value, number in self._known:
            if value in text:
                spans += (Span(at, at + len(value), number) for at in _places(text, value))
        if self._shapes is not None:
            for match in self._shapes.finditer(text):
                name = self._shape_names[match.lastgroup or ""]
                spans.append(Span(match.start(), match.end(), self.number(name, match[0])))
        return _apart(spans) if len(spans) > 1 else spans


def _telling(value: str) -> bool:
    """It is no ordinary word."""
    return not value.isalpha()


def _places(text: str, value: str) -> Iterator[int]:
    """Where `value` stands in `text` and is no piece of a longer word."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
            yield at
        at = text.find(value, end)


def _apart(spans: list[Span]) -> list[Span]:
    """Longer spans win over those that they cover."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept
