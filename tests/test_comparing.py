"""Two captures, two runs: pairs of the golden captures, pairs made up, and anything at all."""

from __future__ import annotations

import json
import random
import re
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.comparing import Choice, diff
from harness.diff.values import Change, Difference
from harness.errors import CaptureError, UsageError
from harness.kit import Options
from harness.report.diffjson import text
from tests.diff.streams import CONTEXT, TASK, artifact, mirror, sse, status, token
from tests.laws.generated import streams

GOLDEN = Path(__file__).parents[1] / "captures" / "golden"
SHAPES, ON_JAVA = GOLDEN / "openjiuwen-shape", GOLDEN / "openjiuwen-on-java-sdk"
SIT = GOLDEN / "sit-logs"
FIRST, SECOND = SIT / "run-20260811-093000", SIT / "run-20260812-101500"
TWICE = sorted(path.stem for path in SHAPES.glob("*.sse"))
OPEN = {path.name[3:-3] for path in ON_JAVA.glob("oj_*.rc") if "curl_rc=28" in path.read_text()}
"""Streams that the Java SDK keeps open after INPUT_REQUIRED."""


def between(a: Path | str, b: Path | str, **more: Any) -> Difference:
    return diff(str(a), str(b), Options(), Choice(**more))


def changes(found: Difference) -> list[Change]:
    return [change for pair in found.pairs for change in pair.changes]


def brief(found: Difference, rank: str | None = None) -> list[tuple[str, str, str]]:
    return [(c.subject, c.operation, c.name) for c in changes(found) if rank in (None, c.rank)]


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Difference]:
    """The diff of two bodies."""

    def call(a: bytes, b: bytes, **more: Any) -> Difference:
        (tmp_path / "a.sse").write_bytes(a)
        (tmp_path / "b.sse").write_bytes(b)
        return between(tmp_path / "a.sse", tmp_path / "b.sse", **more)

    return call


# golden captures


def test_da_09_leaks_one_delegation_more() -> None:
    """The second run shows 3 + 1 delegations in two mirror frames, the first 3 in one (openjiuwen.md 5)."""
    found = between(FIRST, SECOND, scenarios=("DA-09",))
    assert found.exit == 1
    assert [
        (c.subject, c.operation, c.name, c.after, c.b.event) for c in changes(found) if c.rank == "contract"
    ] == [
        ("interaction", "added", "verify-agent", "leaked delegation on content", 126),
        ("frame", "added", "artifact controller_output task_interaction", "", 126),
    ]
    assert ("text", "changed", "artifact text") in brief(found, "text")
    assert found.counts()["timing"] == 0


def test_a_run_that_lacks_rounds() -> None:
    found = between(FIRST, SECOND)
    assert [one for one in brief(found, "contract") if one[0] == "round"] == [
        ("round", "removed", "EDPA-03 r1"),
        ("round", "removed", "EXP-01 r1"),
    ]
    back = between(SECOND, FIRST)
    assert ("round", "added", "EXP-01 r1") in brief(back, "contract")


def test_every_stream_on_the_java_sdk_is_told_of() -> None:
    assert {path.stem[3:] for path in ON_JAVA.glob("oj_*.body")} == set(TWICE)
    assert len(OPEN) == 6


@pytest.mark.parametrize("name", TWICE)
def test_the_same_events_on_the_java_sdk(name: str) -> None:
    """Its own ids, times, number forms, absent nulls: one meaning. Some streams stay open (java-sdk.md 6)."""
    found = between(SHAPES / f"{name}.sse", ON_JAVA / f"oj_{name}.body")
    wanted = [("ending", "changed", "ending")] if name in OPEN else []
    assert brief(found) == wanted
    assert found.counts()["timing"] == len(wanted) and found.exit == 0


def test_a_wire_log_and_the_stream_itself() -> None:
    """The log prints ids as null and 41 as 41.0 (openjiuwen.md 5)."""
    found = between(FIRST / "DA-09-A2A_STREAM-r1.log", SHAPES / "leak_controller_output_v2.sse")
    assert (changes(found), found.exit) == ([], 0)


@pytest.mark.parametrize("folder", sorted(path.name for path in GOLDEN.iterdir() if path.is_dir()))
def test_a_folder_twice(folder: str) -> None:
    found = between(GOLDEN / folder, GOLDEN / folder)
    assert found.pairs
    assert changes(found) == []
    undecided = found.undecided or any(pair.undecided for pair in found.pairs)
    assert found.exit == (3 if undecided else 0)


