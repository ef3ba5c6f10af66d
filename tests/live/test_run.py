"""Live runs: on the testbed and elsewhere, several conversations at a time, stopped in the middle, again and again."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from pathlib import Path

import pytest

from harness import topologies
from harness.capture.store import read_run
from harness.errors import ScenarioError, UsageError
from harness.live import Order, Stop, Stopped
from harness.live.on_testbed import patient, plan_of
from harness.live.session import context_id
from harness.pipeline import Options
from harness.scenario.sut import Sut, SutAgent
from tests.drive.conftest import answering, refused
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.recording import until
from tests.live.conftest import written
from tests.live.system import Server, answer

DONE = "{outcome: COMPLETED}"
PLAIN = f"  - {{send: hello, expect: {DONE}}}\n"


def test_a_run_is_recorded_named_and_judged(go) -> None:
    with FaultServer(answer) as agent:
        ran = go(
            *(written(PLAIN * 2, name=f"S-{n}") for n in (1, 2, 3)), url=agent.url, jobs=2, set_name="stock"
        )
    assert ran.report.exit == 0
    assert [(one.scenario, one.round, one.outcome) for one in ran.report.rounds] == [
        (f"S-{n}", r, "COMPLETED") for n in (1, 2, 3) for r in (1, 2)
    ]
    assert [one.scenario for one in ran.driven] == ["S-1", "S-2", "S-3"]
    facts = read_run(ran.run_dir)
    assert (facts["sut"], facts["defects"], facts["topologies"]) == ("sut.yaml", "stock", ["one"])
    assert facts["scenarios"] == ["S-1", "S-2", "S-3"]
    assert (facts["contract"], facts["topology"], facts["system"]) == ("masked", "one", "entry")
    talk = facts["conversations"]["S-2"]
    assert talk["contextId"] == ran.driven[1].context_id
    assert [(one["number"], one["end"], one["status"]) for one in talk["rounds"]] == [
        (1, "over", 200),
        (2, "over", 200),
    ]


def test_an_expectation_that_fails_is_a_finding(go) -> None:
    with FaultServer(answer) as agent:
        ran = go(written("  - {send: hello, expect: {outcome: FAILED}}"), url=agent.url)
    assert ran.report.exit == 1
    assert [each.rule for each in ran.report.rounds[0].findings if each.severity == "error"] == ["SCN101"]


def test_a_request_that_is_sent_again_is_one_round(go) -> None:
    with FaultServer(answering(refused(503), refused(503), answer, answer)) as agent:
        ran = go(written(PLAIN * 2, retries=2), url=agent.url)
    assert ran.report.exit == 0
    assert [(one.round, one.http_status) for one in ran.report.rounds] == [(1, 200), (2, 200)]
    assert [one.attempts for one in ran.driven[0].rounds] == [3, 1]
    assert len(read_run(ran.run_dir)["retried"]) == 2


def test_conversations_that_run_at_a_time_are_as_many_as_asked(go) -> None:
    open_now, most, lock, four = [0], [0], threading.Lock(), threading.Semaphore(0)

    def script(peer: Peer) -> None:
        with lock:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
        if open_now[0] == 2:
            four.release(8)
        four.acquire(timeout=20)
        with lock:
            open_now[0] -= 1
        answer(peer)

    with FaultServer(script) as agent:
        go(*(written(PLAIN, name=f"S-{n}") for n in range(4)), url=agent.url, jobs=2)
    assert most[0] == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_is_sealed(go, number: int) -> None:
    stop = Stop()

    def script(peer: Peer) -> None:
        peer.head()
        stop.tell(number)
        peer.until_left()

    with FaultServer(script) as agent, pytest.raises(Stopped, match="sealed") as caught:
        go(written(PLAIN * 2), written(PLAIN, name="S2"), url=agent.url, stop=stop)
    assert caught.value.exit_code == 128 + number
    facts = read_run(caught.value.run_dir or "")
    assert facts["ended"]
    assert [one["ending"] for one in facts["exchanges"]] in (["client_left"], ["proxy_stopped"])


def test_one_that_is_stopped_before_it_begins_records_nothing(go, tmp_path) -> None:
    stop = Stop()
    stop.tell()
    with pytest.raises(Stopped, match="nothing was recorded yet"):
        go(written(PLAIN), url="http://127.0.0.1:9", stop=stop)
    assert not os.path.exists(tmp_path / "captures")


def test_a_folder_that_can_not_be_written_is_told_first(go) -> None:
    with FaultServer(answer) as agent:
        with pytest.raises(UsageError, match="no run folder can be made in /proc/nope: "):
            go(written(PLAIN), url=agent.url, captures="/proc/nope")
        assert agent.requests == []


def test_context_ids_are_new_and_have_no_border_in_them() -> None:
    made = {context_id(written(PLAIN, name=name)) for name in ("DA_09.x", "DA_09.x", "三个", "x" * 100)}
    assert len(made) == 4
    assert all(re.fullmatch(r"[a-z0-9-]{8,60}", one) for one in made)


KNOWN = topologies.load()


def on_testbed(**head):
    return written(PLAIN, name="DA-plain", topology="deep-research", **{"testbed": "{script: plain}", **head})


def test_the_testbed_is_started_driven_and_gone(go) -> None:
    ran = go(on_testbed(), topologies=KNOWN, set_name="fixed", options=Options(), tokens=40)
    assert ran.report.exit == 0
    assert [(one.scenario, one.leg, one.outcome) for one in ran.report.rounds] == [
        ("DA-plain", "client", "COMPLETED")
    ]
    assert 30 < ran.report.rounds[0].events < 60
    facts = read_run(ran.run_dir)
    assert (facts["sut"], facts["defects"]) == ("testbed", "fixed")
    assert {one["leg"] for one in facts["exchanges"]} == {"client", "llm"}
    assert not any(one["unassigned"] for one in facts["exchanges"])


def test_the_testbed_is_stopped_in_the_middle(go) -> None:
    stop = Stop()

    def tell(step) -> None:
        if step.what == "sent":
            stop.tell()

    with pytest.raises(Stopped):
        go(on_testbed(), topologies=KNOWN, tokens=10_000, pace=0.1, stop=stop, on_step=tell)


def test_what_the_testbed_does_not_know_is_told_with_its_place(go) -> None:
    with pytest.raises(
        ScenarioError, match=r"DA-plain.scenario.yaml:2 \$.testbed.script: 'x' is not allowed"
    ):
        go(on_testbed(testbed="{script: x}"), topologies=KNOWN)
    with pytest.raises(
        UsageError, match="--tokens: 1000000000 is not allowed; give a whole number from 0 to"
    ):
        go(on_testbed(), topologies=KNOWN, tokens=10**9)


def test_what_slows_the_testbed_gives_the_rounds_more_time() -> None:
    one = written("  - {send: a}\n  - {answer: b, timeout: 5}", testbed="{pace: 9, tokens: 9}")
    for order, at_least in ((Order((one,), ()), 0), (Order((one,), (), tokens=100, pace=0.5), 50)):
        timed = patient(order, one, plan_of(order, one))
        assert timed.timeout_s >= one.timeout_s + at_least
        assert (timed.rounds[1].timeout_s or 0) >= 5 + at_least
        assert timed.rounds[0].timeout_s is None
        assert (timed == one) is (at_least == 0)


def test_two_kinds_of_one_agent_are_refused(go) -> None:
    text = "version: 1\ntopologies:\n" + "".join(
        f"  - {{name: {name}, entry: e{name}, agents: [{{name: e{name}, kind: react}}, {{name: x, kind: {kind}}}]}}\n"
        for name, kind in (("a", "react"), ("b", "workflow"))
    )
    told = [written(PLAIN, name=name, topology=name, testbed="{}") for name in "ab"]
    with pytest.raises(ScenarioError, match="agent x is of kind react and of kind workflow"):
        go(*told, topologies=topologies.parse(text, "t.yaml"))


def test_values_of_the_environment_are_not_recorded(go, tmp_path) -> None:
    headers = (("Authorization", "Bearer topsecret1"), ("X-TeamKey", "topsecret2"), ("X-Space", "default"))
    agent = SutAgent("entry", "", headers, secret=("Authorization", "X-TeamKey"))
    with FaultServer(answer) as peer:
        ran = go(written(PLAIN), sut=Sut("sut.yaml", (agent._replace(url=peer.url),)))
        (request,) = peer.requests
    assert request.count(b"topsecret") == 2
    recorded = b"".join(path.read_bytes() for path in Path(ran.run_dir).iterdir())
    assert b"topsecret" not in recorded
    assert b"default" in recorded
    assert ran.report.exit == 0


def test_a_leg_that_is_not_used_is_told_of_a_system_only(go) -> None:
    notes: list[str] = []
    go(on_testbed(), topologies=KNOWN, on_note=notes.append)
    assert notes == []
    with FaultServer(answer) as agent:
        sut = Sut("sut.yaml", (SutAgent("entry", agent.url), SutAgent("remote", "http://127.0.0.1:9")))
        go(written(PLAIN), sut=sut, on_note=notes.append)
    assert [one.split(";")[0] for one in notes] == ["leg remote: nothing was recorded"]


def test_one_that_comes_late_is_asked_again(go) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    late: list[Server] = []

    def tell(step) -> None:
        if step.what == "again" and not late:
            late.append(Server("serve", port))
            late[0].__enter__()

    ran = go(written(PLAIN, retries=3), url=f"http://127.0.0.1:{port}", on_step=tell)
    late[0].__exit__(None, None, None)
    assert ran.report.exit == 0
    assert [(one.round, one.outcome) for one in ran.report.rounds] == [(1, "COMPLETED")]


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def again_and_again(go, times: int) -> None:
    with FaultServer(answer) as agent:
        before = descriptors()
        for _ in range(times):
            assert go(written(PLAIN), url=agent.url).report.exit == 0
            until(lambda: descriptors() == before, "the agent, in this process too, to close its side")


def test_runs_in_a_row_leave_nothing(go) -> None:
    again_and_again(go, 8)


@pytest.mark.slow
def test_fifty_runs_in_a_row_leave_nothing(go, tmp_path) -> None:
    """Ten of them with the testbed and all its processes; the fixture looks for processes and threads."""
    again_and_again(go, 40)
    for _ in range(10):
        before = descriptors()
        assert go(on_testbed(), topologies=KNOWN).report.exit == 0
        assert descriptors() == before
