"""Which recorded round is which of a scenario: by name and number, calls about a task left out. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.request import asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.capture import Capture
    from harness.model.scenario import Scenario, ScenarioRound

_WITHIN = frozenset({"get", "list", "cancel", "push", "card", "subscribe"})
"""Calls about a task: no rounds of a scenario."""


def role(capture: Capture, number: int, scenarios: Sequence[Scenario]) -> ScenarioRound | None:
    """What a scenario says of the recorded round `number` of `capture`; None: nothing."""
    if capture.leg != "client" or asked(capture).operation in _WITHIN:
        return None
    plan = next((one for one in scenarios if one.name == capture.scenario), None)
    return next((one for one in plan.rounds if one.number == number), None) if plan else None
