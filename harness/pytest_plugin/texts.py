"""What people read, in the language of the locale, as lines without colours."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.pytest_plugin import words
from harness.report.cells import harmless
from harness.report.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.model.verdict import Report, Round
    from harness.pytest_plugin.shares import Share

__all__ = ["findings", "harmless", "lang", "say", "view"]

WIDTH = 100


def lang() -> str:
    """`zh` for a Chinese locale, else `en`."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def say(key: str, **values: object) -> str:
    """The text `key` with its placeholders filled."""
    table = words.ZH if lang() == "zh" else words.EN
    return table[key].format(**values)


def view() -> View:
    """How a report is shown in a failure: all of it, in lines that fit a CI log."""
    from harness.report import words as said
    from harness.report.evidence import Evidence
    from harness.report.reasons import reasons

    asked = os.environ.get("COLUMNS", "")
    width = min(max(int(asked), 60), 120) if asked.isdecimal() else WIDTH
    table = said.ZH if lang() == "zh" else said.EN
    return View(width, table, everything=True, reasons=reasons(lang()), evidence=Evidence())


def findings(share: Share, report: Report) -> list[str]:
    """The findings of a share, as the console report tells them."""
    from harness.report import findings as told

    rounds = share.rounds
    if share.groups:
        mine = {one.source for one in rounds}
        rounds += tuple(one._replace(findings=()) for one in report.rounds if one.source not in mine)
    lines = list(told.findings(report._replace(rounds=rounds, findings=share.groups), view()))
    return without_ends(lines)


def look(one: Round) -> str:
    """The command that shows a round whole."""
    from harness.report.snippet import quoted

    return say("look", command=f"harness inspect {quoted(one.source)}")


def without_ends(lines: Sequence[str]) -> list[str]:
    """The lines without empty ones at the end."""
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    return list(lines[:end])


def listed(texts: Iterable[str], most: int = 10) -> list[str]:
    """Not more than `most` lines, and how many more there are."""
    lines = [harmless(one, 400) for one in texts]
    if len(lines) <= most:
        return lines
    return [*lines[:most], say("more", count=len(lines) - most)]
