"""The contract's item answers for what no round of the client shows."""

from __future__ import annotations

from tests.pytest_plugin.material import GREEN, OPEN, UNKNOWN, capture, scenario

pytest_plugins = ["pytester"]


def test_a_breach_on_another_leg_is_red_there(folder, judge):
    scenario(folder / "scen")
    capture(folder / "run", frames=GREEN)
    capture(folder / "run", frames=(*GREEN, *OPEN), leg="search-agent")
    result = judge()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*_ DA-1 contract?masked? _*", "*leg search-agent*"])


def test_what_another_leg_does_not_tell_is_undecided(folder, judge):
    scenario(folder / "scen")
    capture(folder / "run", frames=GREEN)
    capture(folder / "run", frames=UNKNOWN, leg="search-agent")
    result = judge()
    result.assert_outcomes(passed=1, failed=1)
    assert "::contract[masked] - could not be decided" in result.stdout.str()


def test_topologies_that_show_different_things_are_red_at_each_contract(folder, judge):
    """Seed 000, view B: one meaning is shown by all topologies, or by none."""
    from tests.pytest_plugin.material import ASKS, LEAK

    scenario(folder / "scen", "DA-1")
    scenario(folder / "scen", "EDPA-1", topology="edpa")
    capture(folder / "run", "DA-1", LEAK)
    capture(folder / "run", "EDPA-1", ASKS)
    result = judge("--contract", "symmetric")
    result.assert_outcomes(passed=2, failed=2)
    assert result.stdout.str().count("::contract[symmetric] - SYM401") == 2
