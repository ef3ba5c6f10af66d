"""`--github`: annotations for the lines of a pull request, and the summary of the step."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from harness.cli import terminal
from harness.cli.words import words
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.model.verdict import Report
    from harness.report.entries import Edition


def annotate(report: Report, made: Edition, lang: str, *, aside: bool) -> None:
    """Print the annotations (`aside`: on standard error) and, in Actions, append the step's summary."""
    from harness.report.github import commands

    if aside:
        sys.stderr.writelines(line + "\n" for line in commands(report, made))
    else:
        terminal.show(commands(report, made))
    path = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if os.environ.get("GITHUB_ACTIONS") != "true" or not path:
        sys.stderr.write(words(lang)["github.outside"] + "\n")
    else:
        _summary(report, made, path, lang)


def _summary(report: Report, made: Edition, path: str, lang: str) -> None:
    """Append the Markdown report as far as the step's summary has room for it."""
    from harness.report import markdown
    from harness.report.evidence import Evidence
    from harness.report.github import SUMMARY_LIMIT

    try:
        taken = os.path.getsize(path) if os.path.exists(path) else 0
        text = markdown.text(report, made, evidence=Evidence())
        if taken + len(text.encode()) + 1 > SUMMARY_LIMIT:
            sys.stderr.write(words(lang)["github.full"] + "\n")
            return
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
    except OSError as fault:
        what = f"GITHUB_STEP_SUMMARY: {path} can not be written: {fault.strerror}"
        raise UsageError(what, mend="leave --github out, or mend the variable") from None
