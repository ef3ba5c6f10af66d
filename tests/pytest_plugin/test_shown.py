"""Text of a capture in the failure of a test that is written by hand."""

from __future__ import annotations

import pytest

from harness.pytest_plugin.shown import plain
from harness.report.cells import UNSAFE
from harness.rules.example import artifact
from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import GREEN, OPEN, capture

pytest_plugins = ["pytester"]

EVIL = "evil \x1b[31mred\x07\x9b2J \u202e\u2028 \r\n::error::now\n##[error]now"
PATH = "run/DA-1-A2A_STREAM-r1.client.sse"


@pytest.mark.parametrize(
    "options", [(), ("-vv", "-l"), ("--tb=native",), ("--tb=line",), ("--tb=short", "--color=yes")]
)
def test_it_does_not_act_on_the_terminal(folder, pytester, options):
    capture(folder / "run", frames=(*OPEN, artifact(EVIL), GREEN[-1]))
    pytester.makepyfile(
        f"""
        def test_in(capture):
            text = capture({PATH!r}).text
            assert "evil" not in text
        def test_equal(capture):
            assert capture({PATH!r}).text == "something\\nelse"
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN, *options)
    result.assert_outcomes(failed=2)
    for line in result.stdout.str().split("\n"):
        assert "\x1b[31mred" not in line
        assert not set("\x07\x9b\u202e\u2028\r") & set(line)
        assert not line.lstrip().startswith(("::error", "##[error"))


def test_other_tests_are_shown_as_pytest_shows_them(pytester):
    pytester.makepyfile("def test_it():\n    assert 'a\\x07b\\nc' == 'd\\ne'\n")
    assert "\x07" in pytester.runpytest_inprocess(*PLUGIN).stdout.str()


def test_lines_and_tabs_stay():
    import re

    assert plain("a\n\tb") == "a\n\tb"
    assert plain("\x1b[1m\x1b[31mE  x\x1b[0m") == "E  x"
    assert not re.search(UNSAFE, plain(EVIL).replace("\n", ""))
    assert plain("x" * 100_000) == "x" * 100_000


def test_an_error_of_the_harness_has_no_stack(folder, pytester):
    capture(folder / "run", frames=GREEN)
    pytester.makepyfile(
        f"""
        def test_path(verdict):
            verdict("run/nothing.sse")
        def test_option(assert_contract):
            assert_contract({PATH!r}, contrakt="a2a")
        def test_topology(testbed):
            testbed("nowhere")
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "E*run/nothing.sse: no such file or folder; check the path",
            "E*no option is called 'contrakt'; known are *contract*",
            "E*no topology is called 'nowhere'; known are *",
        ]
    )
    assert "harness/" not in result.stdout.str().replace("harness/pytest_plugin/__init__", "")
