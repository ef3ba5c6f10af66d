"""Scenario files as collectors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from harness.errors import HarnessError
from harness.pytest_plugin import failure
from harness.pytest_plugin.golden import GoldenItem, folder
from harness.pytest_plugin.items import ContractItem, RoundItem, ScenarioItem
from harness.pytest_plugin.session import of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.scenario import Scenario

RESERVED = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings", "tryfirst", "trylast"}
)
"""Marks that mean something to pytest: no tags."""


class ScenarioFile(pytest.File):
    """One `*.scenario.yaml`."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Its items in the order of its rounds; a file that is wrong is told in one line."""
        try:
            scenario = self._read()
        except HarnessError as error:
            raise self.CollectError(failure.line(error)) from None
        for one in scenario.rounds:
            yield RoundItem.from_parent(self, name=f"r{one.number}", scenario=scenario, round=one)
        name = f"contract[{self._contract(scenario)}]"
        yield ContractItem.from_parent(self, name=name, scenario=scenario)
        if of(self).choices.update_golden or os.path.isdir(folder(self.config, scenario)):
            yield GoldenItem.from_parent(self, name="golden", scenario=scenario)

    def _read(self) -> Scenario:
        from harness import scenario as scenarios

        gate = of(self)
        scenario = scenarios.load(_near(str(self.path)))
        scenarios.check_against((scenario,), gate.topologies)
        self._contract(scenario)
        for tag in scenario.tags:
            if tag in RESERVED or tag.startswith("_"):
                what, mend = f"the tag {tag!r} can not be a mark of pytest", "choose another word"
                raise HarnessError(what, file=scenario.file, path="$.tags", mend=mend)
        gate.add(scenario)
        return scenario

    def _contract(self, scenario: Scenario) -> str:
        from harness.rules import contracts

        return contracts.load(of(self).contract(scenario)).name


def _near(path: str) -> str:
    """The path as a person would type it here."""
    near = os.path.relpath(path)
    return path if near.startswith(os.pardir) else near
