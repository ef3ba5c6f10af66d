"""A request that the driver sends again is one round: what was sent before is kept, told, and not judged."""

from __future__ import annotations

import json
from pathlib import Path

from harness.capture.discover import find
from harness.capture.store import read_run
from harness.pipeline import check
from tests.record.peers import ask, event, post, rpc

DONE = event("TASK_STATE_COMPLETED")
BUSY = b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy"


def retried(record, upstream, answers: int = 2) -> str:
    with record() as recorder:
        recorder.name("ctx-1", "DA-09")
        upstream.answer = lambda connection, head, body: connection.sendall(BUSY)
        for _ in range(answers):
            ask(recorder.addresses["client"], post(rpc()), b"busy")
            recorder.again("ctx-1")
        upstream.stream(DONE)
        ask(recorder.addresses["client"], post(rpc()))
        ask(recorder.addresses["client"], post(rpc()))
    return recorder.run_dir


def test_the_last_attempt_is_the_round(record, upstream):
    folder = retried(record, upstream)
    assert read_run(folder)["retried"] == ["DA-09-A2A_STREAM-r1.client", "DA-09-A2A_STREAM-r1.client.2"]
    report = check([folder])
    assert [(one.scenario, one.round, one.outcome) for one in report.rounds] == [
        ("DA-09", 1, "COMPLETED"),
        ("DA-09", 2, "COMPLETED"),
    ]
    assert report.not_captures == 2
    found = find([folder]).captures
    assert sorted((one.protocol, one.head.status) for one in found if one.round == 1) == [
        ("A2A_STREAM", 200),
        ("OTHER", 503),
        ("OTHER", 503),
    ]


def test_a_run_file_hides_no_round(record, upstream):
    """What it calls retried is judged, unless an attempt of the same round is left."""
    folder = retried(record, upstream)
    path = Path(folder) / "run.json"
    facts = json.loads(path.read_text())
    facts["retried"] = [one["stem"] for one in facts["exchanges"]] + [1, None]
    path.write_text(json.dumps(facts))
    assert len(check([folder]).rounds) == 4


def test_no_run_has_retried_rounds_by_itself(record, upstream):
    upstream.stream(DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc()))
    assert read_run(recorder.run_dir)["retried"] == []
