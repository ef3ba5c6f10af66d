"""A live run that several test processes share: the first that needs it makes it, the others wait and read."""

from __future__ import annotations

import fcntl
import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness import scenario, topologies
from harness.live import Order, run
from harness.pipeline import Options
from harness.testbed.defects import SETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from harness.model.scenario import Scenario
    from harness.model.verdict import Report

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = scenario.load_all(str(ROOT / "scenarios"))
"""The repository's own."""


class Shared(NamedTuple):
    """What is kept of a run."""

    report: Report
    run_dir: str


def common(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is the same in all processes of a test session."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def with_set(tmp_path_factory: pytest.TempPathFactory, name: str) -> Shared:
    """All of the repository's scenarios with one set of defects, run once."""
    return shared(common(tmp_path_factory), name, SCENARIOS, defects=SETS[name], set_name=name)


def shared(folder: Path, name: str, scenarios: Sequence[Scenario], **order: object) -> Shared:
    """The run `name` over `scenarios`; `folder` is the same in all processes of a test session."""
    kept = folder / f"{name}.pickle"
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(_made(folder / name, tuple(scenarios), order)))
    return pickle.loads(kept.read_bytes())


def _made(folder: Path, scenarios: tuple[Scenario, ...], more: dict[str, object]) -> Shared:
    options = Options(scenarios=scenarios, defects=str(more.get("set_name", "")))
    order = Order(scenarios, topologies.load(), jobs=4, captures=str(folder), **more)
    ran = run(order, options)
    return Shared(ran.report, ran.run_dir)


def found(report: Report, scenario: str) -> dict[str, int]:
    """Errors and warnings that concern a scenario, on whatever leg, by rule."""
    counts: dict[str, int] = {}
    rounds = [one for one in report.rounds if one.scenario == scenario]
    sources = {one.source for one in rounds}
    groups = [one.finding for one in report.findings if sources & set(one.rounds)]
    for each in [*(finding for one in rounds for finding in one.findings), *groups]:
        if each.severity != "info":
            counts[each.rule] = counts.get(each.rule, 0) + 1
    return counts
