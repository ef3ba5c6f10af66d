"""Golden runs: how a scenario went when it was right, and what is different now.

A golden run is a folder with the captures of one scenario. Changes of rank `contract` are red; all
others are told by `harness diff`. `--update-golden` shows what changes and writes the folder anew.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from harness.pytest_plugin import failure, shares, texts
from harness.pytest_plugin.items import ScenarioItem
from harness.pytest_plugin.options import shown
from harness.pytest_plugin.session import of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from harness.diff.values import Difference
    from harness.model.capture import Capture
    from harness.model.scenario import Scenario
    from harness.model.verdict import Report

WHERE = os.path.join("captures", "golden", "scenarios")
"""Where golden runs are, below the root of the project."""
SECTION = "golden"


def folder(config: pytest.Config, scenario: Scenario) -> str:
    """Where the golden run of a scenario is, or would be."""
    return shown(str(config.rootpath), os.path.join(WHERE, scenario.name))


class GoldenItem(ScenarioItem):
    """The run against the golden one."""

    def judge(self, report: Report) -> None:
        place = folder(self.config, self.scenario)
        found = self._compared(place) if os.path.isdir(place) else None
        lines = list(_told(found)) if found else [texts.say("golden.new", path=place)]
        self._tell(lines)
        if of(self).choices.update_golden:
            self._write(report, place, found, lines)
        elif found is not None and found.exit == 1:
            raise failure.told(failure.Broken(texts.say("golden.differs", path=place)), lines)
        elif found is not None and found.exit:
            raise failure.told(failure.Undecided(texts.say("golden.undecided", path=place)), lines)

    def _compared(self, place: str) -> Difference:
        from harness.comparing import Choice, diff
        from harness.kit import Options

        choices, run = of(self).choices, of(self).judgement.run
        options = Options(contract=choices.contract_of(self.scenario), topologies=choices.topologies)
        choice = Choice(scenarios=(self.scenario.name,))
        return diff(place, run, options._replace(mappings=choices.mapping), choice)

    def _tell(self, lines: Iterable[str]) -> None:
        if self.config.pluginmanager.has_plugin("allure_listener"):
            from harness.pytest_plugin import allure

            allure.tell_text("\n".join(lines))

    def _write(self, report: Report, place: str, found: Difference | None, lines: list[str]) -> None:
        """Write the golden run anew, where it differs, and leave word for the summary."""
        if found is not None and not any(found.counts().values()) and found.exit == 0:
            return
        breaking = of(self).choices.breaking
        whole = shares.of_scenario(report, self.scenario)
        if whole.broken(breaking) or whole.undecided():
            raise failure.told(failure.Broken(texts.say("golden.refused", path=place)), lines)
        copied(self.scenario.name, of(self).judgement.run, place)
        self.add_report_section("call", SECTION, "\n".join([texts.say("golden.written", path=place), *lines]))


def _told(found: Difference) -> Iterable[str]:
    from harness.report.diffconsole import console
    from harness.report.diffwords import words

    view = texts.view()
    return texts.without_ends(
        list(console(found, view._replace(words={**view.words, **words(texts.lang())})))
    )


def copied(scenario: str, run: str, place: str) -> None:
    """Copy the captures of a scenario from `run`, whole or not at all; what was there before is gone."""
    from harness.capture import find
    from harness.capture.naming import BESIDE

    captures = [
        one for one in find([run]).captures if one.scenario == scenario and one.protocol not in BESIDE
    ]
    new = place + ".new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new)
    for path in dict.fromkeys(path for one in captures for path in _files(one)):
        shutil.copyfile(path, os.path.join(new, os.path.basename(path)))
    shutil.rmtree(place, ignore_errors=True)
    os.replace(new, place)


def _files(capture: Capture) -> list[str]:
    """The body, its journal or side-cars, and what tells of the run."""
    where, name = os.path.split(capture.path)
    stem = os.path.splitext(name)[0] + "."
    beside = [one for one in sorted(os.listdir(where or ".")) if one.startswith(stem) or one == "run.json"]
    return [os.path.join(where, one) for one in beside]


def reviewed(reports: Iterable[pytest.TestReport]) -> list[str]:
    """What the summary tells of golden runs that were written."""
    texts_ = [text for one in reports for name, text in one.sections if f" {SECTION} " in name]
    return [line for text in texts_ for line in text.split("\n")]
