"""The testbed's processes: addresses before service, service, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from harness.errors import HarnessError
from harness.model.topology import Agent, Edge
from harness.testbed.launch import Testbed
from harness.testbed.plan import Plan

AGENTS = [Agent("deep-research", "deepagent"), Agent("search-agent", "react")]

pytestmark = pytest.mark.usefixtures("no_hang")


def card(address: str) -> dict:
    base = address.removesuffix("/a2a")
    with httpx.Client(trust_env=False) as http:
        return http.get(f"{base}/.well-known/agent-card.json").json()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not is_zombie(pid)


def is_zombie(pid: int) -> bool:
    """Dead, and not collected by whoever adopted it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return False


def gone(*pids: int) -> bool:
    """Whether all processes are gone, in bounded time."""
    deadline = time.monotonic() + 30
    while any(map(is_there, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(is_there, pids))


def is_refused(address: str) -> bool:
    where = urlsplit(address)
    with contextlib.closing(socket.socket()) as probe:
        return probe.connect_ex((where.hostname, where.port)) != 0


def open_files() -> int:
    return len(os.listdir("/dev/fd"))


def test_addresses_are_known_before_anything_is_served():
    with Testbed(AGENTS) as testbed:
        assert set(testbed.addresses) == {"deep-research", "search-agent", "llm"}
        assert testbed.addresses["llm"].endswith("/v1")
        assert all(map(is_refused, testbed.addresses.values()))


def test_every_server_accepts_and_is_a_process_of_its_own():
    with Testbed(AGENTS) as testbed:
        testbed.serve({}, {})
        assert len({os.getpid(), *testbed.pids.values()}) == 4
        assert card(testbed.addresses["search-agent"])["name"] == "search-agent"
        models = httpx.get(f"{testbed.addresses['llm']}/models", trust_env=False)
        assert models.json()["object"] == "list"


def test_ten_starts_leave_nothing():
    before, threads = open_files(), threading.active_count()
    for _ in range(10):
        with Testbed(AGENTS) as testbed:
            testbed.serve({}, {"c-1": Plan("research")})
            supervisor = testbed.supervisor
        assert gone(supervisor, *testbed.pids.values())
        assert all(map(is_refused, testbed.addresses.values()))
    assert (open_files(), threading.active_count()) == (before, threads)


def test_an_open_stream_does_not_delay_the_end():
    with Testbed(AGENTS) as testbed, httpx.Client(trust_env=False, timeout=60) as http:
        testbed.serve({}, {"c-1": Plan("ask", keep_open=True)})
        part = {"role": "ROLE_USER", "messageId": "m", "contextId": "c-1", "parts": [{"text": "go"}]}
        body = {"jsonrpc": "2.0", "id": "r", "method": "SendStreamingMessage", "params": {"message": part}}
        with http.stream("POST", testbed.addresses["deep-research"], json=body) as response:
            assert any("INPUT_REQUIRED" in line for line in response.iter_lines())
            testbed.__exit__()
    assert gone(*testbed.pids.values())


def test_children_die_with_a_parent_that_is_killed():
    text = """
        import os, sys, time
        from harness.model.topology import Agent
        from harness.testbed.launch import Testbed
        with Testbed([Agent("search-agent", "react")]) as testbed:
            testbed.serve({}, {})
            print(testbed.supervisor, *testbed.pids.values(), flush=True)
            time.sleep(600)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE, text=True
    ) as one:
        pids = [int(pid) for pid in one.stdout.readline().split()]
        assert len(pids) == 3
        one.send_signal(signal.SIGKILL)
    assert gone(*pids)


def test_children_die_with_a_supervisor_that_is_killed():
    with Testbed(AGENTS) as testbed:
        testbed.serve({}, {})
        os.kill(testbed.supervisor, signal.SIGKILL)
    assert gone(*testbed.pids.values())


def test_a_server_that_dies_leaves_the_others():
    with Testbed(AGENTS) as testbed:
        testbed.serve({}, {})
        os.kill(testbed.pids["search-agent"], signal.SIGKILL)
        while not is_refused(testbed.addresses["search-agent"]):
            time.sleep(0.01)
        assert card(testbed.addresses["deep-research"])["name"] == "deep-research"


def test_a_supervisor_that_is_gone_is_told(tmp_path):
    log = tmp_path / "testbed.log"
    with Testbed(AGENTS, log=str(log)) as testbed:
        os.kill(testbed.supervisor, signal.SIGKILL)
        with pytest.raises(HarnessError) as error:
            testbed.serve({}, {})
    assert str(error.value) == f"the testbed does not run: it has ended; see {log}"


BROKEN = """
from harness.testbed import services

def application(server, orders):
    raise OSError(f"no room for {server.name}")

services.application = application
"""


def test_a_server_that_can_not_start_is_told(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(BROKEN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Testbed([Agent("someone")]) as testbed, pytest.raises(HarnessError) as error:
        testbed.serve({}, {})
    assert re.fullmatch(
        r"the testbed does not run: server (someone|llm) died: OSError: no room for \1; "
        "give it a log file to see why",
        str(error.value),
    )


def test_it_serves_once():
    with Testbed([]) as testbed:
        testbed.serve({}, {})
        with pytest.raises(HarnessError, match="the testbed serves already; open another one"):
            testbed.serve({}, {})


def test_errors_of_the_servers_go_to_the_log(tmp_path, capfd):
    log = tmp_path / "testbed.log"
    with Testbed(AGENTS, log=str(log)) as testbed:
        testbed.serve({"llm": 7}, {})  # type: ignore[dict-item]
        part = {"role": "ROLE_USER", "messageId": "m", "contextId": "c-1", "parts": [{"text": "go"}]}
        body = {"jsonrpc": "2.0", "id": "r", "method": "SendMessage", "params": {"message": part}}
        answer = httpx.post(testbed.addresses["search-agent"], json=body, trust_env=False).json()
    assert answer == {"jsonrpc": "2.0", "id": "r", "error": {"code": -32603, "message": "Internal error"}}
    assert "Traceback" in log.read_text()
    assert capfd.readouterr() == ("", "")


def test_two_testbeds_run_side_by_side():
    with Testbed(AGENTS) as one, Testbed(AGENTS) as two:
        one.serve({}, {})
        two.serve({}, {})
        assert card(one.addresses["deep-research"])["name"] == card(two.addresses["deep-research"])["name"]
        assert not set(one.addresses.values()) & set(two.addresses.values())


def test_it_is_used_in_a_with_statement():
    with pytest.raises(HarnessError, match="the testbed is not open; use it in a `with` statement"):
        Testbed(AGENTS).serve({}, {})


def test_edges_limit_whom_an_agent_calls():
    edges = [Edge("deep-research", "search-agent", "search-agent")]
    servers = Testbed([*AGENTS, Agent("other")], edges=edges).servers
    assert {one.name: one.calls for one in servers} == {
        "deep-research": ("search-agent",),
        "search-agent": (),
        "other": (),
        "llm": None,
    }
