"""What a test needs and a machine may lack: the test is left out, told at the end, and fails where CI is set.

@pytest.fixture(scope="session")
def node():
    return needs.command("node", "sh scripts/setup-js.sh")
"""

from __future__ import annotations

import os
import shutil
from typing import Any, NoReturn

import pytest

WORD = "left out: "
"""How the reason of such a test begins."""


def lacking(what: str, mend: str) -> NoReturn:
    """Leave the test out, or fail it with CI=true: a gate must not lose tests in silence."""
    reason = f"{WORD}there is no {what} here; bring it with: {mend}"
    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def command(name: str, mend: str, path: str | None = None) -> str:
    """Where the command is; leaves the test out if there is none."""
    return shutil.which(name, path=path) or lacking(name, mend)


def told(skipped: list[Any]) -> list[str]:
    """A line for each thing that was lacking, with the number of tests left out."""
    reasons = [
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in skipped
        if isinstance(report.longrepr, tuple)
    ]
    counted = {reason: reasons.count(reason) for reason in reasons if reason.startswith(WORD)}
    return [f"{count} tests {reason}" for reason, count in sorted(counted.items())]
