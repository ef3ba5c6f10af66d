"""The items of a scenario: one a round, one for the contract."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from harness.pytest_plugin import failure, shares, texts
from harness.pytest_plugin.session import of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.scenario import Scenario, ScenarioRound
    from harness.model.verdict import Report
    from harness.pytest_plugin.runs import Judgement
    from harness.pytest_plugin.shares import Share


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
        """Ask for the judgement, and say what became of what this item is about."""
        made = of(self).judgement
        self._label(made)
        if made.error is not None:
            raise made.error.with_traceback(None)
        if (why := made.unable.get(self.scenario.name)) is not None:
            pytest.skip(f"{self.scenario.name}: {why}")
        report = of(self).report(self.scenario)
        assert report is not None
        self._demand_recorded(report)
        self.judge(report)

    def _label(self, made: Judgement) -> None:
        """For Allure; what the contract calls itself is known when something was judged by it."""
        if self.config.pluginmanager.has_plugin("allure_listener"):
            from harness.pytest_plugin import allure

            named = of(self).contract(self.scenario)
            report = made.reports.get(named)
            allure.label(self, self.scenario, report.contract if report else named)

    def _demand_recorded(self, report: Report) -> None:
        if shares.is_absent(report, self.scenario):
            made, choices = of(self).judgement, of(self).choices
            if choices.allow_missing_captures:
                pytest.skip(f"{self.scenario.name}: nothing was recorded in {made.run}")
            if choices.run is None:
                raise failure.unreached(self.scenario, made.run, made.notes)
            raise failure.absent(self.scenario, made.run)

    def judge(self, report: Report) -> None:
        """Raise what became of this item's share of the report."""
        share = self.share(report)
        self.user_properties.extend(failure.properties(self.scenario, share, report))
        if self.config.pluginmanager.has_plugin("allure_listener"):
            from harness.pytest_plugin import allure

            allure.tell(self.scenario, share, report, of(self).choices.breaking)
        failure.settle(share, report, of(self).choices.breaking)

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
            mark = pytest.mark.xfail(
                reason=texts.harmless(round.xfail, 400), strict=True, raises=failure.Broken
            )
            self.add_marker(mark)

    def share(self, report: Report) -> Share:
        share = shares.of_round(report, self.scenario, self.round.number)
        if not share.rounds:
            raise failure.absent(self.scenario, of(self).judgement.run, self.round.number)
        return share

    def judge(self, report: Report) -> None:
        super().judge(report)
        if self.round.xfail is not None and not self.config.getoption("runxfail", False):
            raise failure.mended(self.scenario, self.round.number, self.round.xfail)


class ContractItem(ScenarioItem):
    """What no single round answers for: other legs, comparisons, waivers."""

    def share(self, report: Report) -> Share:
        return shares.of_contract(report, self.scenario, of(self).bearers)
