"""Runs the command line as a user would and hands its JSON report to the tests of this folder."""

import functools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Run(NamedTuple):
    exit: int
    report: dict[str, Any]


@functools.cache
def _check(*args: str) -> Run:
    command = [sys.executable, "-m", "harness", "check", "--json", *args]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=300, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        pytest.fail(
            f"{' '.join(command[1:])}: no JSON (exit {done.returncode}): {done.stderr[-2000:]!r}", False
        )
    assert report["exit"] == done.returncode, "the report and the process disagree about the exit code"
    return Run(done.returncode, report)


@pytest.fixture(scope="session")
def check() -> Callable[..., Run]:
    """check(*arguments of `harness check`), each command run once a session."""
    return _check
