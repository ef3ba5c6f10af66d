"""How captures are named, and renamed when the answer tells the context."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.capture.discover import find
from harness.capture.store import read_run
from harness.record import Recorder
from tests.record.peers import ask, body, event, get, post, rpc

DONE = event("TASK_STATE_COMPLETED")
PING = b": ping\n\n"


@pytest.mark.parametrize("first", [0, 1, 60])
def test_the_context_of_the_answer_names_the_capture(record, upstream, first):
    """Comments may come before the first event that tells the context."""
    upstream.stream(*[PING] * first, event(), DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(context=None, parts=[{"text": "x" * 200_000}])))
        ask(recorder.addresses["client"], post(rpc()))
    stems = [one["stem"] for one in read_run(recorder.run_dir)["exchanges"]]
    assert stems == ["ctx-1-A2A_STREAM-r1.client", "ctx-1-A2A_STREAM-r2.client"]
    assert body(recorder.run_dir, stems[0]) == PING * first + event() + DONE
    captures = find([recorder.run_dir]).captures
    assert [(one.scenario, one.round, one.ending) for one in captures] == [
        ("ctx-1", 1, "clean"),
        ("ctx-1", 2, "clean"),
    ]


def test_an_answer_without_a_context_keeps_a_name_of_ours(record, upstream):
    upstream.stream(b'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}\n\n')
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(context=None)))
        ask(recorder.addresses["client"], post(rpc(context=None)))
    stems = [one["stem"] for one in read_run(recorder.run_dir)["exchanges"]]
    assert stems == ["conversation-1-A2A_STREAM-r1.client", "conversation-2-A2A_STREAM-r1.client"]


def test_calls_of_one_name_are_numbered(record, upstream):
    with record() as recorder:
        for _ in range(3):
            ask(recorder.addresses["client"], get("/health"), b"ok")
    stems = [one["stem"] for one in read_run(recorder.run_dir)["exchanges"]]
    assert stems == ["other-OTHER-r0.client", "other-OTHER-r0.client.2", "other-OTHER-r0.client.3"]


def started(record, run_dir):
    made = record()
    return Recorder(made.settings._replace(run_dir=run_dir, own=True)).__enter__()


def test_two_recorders_that_start_at_once_have_folders_of_their_own(record, upstream, tmp_path):
    """Run folders are named by the second: the name is taken when the recorder starts."""
    upstream.stream(DONE)
    named = str(tmp_path / "captures" / "run-20260811-093000")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: started(record, named), range(8)))
    for one in made:
        ask(one.addresses["client"], post(rpc()))
        one.__exit__(None, None, None)
    assert len({one.run_dir for one in made}) == 8
    assert all(len(read_run(one.run_dir)["exchanges"]) == 1 for one in made)
    assert {one.summary.run_dir for one in made} == {one.run_dir for one in made}