JAVA, PYTHON, JS = (GOLDEN / name for name in ("a2a-java-sdk-1.0.0", "a2a-sdk-1.3.0", "a2a-js-sdk-1.3.0"))
REAL = [
    # the Java server opens with a status, the Python server with a Task (a2a.md, java-sdk.md 1)
    (JAVA / "v1_rpc_complete.body", PYTHON / "v1_rpc_complete.body", 0, [("event", "removed", "status submitted"), ("event", "added", "task submitted")]),
    (JAVA / "v1_rpc_fail.body", PYTHON / "v1_rpc_fail.body", 0, [("event", "removed", "status submitted"), ("event", "added", "task submitted")]),
    # one server, two bindings, two versions
    (PYTHON / "v1_rpc_complete.body", PYTHON / "v1_rest_complete.body", 0, [("surface", "changed", "binding")]),
    (PYTHON / "v03_rpc_ask.body", PYTHON / "v1_rpc_ask.body", 0, [("surface", "changed", "dialect")]),
    # only the Python server sends what an agent says after the end
    (JAVA / "v1_rpc_after.body", PYTHON / "v1_rpc_after.body", 1, [
        ("finding", "added", "ORD507 nothing-after-the-end"), ("event", "removed", "status submitted"),
        ("event", "added", "task submitted"), ("event", "added", "status working")]),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "exit", "wanted"), REAL)
def test_the_sdks_as_recorded(a: Path, b: Path, exit: int, wanted: list[Any]) -> None:
    found = between(a, b)
    assert (brief(found), found.exit) == (wanted, exit)


def test_completed_and_failed_are_another_outcome() -> None:
    found = between(PYTHON / "v1_rpc_complete.body", PYTHON / "v1_rpc_fail.body")
    (outcome,) = [c for c in changes(found) if c.subject == "outcome"]
    assert (outcome.rank, outcome.before, outcome.after, found.exit) == ("contract", "COMPLETED", "FAILED", 1)


def test_a_false_success_is_no_success() -> None:
    """Both end with COMPLETED; only one of them is true (END503)."""
    found = between(SHAPES / "plain.sse", SHAPES / "false_completed_answer_error.sse")
    assert ("finding", "added", "END503 false-success") in brief(found, "contract")


# pairs made up

OPENING = [status("SUBMITTED"), status("WORKING")]
CALLS = [
    ("call_00_Aa", "search-agent", "A"),
    ("call_01_Bb", "search-agent", "B"),
    ("call_02_Cc", "hotel-agent", "C"),
]
ROUND = [*OPENING, token("Let me look. ", 1), mirror(CALLS), token("Done.", 2), status("COMPLETED")]


def renamed(body: bytes, pick: random.Random) -> bytes:
    """Every id of the stream under another name, everywhere the same."""
    other = {
        TASK: f"{pick.getrandbits(32):08x}-0c7a-4b55-9f0e-6a1f2f0c9a11",
        CONTEXT: f"ctx-{pick.getrandbits(40)}",
        **{call: f"call_{at:02}_{pick.getrandbits(40):x}" for at, (call, *_) in enumerate(CALLS)},
        "req-7": f"req-{pick.getrandbits(20)}",
    }
    text = body.decode()
    return re.sub("|".join(map(re.escape, other)), lambda match: other[match[0]], text).encode()


@given(st.integers(0, 2**32))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_other_ids(made, seed: int) -> None:
    body = sse(ROUND)
    assert changes(made(body, renamed(body, random.Random(seed)))) == []


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_other_cuts(made, said: str, cuts: list[int]) -> None:
    ends = [0, *sorted(min(cut, len(said)) for cut in cuts), len(said)]
    pieces = [said[i:j] for i, j in pairwise(ends)]
    tokens = [token(piece, number) for number, piece in enumerate(pieces)]
    whole = [*OPENING, token(said), status("COMPLETED")]
    assert changes(made(sse(whole), sse([*OPENING, *tokens, status("COMPLETED")]))) == []


