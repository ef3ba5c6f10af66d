"""`harness export`: HAR, the body, curl."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from harness.capture.discover import find
from harness.capture.files import Body
from harness.model.capture import Head, Request
from harness.replay import Server
from tests.cli.test_import import GOLDEN, GROUPS, judged
from tests.replay.exchanges import BODIES, SSE, record

CUT = GOLDEN / "a2a-sdk-1.3.0/v03_rest_raise.body"


def test_the_body_byte_for_byte(process) -> None:
    said = process("export", str(CUT), "--sse")
    assert (said.returncode, said.stdout) == (0, CUT.read_bytes())


def test_the_body_behind_a_head_or_notes(harness, tmp_path) -> None:
    path = tmp_path / "x.sse"
    path.write_bytes(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n")
    assert harness("export", str(path), "--sse").out == "data: 1\n\n"


def test_a_wire_logs_json_as_sse(harness) -> None:
    said = harness("export", str(GOLDEN / "sit-logs/run-20260811-093000/DA-01-A2A_STREAM-r1.log"), "--sse")
    events = said.out.split("\n\n")[:-1]
    assert said.code == 0 and len(events) > 3
    assert all(isinstance(json.loads(one.removeprefix("data: ")), dict) for one in events)


def test_an_archive_with_the_time_of_each_event(harness, tmp_path) -> None:
    record(tmp_path, BODIES, gap_ns=1_000_000)
    log = json.loads(harness("export", str(tmp_path), "--har").out)["log"]
    (one,) = log["entries"]
    assert one["response"]["content"]["text"] == b"".join(BODIES).decode()
    assert [event["time"] for event in one["_events"]] == [2.0, 5.0, 6.0]
    assert [event["end"] for event in one["_events"]][-1] == len(b"".join(BODIES))


def test_an_archive_without_times(harness, capture) -> None:
    (one,) = json.loads(harness("export", capture, "--har").out)["log"]["entries"]
    assert one["time"] == 0 and {event["time"] for event in one["_events"]} == {None}
    assert one["startedDateTime"].startswith("1970-01-01T00:00:00")


def test_mitmproxy_reads_the_archive(harness, tmp_path) -> None:
    from mitmproxy.io import FlowReader

    path = tmp_path / "x.har"
    assert harness("export", str(GOLDEN / "a2a-sdk-1.3.0"), "--har", "-o", str(path)).code == 0
    with path.open("rb") as file:
        bodies = [flow.response.raw_content for flow in FlowReader(file).stream()]
    wanted = find([str(GOLDEN / "a2a-sdk-1.3.0")]).captures
    assert bodies == [b"".join(Body(one).chunks()) for one in wanted]


# curl


@pytest.mark.parametrize("group", GROUPS)
def test_what_curl_printed_judges_like_the_capture(harness, tmp_path, group: str) -> None:
    """Where the form can hold it: endings that curl has, no wire log, no times, one capture a file."""
    for one in find([str(GOLDEN / group)]).captures[::7]:
        if one.framing in ("wirelog", "none") or one.told or one.timed:
            continue
        target = tmp_path / f"{one.scenario}.{'sse' if one.framing == 'sse' else 'body'}"
        assert harness("export", one.source, "--curl", "-o", str(target)).code == 0
        assert judged(str(target)) == judged(one.source), one.source


@pytest.mark.parametrize(
    ("ending", "code"),
    [("clean", "0"), ("upstream_cut", "18"), ("client_left", "28"), ("proxy_stopped", None)],
)
def test_the_sidecars(harness, tmp_path, ending: str, code: str | None) -> None:
    record(tmp_path, BODIES, ending=ending)
    out = tmp_path / "out"
    out.mkdir()
    (source,) = (str(path) for path in tmp_path.glob("*.sse"))
    assert harness("export", source, "--curl", "-o", str(out / "S-r1.sse")).code == 0
    assert (
        (out / "S-r1.sse").read_bytes().startswith(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n")
    )
    assert (out / "S-r1.rc").exists() is (code is not None)
    assert code is None or (out / "S-r1.rc").read_text() == f"curl_rc={code}\n"
    (again,) = find([str(out)]).captures
    assert again.request is not None and again.request.target == "/a2a/"
    assert b"".join(Body(again).chunks()) == b"".join(BODIES)


def test_the_command_runs(harness, tmp_path) -> None:
    """Against a replay of the same capture, with a body and a header that a shell would trip over."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "q": "it's $HOME `id` \"\\ \n@file"})
    asked = Request("POST", "/a2a/[x]?q={1,2}", (("host", "h"), ("x-own", "a'b"), ("x-empty", "")), body)
    one = record(tmp_path, BODIES, request=asked, head=Head(200, SSE))
    with Server([one], speed=0) as server:
        line = harness("export", one.source, "--curl", "--to", server.address).out
        done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.partition(b"\r\n\r\n")[2] == b"".join(BODIES)


def test_the_command_is_one_line_for_the_shell(harness, tmp_path) -> None:
    one = record(tmp_path, BODIES, request=Request("POST", "/a2a/", (("host", "agent:1"),), "{}; rm -rf /"))
    words = shlex.split(harness("export", one.source, "--curl").out.replace("\\\n", ""))
    assert words[:5] == ["curl", "-giN", "--compressed", "-X", "POST"]
    assert words[5] == "http://agent:1/a2a/"
    assert words[-2:] == ["--data-raw", "{}; rm -rf /"]


# mistakes


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("s.sse",), 2),
        (("s.sse", "--har", "--sse"), 2),
        (("s.sse", "s.sse", "--sse"), 2),
        (("missing.sse", "--har"), 3),
        (("missing.sse", "--sse"), 3),
        (("s.sse", "--curl", "-o", "x.txt"), 2),
        (("s.sse", "--har", "-o", "nowhere/x.har"), 2),
        (("s.sse", "--har", "-o", "."), 2),
    ],
)
def test_mistakes(harness, capture, args: tuple[str, ...], code: int) -> None:
    said = harness("export", *args)
    assert said.code == code and said.out == "" and "Traceback" not in said.err
    assert sorted(path.name for path in Path().iterdir()) == ["s.sse"]


def test_what_could_not_be_read_is_told(harness, tmp_path) -> None:
    source = GOLDEN / "sit-logs/run-20260812-101500/DA-01-A2A_STREAM-r1.log"
    raw = source.read_bytes()
    at = raw.index(b"  raw: ") + 60
    (tmp_path / "cut.log").write_bytes(raw[:at] + b" ... <truncated>" + raw[raw.index(b"\n", at) :])
    said = harness("export", str(tmp_path / "cut.log"), "--har")
    assert said.code == 3 and "cut or not readable" in said.err and json.loads(said.out)
