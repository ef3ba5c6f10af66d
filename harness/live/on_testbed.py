"""A run on the testbed."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from harness.drive import Target
from harness.errors import HarnessError, ScenarioError
from harness.live.legs import legs_of, peers_of, through
from harness.live.system import LOOPBACK, MODEL
from harness.record import Leg
from harness.testbed.launch import Testbed
from harness.testbed.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.live.order import Order
    from harness.live.system import Talk
    from harness.model.scenario import Scenario
    from harness.model.topology import Agent, Topology

_TAIL = 2000
"""Characters of the servers' output that an error shows."""


def plan_of(order: Order, scenario: Scenario) -> Plan:
    """How the testbed plays one scenario. Raises `ScenarioError`."""
    plan = Plan.of(dict(scenario.play), file=scenario.file, line=scenario.line)
    asked = {"tokens": order.tokens, "pace": order.pace, "generation": order.generation}
    given = {key: value for key, value in asked.items() if value is not None}
    if given:
        plan = Plan.of({**dict(scenario.play), **given})
    return plan._replace(defects=plan.defects | order.defects)


class OnTestbed:
    """The testbed with the agents of the order's topologies."""

    secrets: str | None = None
    may_idle = True

    def __init__(self, order: Order) -> None:
        self._order = order
        self._topologies = order.used
        self._plans = {one.name: plan_of(order, one) for one in order.scenarios}
        self._agents = _agents(self._topologies)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="harness-testbed-"))
            self._log = os.path.join(folder, "log")
            edges = [edge for one in self._topologies for edge in one.edges]
            self._testbed = stack.enter_context(Testbed(self._agents, log=self._log, edges=edges))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def legs(self) -> tuple[Leg, ...]:
        """All edges, and the model."""
        model = Leg(MODEL, self._testbed.addresses[MODEL], LOOPBACK)
        return (*legs_of(self._topologies, self._testbed.addresses.get), model)

    def begin(self, addresses: Mapping[str, str], talks: tuple[Talk, ...]) -> None:
        """Start the servers: they call each other and the model through the recorder."""
        peers = peers_of(self._topologies, self.legs(), addresses)
        plans = {one.context_id: self._plans[one.scenario.name] for one in talks}
        try:
            self._testbed.serve(peers, plans)
        except HarnessError as error:
            raise HarnessError(f"{error.what}{self._said()}") from None

    def _said(self) -> str:
        with open(self._log, encoding="utf-8", errors="replace") as log:
            text = log.read().strip()
        return f"; it said: ...{text[-_TAIL:]}" if text else ""

    def target(self, scenario: Scenario, addresses: Mapping[str, str]) -> Target:
        """The recorder's address of the scenario's entry agent."""
        entry = self._order.topology(scenario).entry
        return Target(through(addresses[f"client:{entry}"], self._testbed.addresses[entry]))

    def noted(self) -> str | None:
        """Nothing: a server that has ended is seen by all who call it."""
        return None


def _agents(topologies: tuple[Topology, ...]) -> list[Agent]:
    """Each agent once."""
    found: dict[str, Agent] = {}
    for topology in topologies:
        for one in topology.agents:
            before = found.setdefault(one.name, one)
            if before.kind != one.kind:
                what = f"agent {one.name} is of kind {before.kind} and of kind {one.kind}"
                raise ScenarioError(what, mend="give one of them another name in the topology file")
    return list(found.values())
