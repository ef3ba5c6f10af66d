"""With xdist one worker makes the judgement; the others read it, and nothing is left behind."""

from __future__ import annotations

import glob
import os
import tempfile

import pytest

from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import LEAK, capture, scenario

pytest_plugins = ["pytester"]


def folders() -> set[str]:
    return set(glob.glob(os.path.join(tempfile.gettempdir(), "harness-pytest-*")))


def test_the_judging_happens_once(folder, pytester, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for number in range(8):
        scenario(folder / "scen", f"DA-{number}")
        capture(folder / "run", f"DA-{number}", LEAK if number % 2 else ())
    pytester.makeconftest(
        "import os, harness.pytest_plugin.runs as runs\n"
        "made = runs.judge\n"
        "def judge(wanted):\n"
        "    with open('made', 'a') as file: print(os.getpid(), file=file)\n"
        "    return made(wanted)\n"
        "runs.judge = judge\n"
    )
    result = pytester.runpytest_subprocess(*PLUGIN, "scen", "--run", "run", "-n", "3")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert len((folder / "made").read_text().split()) == 1
    assert folders() == set()


def test_both_say_the_same(folder, pytester):
    for number in range(4):
        scenario(folder / "scen", f"DA-{number}")
        capture(folder / "run", f"DA-{number}", LEAK if number % 2 else ())
    told = []
    for more in ((), ("-n", "2")):
        result = pytester.runpytest_subprocess(*PLUGIN, "scen", "--run", "run", *more)
        told.append(
            sorted(line for line in result.outlines if line.startswith(("FAILED", "contract", "run ")))
        )
    assert told[0] == told[1]
    assert len(told[0]) > 4


def test_an_error_reaches_all_workers(folder, pytester):
    for number in range(3):
        scenario(folder / "scen", f"DA-{number}")
    (folder / "run").mkdir()
    (folder / "scenarios").mkdir()
    (folder / "scenarios/waivers.yaml").write_text("version: 2\n")
    result = pytester.runpytest_subprocess(*PLUGIN, "scen", "--run", "run", "-n", "2")
    result.assert_outcomes(failed=6)
    assert result.stdout.str().count("scenarios/waivers.yaml:1 $.version") >= 6
