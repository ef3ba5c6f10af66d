"""Rules that were never checked are listed, and red with pytest's own `--strict`."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.material import capture, scenario

pytest_plugins = ["pytester"]


@pytest.fixture
def green(folder):
    scenario(folder / "scen")
    capture(folder / "run")
    return folder


def test_they_are_listed_with_their_reason(green, judge_both):
    result = judge_both()
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "contract masked: rounds 1, errors 0, *",
            "Never checked, in no round*",
            "  *NEG902*: the request is not known",
        ]
    )


def test_strict_makes_them_red(green, judge_both):
    result = judge_both("--strict")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*_ never checked?masked? _*", "  *NEG902*: the request is not known"])


def test_strict_may_stand_in_the_ini_file(green, pytester, judge):
    pytester.makeini("[pytest]\nstrict = true\n")
    assert judge().ret == pytest.ExitCode.TESTS_FAILED


def test_strict_makes_warnings_red(folder, judge):
    from tests.pytest_plugin.material import WARNS

    scenario(folder / "scen")
    capture(folder / "run", frames=WARNS)
    judge().assert_outcomes(passed=2)
    judge("--fail-on", "warning").assert_outcomes(passed=1, failed=1)
    judge("--strict").assert_outcomes(passed=1, failed=2)
