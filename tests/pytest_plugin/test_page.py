"""docs/pytest.md: every option, fixture, mark and property stands in it, and its commands are understood."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

from harness.model.topology import AgentKind
from harness.pytest_plugin import __all__ as fixtures
from harness.pytest_plugin.collect import RESERVED
from harness.pytest_plugin.options import OPTIONS
from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import ASKS, capture, scenario

pytest_plugins = ["pytester"]

PAGE = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    pytest (.*?)(?: +#.*)?$", PAGE, re.MULTILINE)


def test_every_option_stands_in_the_table_with_its_ini_key():
    for one in OPTIONS:
        flag = f"--{one.name} {one.metavar}".strip().replace("|", "\\|")
        assert f"| `{flag}` | `{one.dest}` |" in PAGE


def test_every_fixture_stands_in_the_table():
    assert not [name for name in fixtures if f"| `{name}(" not in PAGE]


def test_every_mark_is_named():
    kinds = get_args(AgentKind.__value__)
    assert not [kind for kind in kinds if f"`topology_{kind.replace('-', '_')}`" not in PAGE]
    assert {"skip", "xfail"} <= RESERVED


@pytest.mark.parametrize("command", COMMANDS)
def test_its_commands_are_understood(command, folder, pytester):
    scenario(folder / "scenarios", "DA-09")
    (folder / "captures/run-20260811-093000").mkdir(parents=True)
    (folder / "sut.yaml").write_text(
        'version: 1\nagents:\n  deep-research: {url: "http://127.0.0.1:9/a2a"}\n'
    )
    result = pytester.runpytest_subprocess(
        "-p", "harness.pytest_plugin", *shlex.split(command), "--collect-only", "-q"
    )
    assert result.ret == 0
    result.stdout.fnmatch_lines(["scenarios/da-09.scenario.yaml::r1"])


def test_its_example_runs(folder, pytester):
    [text] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    run = folder / "captures/run-20260811-093000"
    capture(run, "EDPA-03", ASKS)
    pytester.makepyfile(text)
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)


def test_its_properties_are_those_of_junit(folder, judge):
    scenario(folder / "scen")
    capture(folder / "run")
    judge("--junitxml", "junit.xml")
    names = set(re.findall(r'<property name="(\w+)"', (folder / "junit.xml").read_text()))
    assert names
    assert not [name for name in names if f"`{name}`" not in PAGE]
