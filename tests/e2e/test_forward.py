"""A system that knows `HTTP_PROXY` only: the official SDK's client through the forward proxy."""

from __future__ import annotations

import httpx
import pytest

from tests.e2e import recording
from tests.e2e.conversations import WAYS, run
from tests.e2e.raw_client import RawClient


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_client_yields_the_same_and_all_is_recorded(way, agent, tmp_path):
    expected = run("ask", agent.url, way, agent.open)
    host = agent.url.removeprefix("http://")
    with recording.recorder(tmp_path, {}, forward=("127.0.0.1", 0), allow=(f"client={host}",)) as recorder:
        transport = httpx.AsyncHTTPTransport(proxy=recorder.addresses["forward"])
        seen = run("ask", agent.url, way, agent.open, transport)
    assert seen == expected
    assert [one.outcome for one in recording.judged(tmp_path)[1]] == ["INTERACTION", "COMPLETED"]
    assert recorder.summary.warnings == (), "what is allowed is recorded, whoever's address the card names"


def test_what_is_not_allowed_is_not_reached(agent, tmp_path):
    with (
        recording.recorder(tmp_path, {}, forward=("127.0.0.1", 0), allow=("elsewhere.example",)) as recorder,
        RawClient(recorder.addresses["forward"], "") as client,
    ):
        client.ask_proxy(f"{agent.url}/rpc")
        seen = client.rest()
    assert seen.status == 403
    assert any("not allowed" in warning for warning in recorder.summary.warnings)
