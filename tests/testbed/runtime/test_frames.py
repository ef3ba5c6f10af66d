"""The parts of a frame that are new each time."""

from __future__ import annotations

import pytest

from harness.testbed.runtime.frames import now


@pytest.mark.parametrize(
    ("ns", "told"),
    [
        (1_796_044_465_318_160_791, "2026-11-30T13:14:25.318160791Z"),
        (1_796_044_482_292_993_100, "2026-11-30T13:14:42.2929931Z"),
        (1_796_044_465_000_000_000, "2026-11-30T13:14:25.000000Z"),
    ],
)
def test_the_time_is_told_as_the_java_sdk_tells_it(ns: int, told: str, monkeypatch) -> None:
    """Six to nine digits: java-sdk facts, section 2 (the second one is that of oj_tokens_g1_textpart)."""
    monkeypatch.setattr("time.time_ns", lambda: ns)
    assert now() == told
