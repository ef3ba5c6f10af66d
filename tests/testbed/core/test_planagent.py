"""The plan agent: balanceThen, round by round."""

from __future__ import annotations

from tests.testbed.core.playing import playing


def test_it_delegates_step_by_step_and_reports_all():
    """Three steps, one call each, results quoted at the end; interrupts on the control channel alone."""
    with playing("plan-agent", "edpa-plan-agent", script="balance") as player:
        turns = player.to_the_end("balances")
    assert [[one.tool for one in turn.interactions] for turn in turns] == [["versatile-adapter"]] * 3 + [[]]
    assert turns[-1].end["payload"]["output"].count("R(") == 3
    assert not any(turn.of("controller_output") for turn in turns)


def test_two_agents_at_once():
    with playing("plan-agent", script="trip") as player:
        assert [one.tool for one in player.says("go").interactions] == ["hotel-agent", "flight-agent"]
