"""Captures as exchanges that can be written down elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.capture.discover import find
from harness.replay.foreign import foreign_of, whole

LOG = """# protocol: A2A_STREAM  round: 2  sessionId: S-1
{sent}
====== REQUEST ======
text:
  | hi
metadata: (none)
taskId: t-1
contextId: c-1

====== RESPONSE (1 events) ======
[0] STATE  state=TASK_STATE_COMPLETED  task=t-1
  raw: {raw}
"""
RAW = '{"jsonrpc":"2.0","id":null,"result":{"statusUpdate":{"taskId":"t-1"}}}'


def log(tmp_path: Path, sent: str = "", raw: str = RAW):
    (tmp_path / "S.log").write_text(LOG.format(sent=sent, raw=raw))
    return find([str(tmp_path / "S.log")]).captures[0]


@pytest.mark.parametrize(
    ("sent", "times"),
    [
        ("# sent: 2026-08-11T17:30:00.25+08:00  duration: 1500ms", (1_786_440_600_250_000_000, 1_786_440_601_750_000_000)),
        ("# sent: 2026-08-11T09:30:00Z", (1_786_440_600_000_000_000, None)),
        ("# sent: 2026-08-11T09:30:00  duration: 5ms", (None, None)),
        ("# sent: yesterday", (None, None)),
        ("", (None, None)),
    ],
)  # fmt: skip
def test_the_times_of_a_wire_log(tmp_path, sent: str, times: tuple) -> None:
    found = foreign_of(log(tmp_path, sent))
    assert (found.started_ns, found.ended_ns) == times and found.head_ns is None


def test_a_wire_log(tmp_path) -> None:
    found = foreign_of(log(tmp_path))
    assert found.name == ("S-1", "A2A_STREAM", 2, "client") and found.stream
    assert found.known == {
        "imported": str(tmp_path / "S.log"), "rebuilt": True, "task_id": "t-1", "context_id": "c-1",
    }  # fmt: skip
    assert [*found.body] == [(None, b"data: " + RAW.encode() + b"\n\n")]


def test_an_answer_without_a_stream(tmp_path) -> None:
    one = log(tmp_path)._replace(protocol="A2A_SYNC")
    found = foreign_of(one)
    assert not found.stream and [*found.body] == [(None, RAW.encode())]


@pytest.mark.parametrize("raw", [RAW[:-9] + " … <truncated>", "InboundEvent[x]", RAW + "\n\n[1] STATE"])
def test_a_log_that_is_cut_is_not_whole(tmp_path, raw: str) -> None:
    assert whole(log(tmp_path)) and not whole(log(tmp_path, raw=raw))


def test_other_forms_are_always_whole(tmp_path) -> None:
    (tmp_path / "x.sse").write_bytes(b"data: {\n\n")
    (one,) = find([str(tmp_path)]).captures
    assert whole(one) and [*foreign_of(one).body] == [(None, b"data: {\n\n")]
