"""The bar of the pytest plugin: collecting and judging 100 scenarios against `harness check`."""

from __future__ import annotations

import shutil
import statistics
import sys
from pathlib import Path

from bench.bar import Bar
from bench.material import write_stream
from bench.measure import in_turn

HARNESS = str(Path(sys.executable).with_name("harness"))
SCENARIOS = 100
_SCENARIO = """\
version: 1
name: DA-{number:03d}
topology: deep-research
rounds:
  - send: Compare
    expect: {{outcome: COMPLETED}}
"""


def bars(folder: Path, runs: int) -> list[Bar]:
    """One capture of 4k events a scenario, all of them red; without what pytest takes for no scenario."""
    scenarios, captures = folder / "gate-scenarios", folder / "gate-captures"
    scenarios.mkdir()
    captures.mkdir()
    write_stream(folder / "gate.sse", 4_000)
    for number in range(SCENARIOS):
        (scenarios / f"da-{number:03d}.scenario.yaml").write_text(_SCENARIO.format(number=number))
        shutil.copyfile(folder / "gate.sse", captures / f"DA-{number:03d}-A2A_STREAM-r1.client.sse")
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(scenarios)]
    empty = folder / "gate-empty"
    empty.mkdir()
    (empty / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    taken = in_turn(
        {
            "empty": ([*pytest, str(empty)], (0,)),
            "check": ([HARNESS, "check", str(captures)], (1,)),
            "pytest": ([*pytest, str(scenarios), "--run", str(captures)], (1,)),
        },
        runs,
    )
    shutil.rmtree(captures)
    several = zip(taken["pytest"].samples, taken["empty"].samples, taken["check"].samples, strict=True)
    value = statistics.median((whole.wall - empty.wall) / check.wall for whole, empty, check in several)
    what = f"`pytest`, {SCENARIOS} scenarios, captures of 4k events, collecting and judging, against `check`"
    return [Bar(what, value, 2, "x")]
