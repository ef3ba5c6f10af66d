"""The official Python SDK's client and server with the recorder between them: nothing changes, and all is recorded."""

from __future__ import annotations

import pytest

from tests.e2e import recording
from tests.e2e.conversations import CASES, WAYS, run
from tests.e2e.tee import Tee

EXCHANGES = {"ask": 2, "cancel": 2, "subscribe": 2, "parallel": 3}
"""Exchanges of a case, where they are not one."""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("case", CASES)
def test_the_client_yields_the_same_and_the_captures_judge_the_same(case, way, agent, tmp_path):
    direct, run_dir = tmp_path / "direct", tmp_path / "run"
    direct.mkdir()
    expected = run(case, agent.url, way, agent.open, Tee(direct))
    agent.forget()
    with recording.recorder(run_dir, {"client": agent.url}) as recorder:
        seen = run(case, recorder.addresses["client"], way, agent.open)
    assert seen == expected
    summary = recorder.summary
    assert (summary.incomplete, summary.sealed) == ((), summary.exchanges)

    bodies = recording.verdicts(direct)
    assert recording.verdicts(run_dir) == bodies
    assert len(bodies) == EXCHANGES.get(case, 1)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_rounds_of_one_context_are_one_scenario(way, agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}) as recorder:
        run("ask", recorder.addresses["client"], way, agent.open)
    rounds = recording.judged(tmp_path)[1]
    context = f"ask-{way.name}-please"
    assert [(one.scenario, one.protocol, one.round, one.outcome) for one in rounds] == [
        (context, "A2A_STREAM", 1, "INTERACTION"),
        (context, "A2A_STREAM", 2, "COMPLETED"),
    ]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_parallel_streams_stay_apart(way, agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}) as recorder:
        run("parallel", recorder.addresses["client"], way, agent.open)
    rounds = recording.judged(tmp_path)[1]
    assert {(one.scenario, one.round, one.outcome, one.events) for one in rounds} == {
        (f"parallel-{way.name}-gate-{number}", 1, "COMPLETED", 9) for number in (1, 2, 3)
    }


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_subscribe_and_cancel_have_labels_of_their_own(way, agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}) as recorder:
        address = recorder.addresses["client"]
        run("subscribe", address, way, agent.open)
        run("cancel", address, way, agent.open)
    labels = sorted((one.scenario, one.protocol) for one in recording.captures(tmp_path))
    assert labels == [
        (f"cancel-{way.name}-please", "A2A_CANCEL"),
        (f"cancel-{way.name}-please", "A2A_STREAM"),
        (f"subscribe-{way.name}-gate-1", "A2A_STREAM"),
        (f"subscribe-{way.name}-gate-1", "A2A_SUBSCRIBE"),
    ]
