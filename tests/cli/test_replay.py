"""`harness replay`: what the command line adds to the server."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import httpx
import pytest

from harness.capture.naming import Name
from harness.cli.replay import listen
from tests.cli.conftest import STREAM
from tests.replay.exchanges import BODIES, record, rpc


class Running:
    """The command as a process; `address` once it serves."""

    def __init__(self, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness", "replay", *args], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )  # fmt: skip
        assert self.process.stderr is not None
        self.first = self.process.stderr.readline()
        found = re.search(r"http://\S+", self.first)
        self.address = found[0] if found else ""

    def ended(self, by: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(by)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_end(tmp_path, by: signal.Signals) -> None:
    record(tmp_path, BODIES)
    running = Running(str(tmp_path), "--speed", "0")
    assert running.address.startswith("http://127.0.0.1:"), running.first
    ask = rpc("SendStreamingMessage", "hi", contextId="ctx")
    assert httpx.post(f"{running.address}/a2a/", content=ask).content == b"".join(BODIES)
    assert httpx.get(f"{running.address}/nope").status_code == 404
    code, err = running.ended(by)
    assert code == 0
    lines = err.split("\n")
    assert lines[0].startswith("POST /a2a/ SendStreamingMessage -> 200 ") and lines[0].endswith("whole")
    assert lines[1].startswith("GET /nope -> 404 ")
    assert lines[2] == "replay ended"


def test_json_lines(tmp_path) -> None:
    record(tmp_path, BODIES)
    command = [sys.executable, "-m", "harness", "replay", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert first["exchanges"] == 1
        httpx.get(first["address"] + "/nope?x")
        served = json.loads(process.stdout.readline())
        assert (served["method"], served["target"], served["status"], served["source"]) == (
            "GET", "/nope?x", 404, None,
        )  # fmt: skip
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0


def test_an_open_stream_does_not_delay_the_end(tmp_path) -> None:
    record(tmp_path, BODIES, ending="client_left")
    running = Running(str(tmp_path), "--speed", "0", "--hold", "1000")
    ask = rpc("SendStreamingMessage", "hi", contextId="ctx")
    with httpx.stream("POST", f"{running.address}/a2a/", content=ask) as answer:
        assert next(answer.iter_raw())
        assert running.ended(signal.SIGINT)[0] == 0


def test_the_leg_is_the_clients_unless_another_is_named(tmp_path) -> None:
    record(tmp_path, (b"data: client\n\n",))
    record(tmp_path, (b"data: remote\n\n",), name=Name("S", "A2A_STREAM", 1, "search-agent"))
    ask = rpc("SendStreamingMessage", "hi", contextId="ctx")
    for more, want in (((), b"client"), (("--leg", "search-agent"), b"remote")):
        running = Running(str(tmp_path), "--speed", "0", *more)
        assert want in httpx.post(f"{running.address}/a2a/", content=ask).content
        assert running.ended(signal.SIGINT)[0] == 0


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("9191", ("127.0.0.1", 9191)),
        (":0", ("127.0.0.1", 0)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("[::1]:8080", ("::1", 8080)),
        ("localhost:1", ("localhost", 1)),
    ],
)
def test_where_to_listen(text: str, where: tuple[str, int]) -> None:
    assert listen(text) == where


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("missing",), 3, "no such file"),
        ((), 2, ""),
        (("s.sse", "--listen", "x"), 2, "[HOST:]PORT"),
        (("s.sse", "--listen", "70000"), 2, "[HOST:]PORT"),
        (("s.sse", "--speed", "-1"), 2, "--speed"),
        (("s.sse", "--speed", "fast"), 2, "--speed"),
        (("s.sse", "--leg", "llm"), 2, "legs are client"),
        (("empty",), 3, "no capture"),
        (("s.sse", "--listen", "256.1.1.1:0"), 2, "can not listen"),
    ],
)
def test_mistakes(harness, capture, tmp_path, args: tuple[str, ...], code: int, words: str) -> None:
    (tmp_path / "empty").mkdir()
    said = harness("replay", *args)
    assert said.code == code and words in said.err and "Traceback" not in said.err


def test_requests_alone_can_not_be_served(harness, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.jsonl").write_text('{"jsonrpc":"2.0","id":1,"method":"SendMessage"}\n' * 2)
    assert harness("replay", "r.jsonl").code == 3


def test_any_capture_can_be_served(tmp_path) -> None:
    (tmp_path / "s.sse").write_bytes(STREAM)
    running = Running(str(tmp_path / "s.sse"))
    assert httpx.post(f"{running.address}/any", content=rpc("SendStreamingMessage")).content == STREAM
    assert running.ended(signal.SIGINT)[0] == 0
