"""Whole processes timed in turn: A B C A B C ..., so that drift of the machine hits all alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple


class Sample(NamedTuple):
    """One run of a command: wall and processor seconds, peak memory in MB."""

    wall: float
    cpu: float
    peak: float


class Series(NamedTuple):
    """All counted runs of one command."""

    samples: tuple[Sample, ...]

    @property
    def wall(self) -> float:
        """Median seconds."""
        return statistics.median(s.wall for s in self.samples)

    @property
    def peak(self) -> float:
        """Highest peak in MB."""
        return max(s.peak for s in self.samples)


def run_once(command: list[str], exits: tuple[int, ...]) -> Sample:
    """One run, its output read through a pipe and dropped. Another exit status is an error."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    while process.stdout.read(1 << 16):
        pass
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode not in exits:
        sys.exit(f"{command} ended with {process.returncode}, not one of {exits}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def in_turn(commands: dict[str, tuple[list[str], tuple[int, ...]]], runs: int) -> dict[str, Series]:
    """Every command once as a warm-up, then `runs` rounds of each command in turn."""
    for command, exits in commands.values():
        run_once(command, exits)
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, (command, exits) in commands.items():
            samples[name].append(run_once(command, exits))
    return {name: Series(tuple(taken)) for name, taken in samples.items()}


def ratio(a: Series, b: Series) -> float:
    """Median of the ratios of wall time, round by round."""
    return statistics.median(x.wall / y.wall for x, y in zip(a.samples, b.samples, strict=True))
