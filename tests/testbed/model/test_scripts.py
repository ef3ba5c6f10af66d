"""Scripts as data: each can be played, and each tool that it calls exists."""

from __future__ import annotations

import pytest

from harness.testbed.core.rails import LOCAL, RAILS
from harness.testbed.model.scripts import AGENTS, SCRIPTS, Parameters, delegate


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_tool_is_an_agent_or_a_rail(script):
    steps = SCRIPTS[script](Parameters(calls=12))
    tools = {call.tool for step in steps for call in step.calls}
    assert tools <= {*AGENTS, *RAILS, *LOCAL}


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_ends(script):
    last = SCRIPTS[script](Parameters())[-1]
    assert not last.calls
    assert last.says or last.fault


def test_every_remote_agent_has_a_script():
    assert set(AGENTS.values()) <= set(SCRIPTS)


def test_a_delegation_has_the_argument_of_the_tool_card():
    """Seed 000, section 5.1: a schema of remoteInput alone."""
    assert delegate("search-agent", "x").arguments == {"remoteInput": "x"}
