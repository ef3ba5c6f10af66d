"""Start, watching, and what `run.json` says."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading

import pytest

from harness.capture.store import read_run
from harness.errors import UsageError
from harness.model.topology import Agent, Edge, Topology
from harness.record import Leg, Recorder, Settings, feed, legs
from tests.record.peers import ask, event, post, rpc

DONE = event("TASK_STATE_COMPLETED")


def test_a_topology_is_enough(tmp_path, upstream):
    agents = (Agent("entry", "deepagent", upstream.url + "/a2a"), Agent("remote", None, "http://127.0.0.1:9"))
    edges = (Edge("client", "entry", "client"), Edge("entry", "remote", "remote"))
    upstream.stream(DONE)
    with Recorder(Topology("t", "entry", agents, edges, ()), str(tmp_path / "run"), scenario="S") as recorder:
        assert set(recorder.addresses) == {"client", "remote"}
        ask(recorder.addresses["client"], post(rpc()))
    run = read_run(recorder.run_dir)
    assert (run["topology"], run["system"], run["scenarios"]) == ("t", "entry", ["S"])
    assert run["legs"][0] == {
        "name": "client",
        "upstream": upstream.url + "/a2a",
        "listen": recorder.addresses["client"],
        "host": "listener",
    }


def test_clients_of_several_agents(record, upstream):
    """One run of several topologies: all their clients are the leg `client`, each with its own listener."""
    upstream.stream(DONE)
    two = tuple(Leg("client", upstream.url, ("127.0.0.1", 0), agent) for agent in ("edpa", "review"))
    with record(legs=two, facts={"sut": "testbed"}) as recorder:
        recorder.name("ctx-1", "EXP-01")
        assert set(recorder.addresses) == {"client:edpa", "client:review"}
        ask(recorder.addresses["client:review"], post(rpc()))
    run = read_run(recorder.run_dir)
    assert [(leg["name"], leg["agent"]) for leg in run["legs"]] == [("client", "edpa"), ("client", "review")]
    assert (run["sut"], run["scenarios"]) == ("testbed", ["EXP-01"])
    assert "EXP-01-A2A_STREAM-r1.client.sse" in os.listdir(recorder.run_dir)


def test_a_port_that_is_taken_leaves_nothing(tmp_path, record, upstream):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        two = (
            Leg("client", upstream.url, ("127.0.0.1", 0)),
            Leg("llm", upstream.url, taken.getsockname()[:2]),
        )
        with pytest.raises(UsageError, match="llm can not listen on"):
            record(legs=two).__enter__()
    assert os.listdir(tmp_path) == []


def test_a_leg_that_leads_to_a_listener_of_ours_is_refused(tmp_path, record, upstream):
    """Nobody serves there: the recorder would call itself for ever."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/a2a", f"http://localhost:{port}"):
        two = (Leg("client", upstream.url, ("127.0.0.1", 0)), Leg("llm", url, ("127.0.0.1", port)))
        with pytest.raises(UsageError, match="where the recorder listens for llm; let it listen on another"):
            record(legs=two).__enter__()
    assert os.listdir(tmp_path) == []


def test_news_come_beside(record, upstream):
    upstream.stream(event(), DONE)
    seen = []
    recorder = record()
    recorder.watch(lambda leg, stem, what: seen.append((leg, stem, what)))
    with recorder:
        ask(recorder.addresses["client"], post(rpc()))
    leg, stem = "client", "ctx-1-A2A_STREAM-r1.client"
    assert seen[-1] == (leg, stem, "clean")
    assert b"".join(what for _, _, what in seen[:-1]) == event() + DONE
    assert {one[:2] for one in seen} == {(leg, stem)}


def test_a_watcher_that_is_too_slow_loses_news_and_is_told(record, upstream, monkeypatch):
    monkeypatch.setattr(feed, "MOST", 3)
    upstream.stream(*[event()] * 20, DONE)
    gate = threading.Event()
    recorder = record()
    recorder.watch(lambda *_: gate.wait(10))
    with recorder:
        for _ in range(8):
            ask(recorder.addresses["client"], post(rpc()))
        gate.set()
    assert any("news were not shown" in one for one in recorder.summary.warnings)


@pytest.mark.parametrize(
    ("text", "leg"),
    [
        ("client=http://127.0.0.1:8191@9191", Leg("client", "http://127.0.0.1:8191", ("127.0.0.1", 9191))),
        ("llm=https://llm.internal@9193", Leg("llm", "https://llm.internal", ("127.0.0.1", 9193))),
        ("a=http://h:1/a2a@0.0.0.0:5", Leg("a", "http://h:1/a2a", ("0.0.0.0", 5))),
        ("a=http://[::1]:1@[::1]:5", Leg("a", "http://[::1]:1", ("::1", 5))),
        ("a=http://h/x@y", Leg("a", "http://h/x@y", None)),
        ("a=http://h", Leg("a", "http://h", None)),
    ],
)  # fmt: skip
def test_legs(text, leg):
    assert legs.parse(text) == leg


@pytest.mark.parametrize("text", ["", "client", "=http://h@1", "a=h:1@2", "a=ftp://h@1", "a=http://h@70000"])
def test_what_is_no_leg(text):
    with pytest.raises(UsageError):
        legs.parse(text)


def test_mitmproxy_is_loaded_for_the_recorder_only():
    code = "import sys, harness.record.assign; from harness.record import legs; assert 'mitmproxy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_leg_on_which_nothing_passed_is_told(tmp_path):
    leg = legs.parse("client=http://127.0.0.1:9@127.0.0.1:0")
    with Recorder(Settings((leg,), str(tmp_path / "run"))) as recorder:
        address = recorder.addresses["client"]
    assert recorder.summary.warnings == (f"leg client: nothing was recorded; does its caller use {address}?",)
