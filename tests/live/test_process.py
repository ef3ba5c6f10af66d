"""Systems that the run starts itself: told where to call, waited for, ended with all that they started."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import ScenarioError
from harness.live import Stop, Stopped
from harness.live.process import SutError
from harness.scenario.sut import Sut, SutAgent
from tests.live.conftest import processes, written

ROOT = Path(__file__).resolve().parents[2]
HELLO = written("  - {send: hello, expect: {outcome: COMPLETED}}")


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        number: int = free.getsockname()[1]
    return number


def system(port: int, what: str = "serve", **more) -> Sut:
    command = (sys.executable, "-m", "tests.live.system", what, str(port))
    more.setdefault("env", (("PYTHONPATH", str(ROOT)),))
    return Sut("sut.yaml", (SutAgent("entry", f"http://127.0.0.1:{port}/a2a"),), start=command, **more)


def test_it_is_started_told_and_ended(go, port, tmp_path) -> None:
    log = tmp_path / "agent.log"
    env = (("PYTHONPATH", str(ROOT)), ("SAID", "${HARNESS_LEG_CLIENT_ENTRY}/x"))
    ran = go(HELLO, sut=system(port, env=env, log=str(log)))
    assert ran.report.exit == 0
    words = log.read_text().split()
    assert words[:2] == ["started", "with"]
    assert words[3] == words[2] + "/x"
    assert words[2].startswith("http://127.0.0.1:")


def test_it_is_ready_when_its_url_answers(go, port) -> None:
    assert go(HELLO, sut=system(port, ready_url=f"http://127.0.0.1:{port}/health")).report.exit == 0


def test_one_that_does_not_hear_is_killed_with_its_children(go, port) -> None:
    before = processes()
    assert go(HELLO, sut=system(port, "stubborn", stop_timeout_s=0.2)).report.exit == 0
    assert processes() <= before


@pytest.mark.parametrize(
    ("sut", "error", "said"),
    [
        (
            Sut("sut.yaml", (), start=("/nowhere/agent",)),
            ScenarioError,
            r"\$.start: /nowhere/agent can not be run",
        ),
        (
            Sut("sut.yaml", (), start=("true",), log="/nowhere/log"),
            ScenarioError,
            r"\$.log: can not be written",
        ),
        (
            Sut("sut.yaml", (), start=("sh", "-c", "echo no such port; exit 7")),
            SutError,
            "ended before it was ready, with exit code 7; .*its output ends with: no such port",
        ),
        (
            Sut("sut.yaml", (), start=("sleep", "600"), ready_timeout_s=0.2),
            SutError,
            r"not ready within 0.2 s: 127.0.0.1:\d+: Connection refused; .*it printed nothing",
        ),
        (
            Sut("sut.yaml", (), start=("sh", "-c", "kill -9 $$")),
            SutError,
            "ended before it was ready, by signal 9",
        ),
        (
            Sut("sut.yaml", (), start=("x", "${HARNESS_LEG_X}")),
            ScenarioError,
            r"\$.start\[1\]: HARNESS_LEG_X is not",
        ),
    ],
)
def test_one_that_can_not_be_started_is_told(go, port, sut: Sut, error: type, said: str) -> None:
    sut = sut._replace(agents=system(port).agents)
    with pytest.raises(error, match=said) as caught:
        go(HELLO, sut=sut)
    assert caught.value.exit_code == (3 if error is SutError else 2)


def test_one_that_ends_meanwhile_is_noted(go, port) -> None:
    notes: list[str] = []
    two = written("  - {send: hello, expect: {outcome: COMPLETED}}\n" * 2)
    ran = go(two, sut=system(port, "brief"), on_note=notes.append)
    assert [one.end for one in ran.driven[0].rounds] == ["over", "refused"]
    assert ran.report.exit == 1
    assert "the system under test ended during the run, with exit code 9" in notes


def test_one_that_is_waited_for_can_be_stopped(go, port) -> None:
    stop = Stop()
    timer = threading.Timer(0.5, stop.tell)
    timer.start()
    sut = system(port)._replace(start=("sleep", "600"))
    with pytest.raises(Stopped, match="sealed"):
        go(HELLO, sut=sut, stop=stop)
    timer.join()


def test_its_agents_are_held_against_the_topologies(go) -> None:
    with pytest.raises(ScenarioError, match="the entry agent 'entry' of topology one is missing"):
        go(HELLO, sut=Sut("sut.yaml", (SutAgent("remote", "http://127.0.0.1:9"),)))


LEAVES = "import subprocess, sys; subprocess.Popen([sys.executable, *sys.argv[1:]], start_new_session={})"
"""A start script that ends when its system has been started."""


def serves(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("apart", [False, True])
def test_a_command_may_leave_its_system_running(go, port, apart) -> None:
    """As `./start-agents.sh` does: the agents go on in its group, or in one of their own."""
    notes: list[str] = []
    serve = system(port)
    command = (sys.executable, "-c", LEAVES.format(apart), *serve.start[1:])
    ran = go(HELLO, sut=serve._replace(start=command), on_note=notes.append)
    assert (ran.report.exit, notes) == (0, [])
    assert not serves(port)


def command_lines() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield path.read_bytes()


def test_one_that_left_the_group_is_ended_too(go, port) -> None:
    name = f"600.{port}"
    serve = system(port)
    begin = f"import os, subprocess, sys; subprocess.Popen(['sleep', '{name}'], start_new_session=True); "
    command = (sys.executable, "-c", begin + "os.execv(sys.executable, sys.argv[1:])", *serve.start)
    assert go(HELLO, sut=serve._replace(start=command)).report.exit == 0
    assert not any(name.encode() in line for line in command_lines())
