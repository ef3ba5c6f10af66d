"""The plugin runs in sessions of its own, in folders of their own."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import harness
from harness.pytest_plugin.asking import CI

type Run = Callable[..., pytest.RunResult]
STARTS = ("record", "replay", "testbed", "live", "drive", "cli", "__main__")
"""Packages that are not needed to judge what was recorded."""
PLUGIN = ("-p", "harness.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture(autouse=True, scope="session")
def loaded() -> None:
    """A session in this process forgets what it loaded, and must not load half of it a second time."""
    for one in pkgutil.walk_packages(harness.__path__, "harness."):
        if one.name.split(".")[1] not in STARTS:
            import_module(one.name)


@pytest.fixture(autouse=True)
def plain_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """English, lines of a known width, and no CI: what a test wants otherwise it says."""
    for name, value in {"LC_ALL": "C.UTF-8", "COLUMNS": "120"}.items():
        monkeypatch.setenv(name, value)
    for name in CI:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """Where the session runs; `scen/` holds scenarios, `run/` what was recorded."""
    return pytester.path


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """pytest in this process, over `scen/` and judging `run/`, unless other arguments are given."""

    def go(*arguments: str, paths: tuple[str, ...] = ("scen",)) -> pytest.RunResult:
        return pytester.runpytest_inprocess(*PLUGIN, *paths, *arguments)

    return go


@pytest.fixture
def judge(run: Run) -> Run:
    """The same with `--run run`."""

    def go(*arguments: str, **more: tuple[str, ...]) -> pytest.RunResult:
        return run("--run", "run", *arguments, **more)

    return go


@pytest.fixture(params=["alone", "xdist"])
def judge_both(request: pytest.FixtureRequest, pytester: pytest.Pytester, judge: Run) -> Run:
    """`--run run` in this process, and with two workers in processes of their own."""

    def workers(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(*PLUGIN, "scen", "--run", "run", "-n", "1", *arguments)

    return judge if request.param == "alone" else workers
