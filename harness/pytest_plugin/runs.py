"""The run that a session judges: driven on a system, or found on disk, and judged by each contract."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import CaptureError, HarnessError, ScenarioError, UsageError
from harness.pytest_plugin.shares import Left, left

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.kit import Options
    from harness.live import Order
    from harness.model.scenario import Scenario
    from harness.model.topology import Topology
    from harness.model.verdict import Report
    from harness.pytest_plugin.options import Choices

JOBS = 4
"""Conversations at a time on the testbed; a system of the user's gets one after the other."""
_GC = 1_000_000


class Judgement(NamedTuple):
    """What became of the run."""

    run: str = ""
    """Where it was recorded."""
    reports: Mapping[str, Report] = {}
    """By contract, as the scenarios name it."""
    left: Left = Left()
    unable: Mapping[str, str] = {}
    """Scenarios that the system can not run, and why."""
    notes: tuple[str, ...] = ()
    error: HarnessError | None = None
    """Nothing could be judged."""


class Wanted(NamedTuple):
    """What is to be judged."""

    choices: Choices
    scenarios: tuple[Scenario, ...]
    """All that are known."""
    chosen: tuple[Scenario, ...]
    """Those that have an item that runs."""
    waivers: str | None
    topologies: tuple[Topology, ...]


def judge(wanted: Wanted) -> Judgement:
    """Drive the chosen scenarios, or take the run that was named, and judge it by each contract."""
    try:
        with _few_collections():
            return _found(wanted) if wanted.choices.run is not None else _driven(wanted)
    except HarnessError as error:
        return Judgement(error=_plain(error))


def _plain(error: HarnessError) -> HarnessError:
    """The error as one that every process can read."""
    return HarnessError(error.what, file=error.file, line=error.line, path=error.path, mend=error.mend)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Values of the flow are free of cycles: nobody need look for cycles among them all the time."""
    before = gc.get_threshold()
    gc.set_threshold(_GC, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _found(wanted: Wanted) -> Judgement:
    from harness.pipeline import check

    run = wanted.choices.run or ""
    defects = _noted(wanted.choices, run)
    if wanted.choices.update_golden and defects not in ("", "fixed"):
        raise UsageError(
            f"--update-golden with {run}, made with {defects}", mend="a golden run is one as it should be"
        )
    absent = {one.name for one in wanted.scenarios}
    if not wanted.choices.allow_missing_captures:
        absent -= {one.name for one in wanted.chosen}
    options = _options(wanted)._replace(
        scenarios=wanted.scenarios,
        may_be_absent=frozenset(absent),
        defects=defects,
        jobs=wanted.choices.jobs or 1,
    )
    reports = {
        name: check([run], options._replace(contract=name)) for name in _contracts(wanted, wanted.chosen)
    }
    return Judgement(run, reports, _left(reports, wanted.scenarios))


def _noted(choices: Choices, run: str) -> str:
    """The set of defects that the run was made with: as asked, else as its `run.json` says."""
    if choices.set is not None or choices.defect:
        from harness.live.defects import FIXED, asked

        return asked(choices.defect, choices.set or FIXED)[1]
    from harness.capture.store import read_run

    try:
        said = (read_run(run) or {}).get("defects")
    except CaptureError:
        return ""  # the judging tells what is wrong with that file
    return said if isinstance(said, str) else ""


def _driven(wanted: Wanted) -> Judgement:
    order = ordered(wanted)
    unable = {one.name: why for one in wanted.chosen if (why := why_not(one, order)) is not None}
    scenarios = tuple(one for one in wanted.chosen if one.name not in unable)
    if not scenarios:
        return Judgement(unable=unable)
    from harness import live
    from harness.live.judging import judged

    order = order._replace(scenarios=scenarios)
    options, notes = _options(wanted), list[str]()
    first, *others = _contracts(wanted, scenarios)
    ran = live.run(order, options._replace(contract=first), on_note=notes.append)
    reports = {first: ran.report}
    reports |= {name: judged(order, options._replace(contract=name), ran.run_dir) for name in others}
    return Judgement(ran.run_dir, reports, _left(reports, wanted.scenarios), unable, tuple(notes))


def ordered(wanted: Wanted) -> Order:
    """What the live run is asked to do; raises for a system or a defect that is not known."""
    from harness.live.defects import FIXED, asked
    from harness.live.order import Order

    choices = wanted.choices
    sut = None
    defects, name = frozenset[str](), ""
    if choices.sut in (None, "testbed"):
        defects, name = asked(choices.defect, choices.set or FIXED)
    else:
        from harness.scenario.sut import load

        sut = load(choices.sut or "", os.environ)
    return Order(
        scenarios=wanted.chosen,
        topologies=wanted.topologies,
        sut=sut,
        defects=defects,
        set_name=name,
        jobs=choices.jobs or (1 if sut else JOBS),
        captures=choices.captures,
    )


def why_not(one: Scenario, order: Order) -> str | None:
    """Why the system of `order` can not run a scenario; None: it can."""
    from harness.live.playable import can_play

    topology = order.topology(one)
    if order.sut is None:
        return None if can_play(one, topology) else "the testbed can not play it: it has no `testbed:`"
    if order.sut.agent(topology.entry) is None:
        return f"{order.sut.file} has no agent {topology.entry!r}, the entry of {topology.name}"
    return None


def _options(wanted: Wanted) -> Options:
    from harness.kit import Options

    choices = wanted.choices
    return Options(
        mappings=choices.mapping,
        topologies=choices.topologies,
        fail_on="warning" if "warning" in choices.breaking else "error",
        waivers=wanted.waivers,
    )


def _contracts(wanted: Wanted, scenarios: Sequence[Scenario]) -> list[str]:
    return list(dict.fromkeys(wanted.choices.contract_of(one) for one in scenarios))


def _left(reports: Mapping[str, Report], scenarios: Sequence[Scenario]) -> Left:
    """What no scenario names: none of `scenarios`, and none of those beside them, collected or not."""
    report = next(iter(reports.values()))
    found = left(report, _numbers(scenarios))
    return left(report, _numbers((*_beside(scenarios), *scenarios))) if found.unnamed else found


def _numbers(scenarios: Iterable[Scenario]) -> dict[str, frozenset[int]]:
    return {one.name: frozenset(each.number for each in one.rounds) for one in scenarios}


def _beside(scenarios: Sequence[Scenario]) -> Iterator[Scenario]:
    """Scenarios in the same folders that were not collected; a file that is wrong names nothing."""
    from harness.scenario import ENDING, load

    known = {os.path.realpath(one.file) for one in scenarios}
    for folder in dict.fromkeys(os.path.dirname(one.file) or "." for one in scenarios):
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith(ENDING) and os.path.realpath(path) not in known:
                with suppress(ScenarioError):
                    yield load(path)
