"""`xfail:` of a round: an expected breach, and red when it is none any more."""

from __future__ import annotations

from tests.pytest_plugin.material import GREEN, LEAK, UNKNOWN, capture, scenario

pytest_plugins = ["pytester"]

ROUNDS = "  - send: Compare\n    xfail: the mirror is not masked yet\n"


def test_an_expected_breach_is_no_failure(folder, judge_both):
    scenario(folder / "scen", rounds=ROUNDS)
    capture(folder / "run", frames=LEAK)
    result = judge_both("-rx")
    result.assert_outcomes(xfailed=1, passed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["XFAIL scen/da-1.scenario.yaml::r1 - the mirror is not masked yet"])


def test_a_breach_that_is_gone_is_red(folder, judge_both):
    scenario(folder / "scen", rounds=ROUNDS)
    capture(folder / "run", frames=GREEN)
    result = judge_both()
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "round 1 was expected to break the contract, and holds it: the mirror is not masked yet",
            "remove the line `xfail:` of this round from scen/da-1.scenario.yaml:2",
        ]
    )


def test_runxfail_forgets_what_was_expected(folder, judge):
    scenario(folder / "scen", rounds=ROUNDS)
    capture(folder / "run", frames=GREEN)
    judge("--runxfail").assert_outcomes(passed=2)


def test_what_can_not_be_decided_was_not_expected(folder, judge):
    scenario(folder / "scen", rounds=ROUNDS)
    capture(folder / "run", frames=UNKNOWN)
    judge().assert_outcomes(failed=2)


def test_a_round_that_was_not_recorded_was_not_expected(folder, judge):
    scenario(folder / "scen", rounds="  - send: x\n" + ROUNDS)
    capture(folder / "run", frames=GREEN)
    judge().assert_outcomes(passed=1, failed=2)
