"""Scenario files as collectors, and their items: one a round, one for the contract."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from harness.errors import HarnessError
from harness.pytest_plugin import failure, shares
from harness.pytest_plugin.session import of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.scenario import Scenario, ScenarioRound
    from harness.model.verdict import Report
    from harness.pytest_plugin.shares import Share

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
        yield ContractItem.from_parent(self, name=f"contract[{self._contract(scenario)}]", scenario=scenario)

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


class ScenarioItem(pytest.Item):
    """What the items of a scenario have in common."""

    def __init__(self, *, scenario: Scenario, **more: Any) -> None:
        super().__init__(**more)
        self.scenario = scenario
        self.extra_keyword_matches |= {scenario.name, scenario.topology}
        for name in (*("topology_" + kind.replace("-", "_") for kind in self.kinds()), *scenario.tags):
            self._mark(name)

    def kinds(self) -> Iterator[str]:
        """The kind of the entry agent, if it is known."""
        topology = next(one for one in of(self).topologies if one.name == self.scenario.topology)
        if topology.kind is not None:
            yield topology.kind

    def _mark(self, name: str) -> None:
        """A mark of a scenario is known by being written: `--strict-markers` is about typing errors."""
        self.config.addinivalue_line("markers", f"{name}: of scenarios")
        self.add_marker(name)

    def runtest(self) -> None:
        """Ask the judgement for this item's share, and say what became of it."""
        made = of(self).judgement
        if made.error is not None:
            raise made.error
        if (why := made.unable.get(self.scenario.name)) is not None:
            pytest.skip(f"{self.scenario.name}: {why}")
        report = of(self).report(self.scenario)
        assert report is not None
        share = self._present(report)
        self._tell(report, share)
        failure.settle(share, report, of(self).choices.breaking)

    def _tell(self, report: Report, share: Share) -> None:
        """Properties for JUnit, and everything for Allure."""
        self.user_properties.extend(failure.properties(self.scenario, share, report))
        if self.config.pluginmanager.has_plugin("allure_listener"):
            from harness.pytest_plugin import allure

            allure.tell(self, self.scenario, share, report, of(self).choices.breaking)

    def _present(self, report: Report) -> Share:
        if shares.is_absent(report, self.scenario):
            run, allowed = of(self).judgement.run, of(self).choices.allow_missing_captures
            if allowed:
                pytest.skip(f"{self.scenario.name}: nothing was recorded in {run}")
            raise failure.absent(self.scenario, self.scenario.name, run)
        return self.share(report)

    def share(self, report: Report) -> Share:
        """The part of the report that this item answers for."""
        raise NotImplementedError

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """As a report, without a stack of ours."""
        return failure.shown(excinfo, self.scenario) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """The scenario's file, and what the item is called in a headline."""
        return self.path, self.scenario.line - 1, f"{self.scenario.name} {self.name}"


class RoundItem(ScenarioItem):
    """What the client saw in one round."""

    def __init__(self, *, round: ScenarioRound, **more: Any) -> None:
        super().__init__(**more)
        self.round = round
        if round.xfail is not None:
            mark = pytest.mark.xfail(reason=round.xfail, strict=True, raises=failure.Broken)
            self.add_marker(mark)

    def share(self, report: Report) -> Share:
        share = shares.of_round(report, self.scenario, self.round.number)
        if not share.rounds:
            raise failure.absent(
                self.scenario, f"round {self.round.number} of {self.scenario.name}", of(self).judgement.run
            )
        return share


class ContractItem(ScenarioItem):
    """What no single round answers for: other legs, comparisons, waivers."""

    def share(self, report: Report) -> Share:
        return shares.of_contract(report, self.scenario, of(self).bearers)
