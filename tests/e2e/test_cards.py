"""Two agents deep, each found by its card: a client that knows the recorder's address only is recorded on every leg."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness import topologies
from harness.record import Recorder
from tests.e2e import recording
from tests.e2e.conversations import WAYS, Way, play, run, told_by
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


def test_delegations_of_concurrent_rounds_stay_apart(agent, running_remote, tmp_path):
    """Three conversations delegate at once; the remote answers none before all have begun, the last one first."""
    way = BY_VERSION[0]
    running_remote.forget()
    cases = [f"delegate search-agent hold gate-{number}" for number in (1, 2, 3)]
    upstreams = {"client": agent.url, "search-agent": running_remote.url}

    def begun() -> bool:
        held = [lines for stem, lines in recording.journals(tmp_path).items() if ".search-agent" in stem]
        return (
            sum(
                any(line["kind"] == "chunk" for line in lines)
                for lines in held
                if lines and lines[0]["round"]
            )
            == 3
        )

    with recording.recorder(tmp_path, upstreams) as recorder, ThreadPoolExecutor() as pool:
        agent.agent.remotes["search-agent"] = recorder.addresses["search-agent"] + way.path
        address = recorder.addresses["client"]
        talks = [pool.submit(run, case, address, way, agent.open) for case in cases]
        recording.until(begun, "three delegations under way")
        for number in (3, 2, 1):
            running_remote.open(f"gate-{number}")
        texts = [told_by(talk.result()) for talk in talks]
    assert texts == ["search-agent says: s0 s1 s2 s3 s4 s5 "] * 3
    asked = {
        one.scenario: json.loads(one.request.body)["params"]["message"]["parts"][0]["text"]
        for one in recording.captures(tmp_path, "search-agent")
    }
    assert asked == {
        f"{case.replace(' ', '-')}-{way.name}-search-agent": case.removeprefix("delegate search-agent ")
        for case in cases
    }


TOPOLOGY = """
version: 1
topologies:
  - name: two-deep
    entry: entry
    agents:
      - {{name: entry, kind: deepagent, url: "{entry}/rpc"}}
      - {{name: search-agent, kind: react, url: "{remote}/rpc"}}
    edges:
      - {{from: client, to: entry}}
      - {{from: entry, to: search-agent}}
    scenarios: [delegate]
"""


@pytest.mark.parametrize("way", BY_VERSION, ids=lambda way: way.name)
def test_the_legs_of_a_topology_in_an_event_loop(way, agent, running_remote, tmp_path):
    """The library as a test would use it: a topology file, the caller's own event loop."""
    path = tmp_path / "topologies.yaml"
    path.write_text(TOPOLOGY.format(entry=agent.url, remote=running_remote.url), encoding="utf-8")
    topology = topologies.named(topologies.load(str(path)), "two-deep")
    assert topology is not None

    async def talk() -> list[Any]:
        async with Recorder(topology, str(tmp_path / "run")) as recorder:
            agent.agent.remotes["search-agent"] = recorder.addresses["search-agent"] + way.path
            return await play("delegate search-agent echo x", recorder.addresses["client"], way, agent.open)

    assert told_by(asyncio.run(talk())) == "search-agent says: x"
    report, (entry,) = recording.judged(tmp_path / "run", topologies=str(path))
    assert (entry.topology, entry.outcome, report.exit) == ("two-deep", "COMPLETED", 0)
    assert [one.outcome for one in recording.judged(tmp_path / "run", "search-agent")[1]] == ["COMPLETED"]
    assert facts(tmp_path / "run")["topology"] == "two-deep"
