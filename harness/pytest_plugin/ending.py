"""What belongs to no item and must not be green: told once, as failures of the session itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.pytest_plugin import summary
from harness.pytest_plugin.texts import listed, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.pytest_plugin.options import Choices
    from harness.pytest_plugin.runs import Judgement

NODE = "harness"
"""How the session's own failures are called in reports."""


class Trouble:
    """One failure of the session."""

    def __init__(self, name: str, head: str, lines: list[str]) -> None:
        self.name = name
        self.text = "\n".join([head, *(f"  {line}" for line in lines)])


def troubles(made: Judgement, choices: Choices) -> Iterator[Trouble]:
    """What turns the session red although no item is."""
    if made.error is not None:
        return
    judged = any(one.rounds for one in made.reports.values())
    if not made.reports or (choices.allow_missing_captures and not judged):
        yield Trouble("nothing was run", say("nothing"), [*_unable(made), say("nothing_mend")])
    left = made.left
    if left.unnamed and not choices.allow_unnamed_captures:
        sources = listed(one.source for one in left.unnamed)
        yield Trouble(
            "unnamed captures", say("unnamed", count=len(left.unnamed)), [*sources, say("unnamed_mend")]
        )
    if left.unread:
        places = listed(f"{one.source}: {one.reason}" for one in left.unread)
        yield Trouble("unread", say("unread_files", count=len(left.unread)), [*places, say("unread_mend")])
    if choices.strict:
        yield from _unchecked(made)


def _unable(made: Judgement) -> list[str]:
    return listed(f"{name}: {why}" for name, why in made.unable.items())


def _unchecked(made: Judgement) -> Iterator[Trouble]:
    for report in made.reports.values():
        rules = list(summary.unchecked(report))
        if rules:
            yield Trouble(f"never checked[{report.contract}]", say("never"), [*rules, say("strict_mend")])


def finish(session: pytest.Session, made: Judgement, choices: Choices) -> None:
    """Tell the troubles to the terminal and to all reports, and see to the exit status."""
    found = list(troubles(made, choices))
    for one in found:
        _report(session, one)
    if session.config.pluginmanager.has_plugin("allure_listener"):
        from harness.pytest_plugin import allure

        allure.close(session.config, made, choices, [(one.name, one.text) for one in found])
    if found and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _report(session: pytest.Session, one: Trouble) -> None:
    """As the report of a test, so that JUnit has it too; `--lf` can not run it again and is not told."""
    report = pytest.TestReport(
        nodeid=f"{NODE}::{one.name}",
        location=(NODE, None, one.name),
        keywords={},
        outcome="failed",
        longrepr=one.text,
        when="call",
    )
    manager = session.config.pluginmanager
    terminal = manager.get_plugin("terminalreporter")
    asides = [terminal, session, *(manager.get_plugin(name) for name in ("lfplugin", "stepwiseplugin"))]
    hooks = manager.subset_hook_caller("pytest_runtest_logreport", [one for one in asides if one is not None])
    hooks(report=report)
    if terminal is not None:
        terminal.stats.setdefault("failed", []).append(report)
