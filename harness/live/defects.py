"""Which faults the testbed is asked to have, and what a set of them is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

FIXED = "fixed"
"""The set without faults."""


def asked(names: Iterable[str], set_name: str) -> tuple[frozenset[str], str]:
    """The faults of a set together with single ones, and the name by which `known:` calls them all.

    That is the name of a set, else the faults' names joined with `+`. Raises `UsageError`.
    """
    from harness.testbed.defects import DEFECTS, SETS

    if set_name not in SETS:
        raise UsageError(f"--set {set_name}: no such set of defects", mend=f"sets are {', '.join(SETS)}")
    known = [one.name for one in DEFECTS]
    chosen = list(names)
    unknown = next((name for name in chosen if name not in known), None)
    if unknown is not None:
        raise UsageError(f"--defect {unknown}: no such defect", mend=f"defects are {', '.join(known)}")
    together = SETS[set_name].union(chosen)
    label = next((name for name, defects in SETS.items() if defects == together), None)
    return together, label or "+".join(sorted(together))


def is_known(label: str) -> bool:
    """Is it the name of a set, or are all its parts names of defects?"""
    from harness.testbed.defects import SETS, named

    return label in SETS or all(named(part) is not None for part in label.split("+"))
