"""Which captures of two sets show the same round, and which legs a set recorded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.diff.alike import alike

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from harness.model.capture import Capture

    type Couple = tuple[Capture | None, Capture | None]


def couples(a: Sequence[Capture], b: Sequence[Capture]) -> list[Couple]:
    """Captures of the same round; two single captures belong together whatever they are called."""
    if len(a) == 1 and len(b) == 1:
        return [(a[0], b[0])]
    left, right = list(a), list(b)
    found: list[Couple] = []
    for key in (_exactly, _place, _name):
        found += [(one, other) for one, other in alike(left, right, key, key)]
    found += [(one, None) for one in left] + [(None, one) for one in right]
    return sorted(found, key=lambda couple: _order(couple[0] or couple[1]))


def _exactly(one: Capture) -> Hashable:
    """The same request in the same place: remote calls that ran at the same time change their numbers."""
    body = one.request.body if one.request else None
    text = None if body is None else _said(body)
    return one.scenario, one.round, one.leg, one.protocol, text


def _place(one: Capture) -> Hashable:
    return one.scenario, one.round, one.leg, one.protocol


def _name(one: Capture) -> Hashable:
    """Of old and new names of one round: the protocol may be in one of them only."""
    return one.scenario, one.round, one.leg


def _said(body: str) -> str:
    """The texts that a request sends."""
    return " ".join(re.findall(r'"text"\s*:\s*"((?:[^"\\]|\\.)*)"', body[: 1 << 16]))


def _order(one: Capture | None) -> tuple[str, int, str, str]:
    return (one.scenario, one.round, one.leg, one.source) if one else ("", 0, "", "")
