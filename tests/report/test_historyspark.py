"""Rows of runs as rows of characters."""

from __future__ import annotations

import pytest

from harness.report.historyspark import median, numbers, shown, states
from tests.report.historyvalues import trend


@pytest.mark.parametrize(
    ("values", "room", "expected"),
    [
        ((0, 1, 2, 3, 4, 5, 6, 7, 8), 9, "▁▁▂▃▄▅▆▇█"),
        ((1, None, 2), 9, "▄-█"),
        ((1, None, 2), 2, "-█"),
        ((0, 0), 9, "▁▁"),
        ((None,), 9, "-"),
        ((), 9, ""),
        ((1, 2), 0, ""),
        ((0.001, 1000.0), 9, "▁█"),
        ((5,), 9, "█"),
    ],
)
def test_numbers(values, room: int, expected: str) -> None:
    assert numbers(values, room) == expected


def test_states() -> None:
    one = trend(states=("broken", "unknown", "clean", "waived", "broken"), findings=(8, 0, 0, 2, 1))
    assert states(one, 9) == "█-·w▁"
    assert states(one, 2) == "w█"


@pytest.mark.parametrize(
    ("values", "expected"), [((), None), ((None,), None), ((3, None, 1), 2), ((1, 2, 9), 2), ((4,), 4)]
)
def test_median(values, expected) -> None:
    assert median(values) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "-"),
        (0, "0"),
        (1234, "1,234"),
        (1.5, "1.5"),
        (2.0, "2"),
        (0.1234567, "0.123"),
        (53881.5, "53,881.5"),
    ],
)
def test_shown(value, expected: str) -> None:
    assert shown(value) == expected
