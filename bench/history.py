"""The bar of the history: 1,000 runs of 10 topologies, one file each, and whole questions about them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.bar import Bar
from bench.measure import in_turn
from harness.history.add import add, compact
from harness.history.folder import Local
from harness.history.values import FindingRow, RoundRow, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator

HARNESS = str(Path(sys.executable).with_name("harness"))
RUNS, TOPOLOGIES, SCENARIOS = 1_000, 10, 2
RULES = ("LEAK101", "MASK201", "SYM401")


def bars(folder: Path, runs: int) -> list[Bar]:
    """A question over all runs, one over a topology, one in SQL; and all of them once the files are one."""
    index = folder / "history"
    add(Local(str(index)), *_runs())
    bars = _asked(index, runs, "1,000 files")
    compact(Local(str(index)))
    return bars + _asked(index, runs, "compacted")


def _asked(index: Path, runs: int, how: str) -> list[Bar]:
    asked = [HARNESS, "history", "--history", str(index)]
    sql = "SELECT topology, rule, count(*) FROM findings GROUP BY ALL ORDER BY ALL"
    taken = in_turn(
        {
            "every rule of every topology": ([*asked, "--last", "1000", "--json"], (0,)),
            "one topology, the last 30 runs": ([*asked, "--topology", "topology-3"], (0,)),
            "SQL": ([*asked, "--sql", sql], (0,)),
        },
        runs,
    )
    return [
        Bar(f"`history` of 1,000 runs of 10 topologies, {how}: {what}", one.wall, 1.0, "s")
        for what, one in taken.items()
    ]


def _runs() -> Iterator[Summary]:
    for at in range(RUNS):
        started = f"2026-08-{1 + at // 96:02d}T{at % 96 // 4:02d}:{at % 4 * 15:02d}:00Z"
        rounds = tuple(_rounds(at))
        findings = tuple(_findings(at))
        yield Summary(
            f"{at:016x}",
            f"run-{at:04d}",
            started,
            None,
            "masked",
            "0.1.0",
            1,
            "testbed",
            None,
            RULES,
            rounds,
            findings,
        )


def _rounds(at: int) -> Iterator[RoundRow]:
    for topology in range(TOPOLOGIES):
        for scenario in range(SCENARIOS):
            for number in (1, 2):
                name = f"topology-{topology}"
                yield RoundRow(
                    name, f"{name}-S{scenario}", number, "client", "A2A_STREAM", "COMPLETED", 100 + at % 7,
                    48_000 + at, 1.5 + at % 5 / 10, 0, 1, 2, 1, 0, ("RPC302", "SSE105"),
                )  # fmt: skip


def _findings(at: int) -> Iterator[FindingRow]:
    for topology in range(TOPOLOGIES):
        for number, rule in enumerate(RULES):
            if number and at % (number + 2) == 0:
                continue
            scenario = f"topology-{topology}-S0"
            yield FindingRow(
                f"topology-{topology}", scenario, 1, "client", rule, "slug", "error", 2, None,
                f"{hash((topology, rule)) & (1 << 64) - 1:064x}", (f"{scenario} r1 client",),
            )  # fmt: skip
