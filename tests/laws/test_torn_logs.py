"""Wire logs with records that can not be read: what was seen stays, what was not is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.model.verdict import Report
from harness.pipeline import check

LOGS = Path(__file__).parents[2] / "captures" / "golden" / "sit-logs" / "run-20260811-093000"
CAP = " \u2026 <truncated>"


def torn(folder: Path, name: str, tear: Callable[[str], str]) -> Report:
    """The report on a golden log whose `raw:` lines went through `tear`."""
    lines = (LOGS / name).read_text(encoding="utf-8").split("\n")
    copy = folder / name
    copy.write_text("\n".join(tear(line) if "raw: " in line else line for line in lines), encoding="utf-8")
    return check([str(copy)])


def test_a_leak_that_was_cut_off_is_not_green(tmp_path: Path) -> None:
    report = torn(
        tmp_path,
        "DA-09-A2A_STREAM-r1.log",
        lambda line: line[:420] + CAP if "controller_output" in line else line,
    )
    [round] = report.rounds
    assert (report.exit, round.outcome, len(round.unread)) == (3, "COMPLETED", 1)
    assert "__interaction__" in round.unread[0].reason
    assert round.unread[0].span is not None


def test_a_state_that_only_the_event_line_tells_counts(tmp_path: Path) -> None:
    report = torn(
        tmp_path,
        "DA-09-A2A_STREAM-r1.log",
        lambda line: "  raw: TaskStatusUpdateEvent[state=x]" if "TASK_STATE_COMPLETED" in line else line,
    )
    [round] = report.rounds
    assert (report.exit, round.outcome, len(round.unread)) == (1, "COMPLETED", 1)
    assert {finding.rule for finding in round.findings if finding.severity == "error"} == {"LEAK101"}


def test_a_question_that_was_cut_off_is_not_called_empty(tmp_path: Path) -> None:
    report = torn(
        tmp_path,
        "EDPA-03-A2A_STREAM-r1.log",
        lambda line: line[:300] + CAP if "INPUT_REQUIRED" in line else line,
    )
    [round] = report.rounds
    assert (report.exit, round.outcome) == (3, "INTERACTION")
    assert "END501" in {entry.rule for entry in round.not_checked}


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir()))
def test_no_raw_at_all(tmp_path: Path, name: str) -> None:
    whole = check([str(LOGS / name)]).rounds[0]
    report = torn(tmp_path, name, lambda line: re.sub("raw: .*", "raw: (not serializable)", line))
    [round] = report.rounds
    assert round.outcome == whole.outcome
    assert report.exit == 3
    assert len(round.unread) == round.events
