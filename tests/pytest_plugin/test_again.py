"""`--lf` runs what was red, and the session's own failures do not stand in its way."""

from __future__ import annotations

from tests.pytest_plugin.material import LEAK, capture, scenario

pytest_plugins = ["pytester"]


def test_only_what_was_red_runs_again(folder, pytester):
    for name in ("DA-1", "DA-2"):
        scenario(folder / "scen", name)
        capture(folder / "run", name, LEAK if name == "DA-2" else ())
    capture(folder / "run", "DA-1")
    capture(folder / "run", "DA-7")
    go = ("-p", "harness.pytest_plugin", "scen", "--run", "run")
    pytester.runpytest_inprocess(*go).assert_outcomes(passed=3, failed=2)
    result = pytester.runpytest_inprocess(*go, "--lf", "--allow-unnamed-captures")
    result.assert_outcomes(failed=1)
    assert "rerun previous 1 failure" in result.stdout.str()
