"""Which plan a conversation is played by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from harness.testbed.plan import Plan


class Played(NamedTuple):
    """The plan of one conversation; `is_entry` tells a client's conversation from a child's."""

    plan: Plan
    is_entry: bool


def played(plans: Mapping[str, Plan], context_id: str) -> Played:
    """The plan of a contextId; a child's begins with its parent's. Only the entry agent has defects."""
    if context_id in plans:
        return Played(plans[context_id], True)
    parents = [name for name in plans if context_id.startswith(f"{name}_")]
    if not parents:
        return Played(Plan(), True)
    parent = plans[max(parents, key=len)]
    return Played(parent._replace(defects=frozenset(), kind=None), False)
