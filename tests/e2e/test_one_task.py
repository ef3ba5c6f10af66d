"""Two streams of one task of a real agent, its result and its card, recorded and held against each other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.e2e import recording
from tests.e2e.raw_client import V1, RawClient, get, post, stream_request
from tests.e2e.sdk_server import WELL_KNOWN

CODES = ("MUL801", "MUL802", "MUL803", "ART707", "NEG903")
GATE = "one-task"


def call(method: str, task: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "req-2", "method": method, "params": {"id": task}}).encode()


def task_of(raw: bytes) -> str:
    found = re.search(rb'"taskId": ?"([^"]+)"', raw)
    assert found is not None
    return found[1].decode()


def record(folder: Path, agent: Any, *, leaves: bool) -> None:
    """A stream, a subscription while the agent waits, and a GetTask behind both."""
    with recording.recorder(folder, {"client": agent.url}) as recorder:
        url = recorder.addresses["client"]
        get(url, WELL_KNOWN)
        with RawClient(url) as first, RawClient(url) as second:
            first.ask(stream_request(f"hold {GATE}"), V1)
            task = task_of(first.until(b"s1 "))
            second.ask(call("SubscribeToTask", task), V1)
            second.until(b"s1 ")
            if leaves:
                first.leave()
                recording.until(lambda: ended(folder) == 2, "the end of the stream that was left")
            agent.open(GATE)
            second.rest()
            if not leaves:
                first.rest()
        post(url, call("GetTask", task))
        recording.sealed(folder, 4)


def ended(folder: Path) -> int:
    """Exchanges that are over: the card's, and the streams'."""
    return sum(bool(lines) and lines[-1]["kind"] == "ending" for lines in recording.journals(folder).values())


def told(folder: Path) -> dict[str, tuple[set[str], set[str]]]:
    """What was found, and what was not checked, of the rules about one task: by the exchange's protocol."""
    rounds = recording.judged(folder, contract="a2a", only=CODES)[1]
    return {
        one.protocol or "": ({f.rule for f in one.findings}, {entry.rule for entry in one.not_checked})
        for one in rounds
    }


def test_both_streams_show_the_same_and_the_result_is_theirs(agent: Any, tmp_path: Path) -> None:
    record(tmp_path, agent, leaves=False)
    seen = told(tmp_path)
    assert seen["A2A_STREAM"] == seen["A2A_SUBSCRIBE"] == (set(), {"MUL802"})
    assert seen["A2A_GET"] == (set(), {"MUL801", "MUL802", "MUL803", "NEG903"})


def test_a_stream_goes_on_when_the_other_one_is_closed(agent: Any, tmp_path: Path) -> None:
    record(tmp_path, agent, leaves=True)
    found, lacking = told(tmp_path)["A2A_SUBSCRIBE"]
    assert found == set()
    assert "MUL802" not in lacking
