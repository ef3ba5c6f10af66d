"""What one pytest session knows of scenarios: choices, what was collected, the judgement. One object."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from harness.errors import HarnessError
from harness.pytest_plugin import options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.scenario import Scenario
    from harness.model.topology import Topology
    from harness.model.verdict import Report
    from harness.pytest_plugin.runs import Judgement

WAIVERS = os.path.join("scenarios", "waivers.yaml")


class Gate:
    """The session's memory. Reading of files, driving and judging come when something asks for them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._is_worker = hasattr(config, "workerinput")
        self._shared: str | None = config.workerinput.get("harness") if self._is_worker else None  # type: ignore[attr-defined]
        self._scenarios: dict[str, Scenario] = {}
        self._chosen: tuple[Scenario, ...] = ()
        self._items = 0
        self.bearers: tuple[Scenario, ...] = ()
        """Scenarios whose contract items run, in the order of the items."""

    def check(self) -> None:
        """Look at the options, if there are any; raises `pytest.UsageError`."""
        if options.given(self._config):
            from harness.pytest_plugin import asking

            asking.check(self.choices)

    @cached_property
    def choices(self) -> options.Choices:
        """What the user chose."""
        return options.choices(self._config)

    @cached_property
    def topologies(self) -> tuple[Topology, ...]:
        """All topologies that are known; raises `HarnessError`."""
        from harness import topologies

        return topologies.load(self.choices.topologies)

    def add(self, scenario: Scenario) -> None:
        """One more scenario was collected; raises `HarnessError` where another one has its name."""
        known = self._scenarios.setdefault(scenario.name, scenario)
        if known.file != scenario.file:
            what = f"the scenario {scenario.name!r} stands in {known.file} already"
            raise HarnessError(
                what, file=scenario.file, line=scenario.line, path="$.name", mend="rename one of them"
            )

    def contract(self, scenario: Scenario) -> str:
        """The contract that a scenario is judged by, as the user named it."""
        return self.choices.contract_of(scenario)

    def chosen(self, items: Sequence[pytest.Item]) -> None:
        """These items will run."""
        if not self._scenarios:
            return
        from harness.pytest_plugin.items import ContractItem, ScenarioItem

        ours = [one for one in items if isinstance(one, ScenarioItem)]
        self._items = len(ours)
        self._chosen = tuple({one.scenario.name: one.scenario for one in ours}.values())
        self.bearers = tuple(one.scenario for one in ours if isinstance(one, ContractItem))

    def announced(self) -> Iterator[str]:
        """What will be done, in a line."""
        if self._items:
            from harness.pytest_plugin import summary

            yield summary.announced(self.choices, self._chosen)

    @cached_property
    def judgement(self) -> Judgement:
        """The run and its reports: made, or read, when the first item asks."""
        from harness.pytest_plugin import once

        return once.shared(self._shared, self._judge)

    def _judge(self) -> Judgement:
        from harness.pytest_plugin import runs

        known = tuple(self._scenarios.values())
        wanted = runs.Wanted(self.choices, known, self._chosen, self._waivers(), self.topologies)
        return runs.judge(wanted)

    def _waivers(self) -> str | None:
        if self.choices.waivers:
            return self.choices.waivers
        path = options.shown(str(self._config.rootpath), WAIVERS)
        return path if os.path.isfile(path) else None

    def report(self, scenario: Scenario) -> Report | None:
        """The report that a scenario is judged by; None where nothing could be recorded."""
        return self.judgement.reports.get(self.contract(scenario))

    def shared_folder(self) -> str:
        """A folder for the workers of xdist, private to this session."""
        if self._shared is None:
            self._shared = tempfile.mkdtemp(prefix="harness-pytest-")
        return self._shared

    def known(self) -> Judgement | None:
        """The judgement, if anybody asked for one."""
        made: Judgement | None = self.__dict__.get("judgement")
        if made is None and self._shared is not None and not self._is_worker:
            from harness.pytest_plugin import once

            made = once.kept(self._shared)
        return made

    def finish(self, session: pytest.Session) -> None:
        """Turn the session red for what belongs to no item."""
        if self._is_worker:
            return
        made = self.known()
        if made is not None:
            from harness.pytest_plugin import ending

            ending.finish(session, made, self.choices)

    def summary(self, reports: Sequence[pytest.TestReport]) -> list[str]:
        """The summary's lines, its title first; none where nothing was judged. `reports`: what passed."""
        made = None if self._is_worker else self.known()
        if made is None:
            return []
        from harness.pytest_plugin import summary

        return list(summary.lines(made, self.choices, reports))

    def close(self) -> None:
        """Leave nothing behind."""
        if self._shared is not None and not self._is_worker:
            shutil.rmtree(self._shared, ignore_errors=True)


gate = pytest.StashKey[Gate]()


def of(node: Any) -> Gate:
    """The gate of a node's session."""
    found: Gate = node.config.stash[gate]
    return found
