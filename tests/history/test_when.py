"""Moments are UTC to the second."""

from __future__ import annotations

import pytest

from harness.history.when import moment


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-08-11", "2026-08-11T00:00:00Z"),
        ("2026-08-11T09:30", "2026-08-11T09:30:00Z"),
        ("2026-08-11T09:30:00Z", "2026-08-11T09:30:00Z"),
        ("2026-08-11T17:30:00+08:00", "2026-08-11T09:30:00Z"),
        ("2026-08-11 09:30:00.75", "2026-08-11T09:30:00Z"),
        (" 2026-08-11 ", "2026-08-11T00:00:00Z"),
        ("run-20260811-093000", None),
        ("", None),
        ("yesterday", None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_moment(text: str, expected: str | None) -> None:
    assert moment(text) == expected
