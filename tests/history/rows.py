"""Runs of an index, built by hand: as small as a test needs them, or a thousand of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness.history.add import add
from harness.history.folder import folder
from harness.history.values import FindingRow, RoundRow, Summary


def round_(scenario: str = "DA-09", **more: Any) -> RoundRow:
    values: dict[str, Any] = {
        "topology": "deep-research",
        "round": 1,
        "leg": "client",
        "protocol": "A2A_STREAM",
        "outcome": "COMPLETED",
        "events": 7,
        "bytes": 4096,
        "seconds": 1.5,
        "unread": 0,
        "native": 0,
        "masked": 0,
        "leaked": 0,
        "declared": 0,
        "not_checked": (),
    }
    return RoundRow(scenario=scenario, **{**values, **more})


def finding(rule: str = "LEAK101", **more: Any) -> FindingRow:
    values: dict[str, Any] = {
        "topology": "deep-research",
        "scenario": "DA-09",
        "round": 1,
        "leg": "client",
        "slug": "delegation-on-content",
        "severity": "error",
        "times": 1,
        "waived": None,
        "fingerprint": "f" * 64,
        "spots": ("DA-09 r1 client",),
    }
    return FindingRow(rule=rule, **{**values, **more})


def summary(number: int = 1, **more: Any) -> Summary:
    """Run `number`, one a minute, with one clean round in which LEAK101 and MASK201 were checked."""
    values: dict[str, Any] = {
        "run": f"run-{number:04d}",
        "started": f"2026-08-{1 + number // 1440:02d}T{number % 1440 // 60:02d}:{number % 60:02d}:00Z",
        "ended": None,
        "contract": "masked",
        "version": "0.1.0",
        "exit": 0,
        "sut": None,
        "defects": None,
        "rules": ("LEAK101", "MASK201"),
        "rounds": (round_(),),
        "findings": (),
    }
    values |= more
    return Summary(**{"key": f"{values['run']} {values['started']}", **values})


def broken(number: int, *findings: FindingRow, **more: Any) -> Summary:
    """Run `number` with findings: one of LEAK101 where none is named."""
    return summary(number, exit=1, findings=findings or (finding(),), **more)


def filled(where: Any, runs: Iterable[Summary]) -> str:
    """An index of these runs; returns its folder."""
    place = folder(str(where))
    add(place, *runs)
    return str(where)
