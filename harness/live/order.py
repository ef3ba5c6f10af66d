"""What a live run is asked to do."""

from __future__ import annotations

from typing import NamedTuple

from harness.model.scenario import Scenario
from harness.model.topology import Topology
from harness.scenario.sut import Sut


class Order(NamedTuple):
    """Scenarios, the system that they are run on, and how."""

    scenarios: tuple[Scenario, ...]
    topologies: tuple[Topology, ...]
    """All that are known; those of the scenarios are started."""
    sut: Sut | None = None
    """None: the testbed."""
    defects: frozenset[str] = frozenset()
    """Faults that the testbed is told to have."""
    set_name: str = ""
    """Which `known:` of the scenarios applies; noted in run.json."""
    jobs: int = 1
    """Conversations at a time."""
    captures: str = "captures"
    """Folder in which the run folder is made."""
    tokens: int | None = None
    """Token events a round, in place of what the scenarios ask of the testbed; `pace` (seconds between
    them) and `generation` likewise."""
    pace: float | None = None
    generation: str | None = None

    @property
    def used(self) -> tuple[Topology, ...]:
        """The topologies of the scenarios."""
        names = {one.topology for one in self.scenarios}
        return tuple(one for one in self.topologies if one.name in names)

    def topology(self, scenario: Scenario) -> Topology:
        """The topology of one scenario."""
        return next(one for one in self.topologies if one.name == scenario.topology)
