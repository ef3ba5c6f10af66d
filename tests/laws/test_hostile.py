"""Any bytes at all: each is told with its place, nothing is green, nothing is a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from harness.pipeline import Options, check

FRAME = b'data: {"jsonrpc":"2.0","id":"r","result":%s}\n\n'
GOOD = FRAME % b'{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}'
DEEP = b"[" * 10_000 + b"]" * 10_000


@pytest.mark.parametrize(
    ("name", "data", "outcome", "exit", "unread"),
    [
        ("nul.sse", b"\0" * 5000, "INCONCLUSIVE", 3, 0),
        ("noise.log", random.Random(1).randbytes(200_000), "INCONCLUSIVE", 3, 0),
        ("noise.jsonl", random.Random(1).randbytes(200_000), "INCONCLUSIVE", 3, 0),
        ("html.sse", b"<html><body>502 Bad Gateway</body></html>", "INCONCLUSIVE", 3, 0),
        ("empty.sse", b"", "NO_TERMINAL", 1, 0),
        ("comments.sse", b": ping\n\n: ping\n\n", "NO_TERMINAL", 1, 0),
        ("deep.sse", b"data: " + DEEP + b"\n\n" + GOOD, "COMPLETED", 3, 1),
        ("long.sse", b'data: {"a":"' + b"x" * 70_000 + b'"}\n\n' + GOOD, "COMPLETED", 3, 1),
        ("tail.sse", GOOD + b"data: " + b"x" * 70_000, "COMPLETED", 3, 1),
        ("torn.sse", b'data: {"jsonrpc":\n\n' + GOOD, "COMPLETED", 1, 1),
        ("latin.sse", GOOD.replace(b'"r"', b'"\xe9"') + GOOD, "COMPLETED", 1, 0),
    ],
)
def test_any_bytes(tmp_path: Path, name: str, data: bytes, outcome: str, exit: int, unread: int) -> None:
    (tmp_path / name).write_bytes(data)
    report = check([str(tmp_path / name)], Options(max_line=65_536))
    told = [round.outcome for round in report.rounds]
    if not told:
        assert report.exit == 3 and report.unread
        return
    assert told == [outcome]
    assert (report.exit, len(report.rounds[0].unread)) == (exit, unread), report.rounds[0].findings


def test_a_fault_of_one_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "good.sse").write_bytes(GOOD)
    (tmp_path / "noise.sse").write_bytes(random.Random(2).randbytes(10_000))
    (tmp_path / "gone.sse").symlink_to(tmp_path / "nowhere")
    report = check([str(tmp_path)], Options(contract="a2a", skip=("ORD501", "SHP")))
    assert {round.source.rsplit("/")[-1]: round.outcome for round in report.rounds} == {
        "good.sse": "COMPLETED",
        "noise.sse": "INCONCLUSIVE",
    }
    assert report.exit == 3
    assert any("gone.sse" in entry.source for entry in report.unread)
