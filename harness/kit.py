"""What judging needs beside a capture: options, mappings, contract, rules, topologies. Rank 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness import topologies, wire
from harness.mapping.load import load as load_mapping
from harness.rules import contracts, engine, registry

if TYPE_CHECKING:
    from harness.baseline.read import OldReport
    from harness.mapping.form import Mapping
    from harness.model.scenario import Scenario
    from harness.model.topology import Topology
    from harness.model.waiver import Waiver

SKIPPABLE: frozenset[str] = frozenset({"LEAK", "MASK", "BIND", "SYM", "END", "RES"})
"""Families that say nothing about a frame without a marker, a state or an error."""


class Options(NamedTuple):
    """What the user chose; the defaults are those of the command line."""

    contract: str = contracts.DEFAULT
    mappings: tuple[str, ...] = ()
    topologies: str | None = None
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    topology: str | None = None
    fail_on: str = "error"
    strict: bool = False
    jobs: int = 1
    max_line: int = wire.MAX_LINE
    lanes: bool = True
    """False: every frame takes the slow lane (to hold the lanes against each other)."""
    scenarios: tuple[Scenario, ...] = ()
    """What the rounds of a run must show; a round that no scenario names is judged as usual."""
    may_be_absent: frozenset[str] = frozenset()
    """Names of scenarios of which no round need be there."""
    defects: str = ""
    """The set of defects that the run was made with: which `known:` of the scenarios applies."""
    waivers: str | None = None
    """A file of waivers; None: nothing is waived."""
    baseline: str | None = None
    """An older JSON report: what it has breaks nothing."""
    today: str | None = None
    """The day that waivers are held against, `YYYY-MM-DD`; None: the clock's, in UTC."""


class Kit(NamedTuple):
    """Everything that judging needs beside a capture: loaded once, the same for all. Picklable."""

    mapping: Mapping
    selection: engine.Selection
    topologies: tuple[Topology, ...]
    max_line: int
    lanes: bool
    waivers: tuple[Waiver, ...] = ()
    baseline: OldReport | None = None

    @property
    def skips(self) -> bool:
        """Only rules that say nothing about frames without a marker were chosen."""
        return all(registry.family(rule.code) in SKIPPABLE for rule in self.selection.single)


def load(options: Options) -> Kit:
    """Mappings, contract, rules, topologies, waivers, baseline; raises for each that is wrong or unknown."""
    skip = options.skip if options.scenarios else (*options.skip, "SCN")
    selection = engine.select(contracts.load(options.contract), options.only, skip)
    return Kit(
        load_mapping(options.mappings),
        selection,
        topologies.load(options.topologies),
        options.max_line,
        options.lanes,
        _waivers(options),
        _baseline(options, selection.contract.name),
    )


def _waivers(options: Options) -> tuple[Waiver, ...]:
    if options.waivers is None:
        return ()
    from harness import waivers

    return waivers.load(options.waivers)


def _baseline(options: Options, contract: str) -> OldReport | None:
    if options.baseline is None:
        return None
    from harness.baseline import read

    return read.load(options.baseline, contract)
