"""Fingerprints of findings: equal for the same finding in another run, different within one report."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.baseline.identity import Identity
    from harness.report.entries import Entry


def fingerprints(found: Iterable[Entry]) -> Iterator[str]:
    """One for each entry: its identity, and its number among those of equal identity."""
    seen: dict[Identity, int] = {}
    for entry in found:
        number = seen[entry.identity] = seen.get(entry.identity, 0) + 1
        yield fingerprint((*entry.identity, number))


def fingerprint(parts: Identity) -> str:
    """64 hexadecimal digits."""
    return hashlib.sha256(repr(_flat(parts)).encode("utf-8", "backslashreplace")).hexdigest()


def _flat(value: object) -> object:
    """Plain tuples: the names of our classes are no part of a fingerprint."""
    return tuple(_flat(each) for each in value) if isinstance(value, tuple) else value
