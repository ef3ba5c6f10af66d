"""Which scenarios the testbed can play."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.model.scenario import Scenario
    from harness.model.topology import Topology


def can_play(scenario: Scenario, topology: Topology) -> bool:
    """Does the scenario say how the testbed plays it, and can the testbed be its agents?"""
    from harness.testbed.plan import KINDS

    return bool(scenario.play) and all(one.kind in (None, *KINDS) for one in topology.agents)
