"""What the places of interest turn out to be, in the order in which the values begin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from harness.capture.redaction.ends import Fixed
from harness.capture.redaction.hit import Match, Wait
from harness.capture.redaction.hits import Hit
from harness.capture.redaction.known import Known
from harness.capture.redaction.members import Looked, member
from harness.capture.redaction.pseudonym import PSEUDONYM
from harness.capture.redaction.shapes import shaped


class Sight(NamedTuple):
    """A value that is secret, or may be."""

    start: int
    rank: int
    less: int
    turned: Match | Wait


def sights(looked: Looked, hits: Iterable[Hit], known: Known) -> list[Sight]:
    """What hits turn out to be, the first of all at the end of the list: to be popped.

    Where two values begin alike, one with a name comes first, then one of a shape, then a known one.
    """
    seen: list[Sight] = []
    for hit in hits:
        turned = None if _is_inert(looked, hit) else _turned(looked, hit, known)
        if turned and turned.start is not None:
            seen.append(Sight(turned.start, hit.rank, hit.less, turned))
    return sorted(seen, key=_order, reverse=True)


def merged(seen: list[Sight], more: list[Sight]) -> list[Sight]:
    """Two lists as one, in the same order."""
    return sorted([*seen, *more], key=_order, reverse=True) if more else seen


def _order(sight: Sight) -> tuple[int, int, int]:
    return sight[:3]


def _turned(looked: Looked, hit: Hit, known: Known) -> Match | Wait | None:
    if hit.rank == 0:
        return member(looked, hit.at)
    if hit.rank == 2:
        kind, secret = known.forms[hit.form]
        return Match(hit.place, Fixed(hit.place + len(hit.form)), kind, "sure", secret=secret)
    for shape in hit.shapes:
        if turned := shaped(looked, shape, hit.at):
            return turned
    return None


def _is_inert(looked: Looked, hit: Hit) -> bool:
    """Whether a place belongs to a pseudonym that was written before."""
    text, at = (looked.raw, hit.place) if hit.rank == 2 else (looked.text.text, hit.at)
    begin = text.rfind(b"<secret:", max(0, at - 48), at + 8)
    found = PSEUDONYM.match(text, begin) if begin >= 0 else None
    return found is not None and found.end() > at
