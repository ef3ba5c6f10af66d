"""The two kinds of systems that a run is made on, behind one face."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from harness.drive import Target
    from harness.live.order import Order
    from harness.live.stop import Stop
    from harness.model.scenario import Scenario
    from harness.record import Leg

MODEL = "llm"
"""The model's leg."""
LOOPBACK = ("127.0.0.1", 0)


class Talk(NamedTuple):
    """One conversation that is to be driven."""

    scenario: Scenario
    context_id: str


class System(AbstractContextManager["System"], Protocol):
    """What is recorded and driven. Inside its block the upstreams are known; `begin` makes them answer."""

    secrets: str | None
    """File of names whose values are not recorded, beside those that never are."""
    may_idle: bool
    """A leg that no scenario uses is no news."""

    def legs(self) -> tuple[Leg, ...]:
        """What is to be recorded."""

    def begin(self, addresses: Mapping[str, str], talks: tuple[Talk, ...]) -> None:
        """Start what is to be started; `addresses` are the recorder's, by the keys of the legs."""

    def target(self, scenario: Scenario, addresses: Mapping[str, str]) -> Target:
        """Where the driver sends the rounds of a scenario: the recorder's address."""

    def driven(self, scenario: Scenario) -> Scenario:
        """The scenario as it is to be driven: with more time, where the system was told to be slow."""

    def noted(self) -> str | None:
        """What a user should know when all is driven: a process that has ended."""


def system_of(order: Order, stop: Stop) -> System:
    """The system that `order` names."""
    if order.sut is None:
        from harness.live.on_testbed import OnTestbed

        return OnTestbed(order)
    from harness.live.on_sut import OnSut

    return OnSut(order, order.sut, stop)
