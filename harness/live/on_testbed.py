"""A run on the testbed."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from harness import scenario as scenarios
from harness.drive import Target
from harness.errors import HarnessError, ScenarioError, UsageError
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
_REMOTE_TOKENS = 24
"""More than a remote agent says to one call."""


def plan_of(order: Order, scenario: Scenario) -> Plan:
    """How the testbed plays one scenario. Raises `ScenarioError`, and `UsageError` for what `order` asks."""
    try:
        plan = Plan.of(dict(scenario.play))
    except ScenarioError as error:
        path = tuple((error.path or "").split(".")[1:])
        raise scenarios.wrong(scenario, path, error.what, error.mend) from None
    asked = {"tokens": order.tokens, "pace": order.pace, "generation": order.generation}
    given = {key: value for key, value in asked.items() if value is not None}
    try:
        plan = Plan.of({**dict(scenario.play), **given})
    except ScenarioError as error:
        option = (error.path or "").rpartition(".")[2]
        raise UsageError(f"--{option}: {error.what}", mend=error.mend) from None
    return plan._replace(defects=plan.defects | order.defects)


def patient(order: Order, scenario: Scenario, plan: Plan) -> Scenario:
    """`scenario` with as much more time a round as the tokens and the pace of `order` cost."""
    if order.tokens is None and order.pace is None:
        return scenario
    more = plan.pace * (plan.tokens + _REMOTE_TOKENS * (plan.calls + 1))
    rounds = (
        one if one.timeout_s is None else one._replace(timeout_s=one.timeout_s + more)
        for one in scenario.rounds
    )
    return scenario._replace(timeout_s=scenario.timeout_s + more, rounds=tuple(rounds))


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

    def driven(self, scenario: Scenario) -> Scenario:
        """The scenario as it is to be driven."""
        return patient(self._order, scenario, self._plans[scenario.name])

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
