"""Two texts from where they differ on."""

from __future__ import annotations

import pytest

from harness.diff.marks import ID, TEXT
from harness.diff.text import LEAD, ROOM, around


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("abc", "abd", ("abc", "abd")),
        ("", "x", ("", "x")),
        ("x" * 100 + "a", "x" * 100 + "b", ("…" + "x" * LEAD + "a", "…" + "x" * LEAD + "b")),
        ("a" + "x" * 500, "b", ("a" + "x" * (ROOM - 1) + "…", "b")),
        (f"{TEXT}see {ID}", f"{TEXT}see", ("see (id)", "see")),
    ],
)
def test_around(before: str, after: str, shown: tuple[str, str]) -> None:
    assert around(before, after) == shown
