"""What judging needs beside a capture: options, mappings, contract, rules, topologies. Rank 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness import topologies, wire
from harness.mapping.load import load as load_mapping
from harness.rules import contracts, engine, registry

if TYPE_CHECKING:
    from harness.mapping.form import Mapping
    from harness.model.scenario import Scenario
    from harness.model.topology import Topology

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
    defects: str = ""
    """The set of defects that the run was made with: which `known:` of the scenarios applies."""


class Kit(NamedTuple):
    """Everything that judging needs beside a capture: loaded once, the same for all. Picklable."""

    mapping: Mapping
    selection: engine.Selection
    topologies: tuple[Topology, ...]
    max_line: int
    lanes: bool

    @property
    def skips(self) -> bool:
        """Only rules that say nothing about frames without a marker were chosen."""
        return all(registry.family(rule.code) in SKIPPABLE for rule in self.selection.single)


def load(options: Options) -> Kit:
    """Mappings, contract, rules and topologies; raises for each that is wrong or unknown."""
    selection = engine.select(contracts.load(options.contract), options.only, options.skip)
    return Kit(
        load_mapping(options.mappings),
        selection,
        topologies.load(options.topologies),
        options.max_line,
        options.lanes,
    )
