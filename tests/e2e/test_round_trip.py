"""Record, replay, record again: the two runs are equal but for times and the ids declared below."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.capture.discover import find
from harness.replay import Server
from tests.e2e import frames, recording
from tests.e2e.conversations import CASES, WAYS, run
from tests.e2e.fault_server import FaultServer, Peer
from tests.e2e.raw_client import V1, RawClient, post, stream_request

VOLATILE_HEADERS = {"host", "content-length"}
"""Of requests: the listener's port is another one."""
VOLATILE_IDS = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
"""In request bodies and in answers with rewritten ids: the SDK's client numbers its calls with UUIDs."""
ADDRESS = re.compile(rb"127\.0\.0\.1:\d+")


def replaying(folder: Path, **options: Any) -> Server:
    return Server(find([str(folder)], stdin=sys.stdin.buffer, max_line=16 << 20).captures, speed=0, **options)


def told(data: bytes | str | None) -> bytes:
    raw = data.encode() if isinstance(data, str) else data or b""
    return ADDRESS.sub(b"<address>", VOLATILE_IDS.sub(b"<id>", raw))


def contents(folder: Path) -> dict[str, Any]:
    """A run as far as it must be the same again, by stem."""
    found = {}
    for stem, lines in recording.journals(folder).items():
        request, response, ending = (
            lines[0],
            next((one for one in lines if one["kind"] == "response"), None),
            lines[-1],
        )
        bodies = [folder / (stem + suffix) for suffix in (".sse", ".body")]
        found[stem] = {
            "request": [
                request[name] for name in ("scenario", "protocol", "round", "leg", "method", "target")
            ],
            "headers": sorted(
                pair for pair in map(tuple, request["headers"]) if pair[0] not in VOLATILE_HEADERS
            ),
            "asked": told(request["body"]),
            "status": response and response["status"],
            "type": response and dict(map(tuple, response["headers"])).get("content-type"),
            "body": [told(path.read_bytes()) for path in bodies if path.exists()],
            "ending": ending.get("ending"),
        }
    return found


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("rewrite_ids", [False, True], ids=["as-recorded", "rewrite-ids"])
def test_every_case_again(way, rewrite_ids, agent, tmp_path):
    with recording.recorder(tmp_path / "one", {"client": agent.url}) as recorder:
        seen = {}
        for case in CASES:
            agent.forget()
            seen[case] = run(case, recorder.addresses["client"], way, agent.open)
    with (
        replaying(tmp_path / "one", rewrite_ids=rewrite_ids) as server,
        recording.recorder(tmp_path / "two", {"client": server.address}) as recorder,
    ):
        again = {case: run(case, recorder.addresses["client"], way, lambda gate: None) for case in CASES}
    for case in CASES:
        assert again[case] == seen[case], case
    first, second = whole(contents(tmp_path / "one")), whole(contents(tmp_path / "two"))
    assert sorted(second) == sorted(first)
    for stem, one in first.items():
        assert second[stem] == one, stem
    again_judged = recording.verdicts(tmp_path / "two")
    if not rewrite_ids:
        again_judged = [one._replace(findings=without_ids(one.findings)) for one in again_judged]
    assert again_judged == recording.verdicts(tmp_path / "one")


def whole(run: dict[str, Any]) -> dict[str, Any]:
    """The SDK's client leaves behind a Message or an error frame: who is first, it or the agent, is a race."""
    for one in run.values():
        one["ending"] = "clean" if one["ending"] == "client_left" else one["ending"]
    return run


def without_ids(findings: tuple[Any, ...]) -> tuple[Any, ...]:
    """Without RPC302: answers as recorded bear the ids of the calls that were recorded."""
    return tuple(finding for finding in findings if finding[0] != "RPC302")