@given(st.integers(0, 2), st.text("abc ", min_size=1, max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_lost_interaction_is_seen_whatever_the_model_says(made, lost: int, said: str) -> None:
    fewer = [call for at, call in enumerate(CALLS) if at != lost]
    other = [*OPENING, token(said, 1), mirror(fewer), token("Done.", 2), status("COMPLETED")]
    found = made(sse(ROUND), sse(other))
    assert brief(found, "contract") == [("interaction", "removed", CALLS[lost][1])]
    assert found.exit == 1


@given(st.text("abc ", min_size=1, max_size=40), st.text("abc ", min_size=1, max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_other_text_is_text_only(made, one: str, other: str) -> None:
    a, b = ([*OPENING, token(said), mirror(CALLS), status("COMPLETED")] for said in (one, other))
    found = made(sse(a), sse(b))
    assert [c.rank for c in changes(found)] == (["text"] if one != other else [])
    assert found.exit == 0
    assert made(sse(a), sse(b), fail_on="text").exit == int(one != other)


@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_calls_in_another_order_in_one_frame(made, order: tuple[int, ...]) -> None:
    other = [*ROUND[:3], mirror([CALLS[at] for at in order]), *ROUND[4:]]
    found = made(sse(ROUND), renamed(sse(other), random.Random(1)))
    assert [(c.rank, c.subject, c.operation) for c in changes(found)] == [("timing", "order", "reordered")]


def test_calls_in_another_order_in_frames_of_their_own(made) -> None:
    a, b = (
        [*OPENING, *(mirror([CALLS[at]]) for at in order), status("COMPLETED")]
        for order in ((0, 1, 2), (2, 0, 1))
    )
    found = made(sse(a), renamed(sse(b), random.Random(2)))
    assert [(c.rank, c.subject, c.operation) for c in changes(found)] == [("timing", "order", "reordered")]
    assert found.exit == 0
    assert [row.mark for row in found.pairs[0].rows].count("reordered") == 1


def output(call: str, said: str, number: int) -> dict[str, Any]:
    mark = {"_remote_invocation": {"kind": "remote_agent_output", "batchId": "batch-1", "toolCallId": call}}
    return artifact({"text": said, "metadata": mark}, f"out-{number}")


def test_equal_answers_of_concurrent_calls_in_another_order(made) -> None:
    """Nothing but the ids tells them apart."""
    outputs = [output(call, "found", number) for number, (call, *_) in enumerate(CALLS)]
    a, b = ([*OPENING, mirror(CALLS), *some, status("COMPLETED")] for some in (outputs, outputs[::-1]))
    assert {c.subject for c in changes(made(sse(a), sse(b)))} == {"order"}


def public(number: int, kind: str, said: str) -> dict[str, Any]:
    """What a G3 runtime says openly of remote task `number` (openJiuwen facts, section 1); ids of its own."""
    task = f"remote-task-{number}"
    name = f"{kind}:search-agent:{task}:{random.Random(f'{kind}{number}{said}').getrandbits(128):032x}"
    told = artifact({"text": said}, name, append=False, lastChunk=True)
    event = {"type": kind, "source": {"agentId": "search-agent", "taskId": task}}
    told["artifactUpdate"]["artifact"]["metadata"] = {"agentEvent": event}
    return told


def test_calls_that_end_in_another_order_are_known_by_their_ids(made) -> None:
    """Their ends differ in nothing but ids; each has one that is used nowhere else."""
    calls = [[public(n, "output", f"price {n}"), public(n, "status", "")] for n in range(3)]
    a, b = (
        [*OPENING, *(one for call in some for one in call), status("COMPLETED")]
        for some in (calls, calls[::-1])
    )
    found = made(sse(a), sse(b))
    assert sorted((c.rank, *one, c.times) for c, one in zip(changes(found), brief(found), strict=True)) == [
        ("timing", "order", "reordered", "artifact agentEvent output", 2),
        ("timing", "order", "reordered", "artifact agentEvent status", 2),
    ]  # fmt: skip


def test_the_output_of_a_remote_agent_is_one_text_however_it_was_cut(made) -> None:
    """G3 passes each piece on as an artifact that is complete."""
    a, b = (
        [*OPENING, *(public(1, "output", piece) for piece in pieces), status("COMPLETED")]
        for pieces in (("The price ", "is 2."), ("The ", "price is", " 2."))
    )
    assert changes(made(sse(a), sse(b))) == []


def test_what_follows_the_end_is_no_mere_order(made) -> None:
    late = [*OPENING, token("a"), status("COMPLETED"), mirror(CALLS)]
    found = made(sse([*OPENING, token("a"), mirror(CALLS), status("COMPLETED")]), sse(late))
    assert ("shape", "order") in [(c.rank, c.subject) for c in changes(found)]


def test_another_id_where_it_was_the_same(made) -> None:
    a, b = (
        [*OPENING, mirror(CALLS), output(call, "y", 1), status("COMPLETED")]
        for call in ("call_01_Bb", "call_00_Aa")
    )
    found = made(sse(a), sse(b))
    (change,) = [c for c in changes(found) if c.subject == "identity"]
    assert (change.rank, change.before, change.after) == ("shape", "call#2", "call#1")


def test_tokens_that_were_cut_at_another_event(made) -> None:
    a, b = (
        [*OPENING, token(one, 1), mirror(CALLS), token(other, 2), status("COMPLETED")]
        for one, other in (("abc", "def"), ("abcd", "ef"))
    )
    assert [(c.rank, c.subject) for c in changes(made(sse(a), sse(b)))] == [("timing", "order")]


def test_a_child_context_is_made_of_other_ids(made) -> None:
    child = artifact({"data": {"child": f"{CONTEXT}_batch-9b1c_call_00_Aa", "batchId": "batch-9b1c"}}, "c-1")
    body = sse([*OPENING, mirror(CALLS), child, status("COMPLETED")])
    assert changes(made(body, renamed(body, random.Random(3)))) == []


# what can not be decided


def test_a_capture_that_can_not_be_judged_is_never_equal(made) -> None:
    found = made(b'data: {"a":1}\n\n', b'data: {"a":1}\n\n')
    assert (changes(found), found.exit) == ([], 3)
    assert [reason[:2] for pair in found.pairs for reason in pair.undecided] == ["A:", "B:"]


def test_a_record_that_was_not_read(tmp_path: Path) -> None:
    a, b = tmp_path / "a.sse", tmp_path / "b.sse"
    a.write_bytes(sse(ROUND))
    b.write_bytes(sse([*ROUND[:3], token("x" * 70_000), *ROUND[3:]]))
    found = diff(str(a), str(b), Options(max_line=65_536))
    assert brief(found, "contract") == [] and found.exit == 3
    log = (FIRST / "DA-09-A2A_STREAM-r1.log").read_text()
    (tmp_path / "DA-09.log").write_text(re.sub("(raw: .{200}.*Done).*", "\\1 … <truncated>", log))
    assert between(FIRST / "DA-09-A2A_STREAM-r1.log", tmp_path / "DA-09.log").exit == 3
    a.write_bytes(sse([*OPENING, status("FAILED")]))
    assert diff(str(a), str(b), Options(max_line=65_536)).exit == 1


def test_what_an_undecided_side_lacks_is_not_proven(tmp_path: Path) -> None:
    (tmp_path / "a.sse").write_bytes(sse(ROUND))
    (tmp_path / "b.body").write_bytes(sse(ROUND[:3]))
    (tmp_path / "b.rc").write_text("curl_rc=28\n")
    found = between(tmp_path / "a.sse", tmp_path / "b.body")
    assert brief(found, "contract") == [] and found.exit == 3


def test_nothing_to_compare(tmp_path: Path) -> None:
    assert between(tmp_path, tmp_path).exit == 3
    assert between(FIRST, tmp_path).exit == between(tmp_path, FIRST).exit == 3
    with pytest.raises(CaptureError):
        between(tmp_path / "none", tmp_path)
    with pytest.raises(UsageError, match="its scenarios are DA-01, DA-09"):
        between(SECOND, SECOND, scenarios=("EXP*",))


# runs


def test_remote_calls_are_paired_by_what_they_were_asked(tmp_path: Path) -> None:
    """Calls that run at the same time are numbered as they come."""
    for side, order in (("a", "AB"), ("b", "BA")):
        (tmp_path / side).mkdir()
        for number, asked in enumerate(order, 1):
            name = tmp_path / side / f"DA-1-A2A_STREAM-r1.search-agent.{number}"
            name.with_suffix(f".{number}.body").write_bytes(
                sse([*OPENING, token(asked), status("COMPLETED")])
            )
            message = {"role": "ROLE_USER", "messageId": f"{side}{number}", "parts": [{"text": asked}]}
            request = {
                "jsonrpc": "2.0",
                "id": "1",
                "method": "SendStreamingMessage",
                "params": {"message": message},
            }
            name.with_suffix(f".{number}.request.json").write_text(json.dumps(request))
    found = between(tmp_path / "a", tmp_path / "b")
    assert len(found.pairs) == 2 and changes(found) == []


def test_a_log_without_a_protocol_in_its_name(tmp_path: Path) -> None:
    for side, name in (("a", "DA-1-r1.client.sse"), ("b", "DA-1-r1.client.sse")):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_bytes(sse(ROUND))
        (tmp_path / side / f"x{name}").write_bytes(sse(ROUND))
    assert changes(between(tmp_path / "a", tmp_path / "b")) == []


def test_a_file_and_a_run() -> None:
    """Only the round of the file is compared."""
    found = between(FIRST / "DA-09-A2A_STREAM-r1.log", SECOND)
    assert [pair.scenario for pair in found.pairs] == ["DA-09"] and found.counts()["contract"] == 2
    assert len(between(SECOND, FIRST / "DA-09-A2A_STREAM-r1.log").pairs) == 1
    with pytest.raises(UsageError, match="has no capture of plain r1"):
        between(SHAPES / "plain.sse", SECOND)


@pytest.mark.parametrize(
    ("lacks", "rank"),
    [("all.json", "shape"), ("run.json", "contract")],
    ids=["wire logs show the client alone", "a recorder would have seen it"],
)
def test_a_leg_that_one_side_lacks(tmp_path: Path, lacks: str, rank: str) -> None:
    for side, legs in (("a", ("client.", "search-agent.1.")), ("b", ("client.",))):
        (tmp_path / side).mkdir()
        for leg in legs:
            (tmp_path / side / f"DA-1-A2A_STREAM-r1.{leg}sse").write_bytes(sse(ROUND))
    (tmp_path / "b" / lacks).write_text('{"run": 1, "legs": []}')
    found = between(tmp_path / "a", tmp_path / "b")
    assert [(c.rank, c.subject, c.operation) for c in changes(found)] == [(rank, "round", "removed")]
    assert found.exit == int(rank == "contract")


def test_volatile_values_of_ones_own(made, tmp_path: Path) -> None:
    part = {"data": {"shift": "early", "job": "j-77"}}
    a = sse([*OPENING, artifact(part, "x"), status("COMPLETED")])
    b = a.replace(b"early", b"late").replace(b"j-77", b"j-78")
    assert made(a, b).counts()["shape"] == 2
    mine = tmp_path / "v.yaml"
    mine.write_text("volatile: 1\nids: {job: [job]}\ntexts: [shift]\n")
    found = made(a, b, volatile=(str(mine),))
    assert found.counts() == {"contract": 0, "shape": 0, "text": 1, "timing": 0}


# anything at all


@given(streams(), streams())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
def test_made_up_streams(made, a: bytes, b: bytes) -> None:
    found = made(a, b)
    assert text(found) == text(made(a, b))
    same = made(a, a)
    assert changes(same) == [] and same.exit in (0, 3)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b": ping\n\n",
        b"\0" * 5000,
        random.Random(1).randbytes(50_000),
        b"data: " + b"[" * 10_000 + b"]" * 10_000 + b"\n\n",
        b'data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":5}}\n\n',
        sse([{"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": [], "parts": [5, {}, {"text": 7}]}}}]),
        sse([artifact({"data": {"type": 5, "payload": {"content": []}}}, "a"), artifact({"text": "{" * 3000}, "b")]),
        sse([{"task": {"id": {}, "status": [], "history": "x"}}, {"message": {"parts": {}}}]),
        sse([{"statusUpdate": {"taskId": "t", "status": {"state": "\ue000", "message": {"role": "\ue000", "parts": []}}}}]),
        sse([{"message": {"messageId": "m", "role": "\ue003x", "kind": "\ue001", "parts": [{"text": "\ue000\ue003"}]}}]),
        b'data: {"jsonrpc":"2.0","id":"\\ud800","result":{"message":{"messageId":"\\ud800","role":"agent","parts":[{"text":"\\ud800"}]}}}\n\n',
    ],
)  # fmt: skip
def test_hostile(made, data: bytes, no_hang) -> None:
    for other in (data, sse(ROUND)):
        for found in (made(data, other), made(other, data)):
            assert text(found).encode()
            if found.exit == 0:
                assert not any(pair.undecided for pair in found.pairs)


def test_memory_does_not_grow_with_the_tokens(tmp_path: Path) -> None:
    """20,000 tokens of 8 MB in all are one unit of which a piece is kept."""
    body = sse(OPENING) + b"".join(sse([token("word " * 40, number)]) for number in range(20_000))
    (tmp_path / "a.sse").write_bytes(body)
    between(SECOND, SECOND)
    tracemalloc.start()
    found = between(tmp_path / "a.sse", tmp_path / "a.sse")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert changes(found) == []
    assert peak < 24 << 20
