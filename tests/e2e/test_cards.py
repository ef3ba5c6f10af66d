"""Two agents deep, each found by its card: a client that knows the recorder's address only is recorded on every leg."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import recording
from tests.e2e.conversations import WAYS, Way, run, told_by
from tests.e2e.raw_client import get
from tests.e2e.sdk_server import WELL_KNOWN, SdkServer

BY_VERSION = [way for way in WAYS if way.binding == "JSONRPC"]


@pytest.fixture(scope="module")
def running_remote() -> Iterator[SdkServer]:
    with SdkServer("search-agent") as server:
        yield server


def facts(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("remote_way", BY_VERSION, ids=lambda way: f"remote-{way.name}")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_client_entry_and_remote_are_recorded_by_their_cards(
    way, remote_way, agent, running_remote, tmp_path
):
    upstreams = {"client": agent.url, "search-agent": running_remote.url}
    with recording.recorder(tmp_path, upstreams) as recorder:
        agent.agent.remotes["search-agent"] = recorder.addresses["search-agent"] + remote_way.path
        seen = run("delegate search-agent echo 价格", recorder.addresses["client"], way, agent.open)
        recording.sealed(tmp_path, 4)
    assert told_by(seen) == "search-agent says: 价格"

    (entry,), (remote,) = (recording.judged(tmp_path, leg)[1] for leg in ("client", "search-agent"))
    assert (entry.outcome, remote.outcome) == ("COMPLETED", "COMPLETED")
    assert (remote.scenario, remote.round, remote.protocol) == (entry.scenario, 1, "A2A_STREAM")
    assert remote.dialect == remote_way.name[:4]

    assert recording.judged(tmp_path)[0].exit == 0, "cards in a run folder are no undecided rounds"

    written = facts(tmp_path)
    assert {one["leg"]: one["signed"] for one in written["cards"]} == {"client": False, "search-agent": False}
    for one in written["cards"]:
        assert one["rewritten"], "the card's addresses became the listener's"
    assert [one["stem"] for one in written["exchanges"] if one["unassigned"]] == []
    others = [one for one in written["exchanges"] if one["protocol"] == "OTHER"]
    assert len(others) == 2, "each card was fetched through the recorder"


@pytest.mark.parametrize("path", ["", "/v10", "/v03"])
def test_all_addresses_in_a_card_are_the_listeners(path, agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}) as recorder:
        address = recorder.addresses["client"]
        direct = get(agent.url, path + WELL_KNOWN)
        seen = get(address, path + WELL_KNOWN)
    assert agent.url.encode() in direct.body
    assert json.loads(seen.body) == json.loads(direct.body.replace(agent.url.encode(), address.encode()))


def test_a_card_can_be_kept_and_a_leg_that_saw_no_call_is_told(agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}, keep_cards=True) as recorder:
        seen = run(
            "complete", recorder.addresses["client"], Way("v1.0-jsonrpc", "/v10", "JSONRPC"), agent.open
        )
    assert seen, "the client reached the agent, around the recorder"
    assert recording.captures(tmp_path) == []
    assert any("client" in warning for warning in recorder.summary.warnings), recorder.summary