def test_borders_and_bytes_of_a_stream_again(tmp_path):
    """Cut at odd places, with a character in two chunks. A border may vanish on the way, none is new."""
    whole = b"".join(frames.stream("ctx-again"))

    def script(peer: Peer) -> None:
        peer.head()
        for at in range(0, len(whole), 37):
            peer.chunk(whole[at : at + 37])
        peer.end()

    request = stream_request(context="ctx-again")
    with (
        FaultServer(script) as upstream,
        recording.recorder(tmp_path / "one", {"client": upstream.url}) as recorder,
    ):
        post(recorder.addresses["client"], request)
    with (
        replaying(tmp_path / "one") as server,
        recording.recorder(tmp_path / "two", {"client": server.address}) as recorder,
    ):
        seen = post(recorder.addresses["client"], request)
    assert (seen.body, seen.end) == (whole, "clean")
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    assert borders(tmp_path / "two") <= borders(tmp_path / "one")


def borders(folder: Path) -> set[int]:
    (journal,) = recording.journals(folder).values()
    return {line["offset"] for line in journal if line["kind"] == "chunk"}


def test_a_cut_stream_is_cut_again_at_the_same_byte(tmp_path):
    parts = frames.stream("ctx-cut")[:3]
    sent = parts[0] + parts[1] + parts[2][:40]

    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(sent)
        peer.drop()

    request = stream_request(context="ctx-cut")
    with (
        FaultServer(script) as upstream,
        recording.recorder(tmp_path / "one", {"client": upstream.url}) as recorder,
    ):
        first = post(recorder.addresses["client"], request)
        recording.sealed(tmp_path / "one", 1)
    with (
        replaying(tmp_path / "one") as server,
        recording.recorder(tmp_path / "two", {"client": server.address}) as recorder,
    ):
        second = post(recorder.addresses["client"], request)
        recording.sealed(tmp_path / "two", 1)
    assert (
        (second.status, second.body, second.end)
        == (first.status, first.body, first.end)
        == (200, sent, "cut")
    )
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


def test_a_stream_that_the_client_left_can_be_left_again(tmp_path):
    parts = frames.stream("ctx-left", "INPUT_REQUIRED")

    def script(peer: Peer) -> None:
        peer.head()
        for part in parts:
            peer.chunk(part)
        peer.until_left()

    def leave(url: str, folder: Path) -> None:
        client = RawClient(url)
        client.ask(stream_request(context="ctx-left"), V1)
        client.until(parts[-1].rstrip())
        client.leave()
        recording.sealed(folder, 1)

    with (
        FaultServer(script) as upstream,
        recording.recorder(tmp_path / "one", {"client": upstream.url}) as recorder,
    ):
        leave(recorder.addresses["client"], tmp_path / "one")
    with (
        replaying(tmp_path / "one", hold_s=recording.DEADLINE) as server,
        recording.recorder(tmp_path / "two", {"client": server.address}) as recorder,
    ):
        leave(recorder.addresses["client"], tmp_path / "two")
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    assert [one.outcome for one in recording.judged(tmp_path / "two")[1]] == ["INTERACTION"]


def test_an_unknown_request_is_told_what_is_known(agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}) as recorder:
        post(recorder.addresses["client"], stream_request(context="ctx-known"))
    with replaying(tmp_path) as server, RawClient(server.address, "/elsewhere") as client:
        client.ask(b"", method="GET")
        seen = client.rest()
    assert seen.status == 404
    assert b"ctx-known" in seen.body
    assert b"/rpc" in seen.body


def test_the_journal_is_json_of_one_line_each(agent, tmp_path):
    with recording.recorder(tmp_path, {"client": agent.url}) as recorder:
        post(recorder.addresses["client"], stream_request(context="ctx-lines"))
    (path,) = tmp_path.glob("*.jsonl")
    lines = path.read_bytes().split(b"\n")
    assert lines[-1] == b""
    kinds = [json.loads(line)["kind"] for line in lines[:-1]]
    assert (kinds[0], kinds[1], kinds[-1]) == ("request", "response", "ending")
