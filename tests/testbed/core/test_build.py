"""Which agent a kind is."""

from __future__ import annotations

import asyncio

import pytest

from harness.testbed.core.build import AnyAgent, build
from harness.testbed.core.deepagent import DeepAgent
from harness.testbed.core.planagent import PlanAgent
from harness.testbed.core.react import ReactAgent
from harness.testbed.core.versatile import VersatileAgent
from harness.testbed.core.workflow import WorkflowAgent
from tests.testbed.core.playing import playing


@pytest.mark.parametrize(
    ("kind", "name", "made"),
    [
        ("deepagent", "deep-research", DeepAgent),
        ("plan-agent", "edpa-plan-agent", PlanAgent),
        ("workflow", "expense-review-main", WorkflowAgent),
        ("react", "search-agent", ReactAgent),
        (None, "versatile-adapter", VersatileAgent),
        (None, "hotel-agent", ReactAgent),
        (None, "entry", AnyAgent),
    ],
)
def test_kinds(kind, name, made):
    agent = build(kind, name, (), "http://127.0.0.1:1/v1")
    assert type(agent) is made
    asyncio.run(agent.close())


@pytest.mark.parametrize(
    ("kind", "end"), [("workflow", "workflow_final"), ("deepagent", "answer"), (None, "answer")]
)
def test_an_agent_without_a_kind_takes_that_of_the_plan(kind, end):
    chosen = {"kind": kind} if kind else {}
    with playing(None, "entry", script="plain", **chosen) as player:
        assert player.says("hi").end["type"] == end
