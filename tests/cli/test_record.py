"""`harness record`: options, signals, the client command, what is shown, exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys

import pytest

from harness.cli import record
from harness.cli.main import main
from harness.errors import UsageError
from tests.record.peers import SSE, Client, Upstream, ask, chunked, event, post, rpc, until

DONE = event("TASK_STATE_COMPLETED")
LEAK = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "artifactUpdate": {
                "taskId": "t1",
                "contextId": "ctx-1",
                "artifact": {
                    "artifactId": "a",
                    "parts": [
                        {
                            "data": {
                                "type": "__interaction__",
                                "payload": {"id": "c1", "value": {}},
                                "toolCallId": "c1",
                                "toolName": "search-agent",
                                "context": {"_interrupt_kind": "a2a_delegate", "agentName": "search-agent"},
                            }
                        }
                    ],
                },
            }
        },
    }
)


@pytest.fixture
def upstream():
    with Upstream() as one:
        yield one


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@pytest.fixture
def session(tmp_path, upstream, port):
    """`harness record` as a process, once it listens; standard error goes to a file."""
    started = []

    def start(*args, command=(), **more):
        leg = f"client={upstream.url}@{port}"
        line = [
            sys.executable,
            "-m",
            "harness",
            "record",
            "--leg",
            leg,
            "--captures",
            str(tmp_path / "captures"),
        ]
        err = (tmp_path / "err").open("wb")
        one = subprocess.Popen(
            [*line, *args, *(["--", *command] if command else [])],
            stdout=subprocess.PIPE, stderr=err, env={**os.environ, "LANG": "C"}, **more,
        )  # fmt: skip
        err.close()
        one.url = f"http://127.0.0.1:{port}"
        started.append(one)
        return one

    yield start
    for one in started:
        if one.poll() is None:
            one.kill()
        one.communicate()


def told(tmp_path):
    return (tmp_path / "err").read_text()


def listens(tmp_path):
    until(lambda: "recording to" in told(tmp_path), "the listener")


def runs(tmp_path):
    return sorted((tmp_path / "captures").iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_seal_and_sum_up(session, tmp_path, upstream, number):
    upstream.stream(DONE)
    one = session("--quiet")
    listens(tmp_path)
    ask(one.url, post(rpc()))
    one.send_signal(number)
    assert one.wait(20) == 0
    assert "1 rounds, 1 exchanges, all recorded" in told(tmp_path)
    assert (runs(tmp_path)[0] / "ctx-1-A2A_STREAM-r1.client.sse").read_bytes() == DONE


def test_a_signal_in_mid_stream_seals_too(session, tmp_path, upstream):
    def answer(connection, head, data):
        connection.sendall(SSE + chunked(event()))
        connection.recv(1)

    upstream.answer = answer
    one = session("--quiet")
    listens(tmp_path)
    with Client(one.url) as client:
        client.send(post(rpc())).until(event())
        one.send_signal(signal.SIGTERM)
        client.rest()
    assert one.wait(20) == 0
    assert "all recorded" in told(tmp_path)


def test_it_stops_after_rounds_and_checks(session, tmp_path, upstream):
    upstream.stream(DONE)
    one = session("--quiet", "--stop-after", "2r", "--check", "--contract", "a2a", "--scenario", "DA-09")
    listens(tmp_path)
    ask(one.url, post(rpc()))
    ask(one.url, post(rpc(task="t1")))
    out, _ = one.communicate(timeout=30)
    assert b"DA-09" in out
    assert b"rounds 2" in out
    assert f"exit {one.returncode}:".encode() in out


def test_it_stops_after_seconds(session, tmp_path):
    one = session("--quiet", "--stop-after", "0.2s")
    assert one.wait(20) == 0
    assert "0 rounds, 0 exchanges" in told(tmp_path)


def test_nothing_to_judge_is_no_pass(session):
    assert session("--quiet", "--stop-after", "0.2s", "--check").wait(20) == 3


ASK = """
import os, sys, urllib.request
url = os.environ["HARNESS_LEG_CLIENT"] + "/a2a"
request = urllib.request.Request(url, sys.argv[1].encode(), {"content-type": "application/json"})
urllib.request.urlopen(request).read()
sys.exit(7)
"""


def test_a_command_is_run_and_its_exit_code_kept(session, tmp_path, upstream):
    upstream.stream(DONE)
    one = session("--quiet", command=(sys.executable, "-c", ASK, rpc().decode()))
    assert one.wait(20) == 7
    assert "1 rounds, 1 exchanges, all recorded" in told(tmp_path)


def test_a_command_that_is_not_there(session, tmp_path):
    assert session("--quiet", command=("/no/such/command",)).wait(20) == 2
    assert "can not be run" in told(tmp_path)


def test_a_recording_that_failed_is_3(session, tmp_path, upstream):
    upstream.stream(DONE)
    (tmp_path / "captures").write_text("in the way")
    one = session("--quiet", command=(sys.executable, "-c", ASK, rpc().decode()))
    assert one.wait(20) == 3
    assert "INCOMPLETE" in told(tmp_path)


def test_a_command_that_does_not_end_is_ended(session, tmp_path):
    one = session("--quiet", "--stop-after", "0.2s", command=("sleep", "600"))
    assert one.wait(20) == 128 + signal.SIGTERM


def test_lines_where_there_is_no_terminal(session, tmp_path, upstream):
    upstream.stream(b"data: " + LEAK.encode() + b"\n\n", DONE)
    one = session()
    listens(tmp_path)
    ask(one.url, post(rpc(context=None)))
    until(lambda: "COMPLETED, 2 events" in told(tmp_path), "the outcome")
    one.send_signal(signal.SIGINT)
    one.wait(20)
    lines = told(tmp_path).split("\n")
    assert "ctx-1 r1 client: LEAK: delegation leaked on the content channel, search-agent" in lines
    assert "ctx-1 r1 client: COMPLETED, 2 events, 0 asked, 1 leaked (clean)" in lines


def test_a_table_on_a_terminal(tmp_path, upstream, port):
    upstream.stream(b"data: " + LEAK.encode() + b"\n\n", DONE)
    master, slave = pty.openpty()
    leg = f"client={upstream.url}@{port}"
    line = [sys.executable, "-m", "harness", "record", "--leg", leg, "--captures", str(tmp_path / "c")]
    environment = {**os.environ, "TERM": "xterm", "LANG": "C", "COLUMNS": "120"}
    environment.pop("NO_COLOR", None)
    seen = b""

    def shows(mark):
        nonlocal seen
        with contextlib.suppress(OSError):  # the other side is closed
            while select.select([master], [], [], 0)[0]:
                seen += os.read(master, 65536)
        return mark in seen

    with subprocess.Popen(line, stdin=slave, stdout=slave, stderr=slave, env=environment) as one:
        os.close(slave)
        until(lambda: shows(b"recording to"), "the listener")
        ask(f"http://127.0.0.1:{port}", post(rpc()))
        until(lambda: shows(b"COMPLETED"), "the outcome")
        one.send_signal(signal.SIGINT)
        until(lambda: shows(b"all recorded"), "the summary")
        one.wait(20)
    os.close(master)
    assert b"\x1b[1;31m" in seen
    assert b"A2A_STREAM" in seen


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3r", (3, None)),
        ("90s", (None, 90.0)),
        ("5m", (None, 300.0)),
        ("0.5s", (None, 0.5)),
        (None, (None, None)),
    ],
)
def test_when_to_stop(text, found):
    assert record.after(text) == found


@pytest.mark.parametrize("text", ["", "3", "r", "0r", "1.5r", "-1s", "3h"])
def test_what_is_no_limit(text):
    with pytest.raises(UsageError, match="3r"):
        record.after(text)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "nothing to record"),
        (["--leg", "client"], "no leg"),
        (["--leg", "client=ftp://x@1"], "no http"),
        (["--leg", "client=http://u:p@h:1@2"], "credentials"),
        (["--leg", "a=http://h@1", "--leg", "a=http://h@2"], "two legs are called"),
        (["--leg", "a=http://h@1", "--leg", "b=http://h@1"], "two legs listen"),
        (["--topology", "none"], "no topology"),
        (["--topologies", "x.yaml"], "--topology"),
        (["--forward", "x"], "no port"),
        (["--leg", "a=http://h@0", "--ca-file", "none.pem"], "none.pem"),
        (["--leg", "a=http://h@0", "--client-cert", "none.pem"], "none.pem"),
        (["--leg", "a=http://h@0", "--secrets", "none.yaml"], "none.yaml"),
        (["--leg", "a=http://h@0", "--stop-after", "soon"], "no limit"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path, monkeypatch, args, why):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=why):
        main(["record", *args])
    assert not (tmp_path / "captures").exists()


def test_a_port_that_is_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(UsageError, match="can not listen"):
        main(["record", "--leg", f"a=http://h@{taken.getsockname()[1]}", "--captures", str(tmp_path)])


def test_the_legs_of_a_topology(tmp_path):
    args = record.parser().parse_args(
        ["--topology", "deep-research", "--leg", "llm=https://llm.internal@9193", "--captures", str(tmp_path)]
    )
    found = record.settings(args)
    assert [(leg.name, leg.listen) for leg in found.legs] == [
        ("llm", ("127.0.0.1", 9193)),
        ("client", ("127.0.0.1", 19080)),
        ("search-agent", ("127.0.0.1", 19081)),
        ("verify-agent", ("127.0.0.1", 19082)),
    ]
    assert found.topology.name == "deep-research"


def test_a_command_with_options_of_its_own():
    args = record.parser().parse_args(
        ["--forward", "@9190", "--allow", "h", "n=h2:1", "--", "pytest", "-x", "--leg"]
    )
    assert args.command == ["pytest", "-x", "--leg"]
    assert args.allow == ["h", "n=h2:1"]
