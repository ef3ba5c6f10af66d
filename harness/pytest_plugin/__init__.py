"""Scenarios as pytest items: `pytest scenarios/` records, judges, and is red where the contract is broken.

Hooks only, each as thin as it can be; the session's one object is `harness.pytest_plugin.session.Gate`.
It is loaded in every pytest run of its environment, so that it loads nothing else before a scenario
file is collected or an option of ours is given. Rank 7: the only place of pytest and Allure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.pytest_plugin import options
from harness.pytest_plugin.fixtures import assert_contract, capture, recorder, testbed, verdict
from harness.pytest_plugin.session import Gate, gate

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path
    from typing import Any

    from harness.pytest_plugin.collect import ScenarioFile

__all__ = ["assert_contract", "capture", "recorder", "testbed", "verdict"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """At the start, before the command line is read."""
    options.add(parser)


def pytest_configure(config: pytest.Config) -> None:
    """When the command line and the ini file were read; on each worker of xdist too."""
    config.stash[gate] = Gate(config)
    config.stash[gate].check()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Before the process ends."""
    config.stash[gate].close()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """With xdist, on the controller, before a worker starts: all of them share one judgement."""
    node.workerinput["harness"] = node.config.stash[gate].shared_folder()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """For each file that is collected."""
    if not file_path.name.endswith(options.ENDING):
        return None
    from harness.pytest_plugin.collect import ScenarioFile

    return ScenarioFile.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """When it is known which items will run, `-k`, `-m` and `--lf` included."""
    session.config.stash[gate].chosen(session.items)


def pytest_report_collectionfinish(config: pytest.Config, items: Sequence[pytest.Item]) -> list[str]:
    """Behind the line that counts the collected items."""
    return list(config.stash[gate].announced())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Behind each phase of an item, outside of all others: Allure's result is made by then."""
    report = yield
    if call.excinfo is not None and item.config.pluginmanager.has_plugin("allure_listener"):
        from harness.pytest_plugin import allure

        allure.weigh(item.config, call.excinfo.value)
    if call.excinfo is not None and not set(__all__).isdisjoint(getattr(item, "fixturenames", ())):
        from harness.pytest_plugin import shown

        report.longrepr = shown.calm(report.longrepr)
    return report


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """When an `assert` with a comparison fails in a test."""
    from harness.pytest_plugin import introspection

    return introspection.compared(op, left, right)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """When all items ran: what belongs to no item turns the run red here, once, on the controller."""
    session.config.stash[gate].finish(session)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """At the end, before the last line."""
    passed = terminalreporter.stats.get("passed", [])
    for number, line in enumerate(config.stash[gate].summary(passed)):
        terminalreporter.write_sep("-", line) if number == 0 else terminalreporter.write_line(line)
