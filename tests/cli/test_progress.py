"""Progress stands on standard error, after a second, and leaves no trace."""

from __future__ import annotations

import pytest

from harness.cli import progress
from harness.cli.progress import Progress


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_nothing_in_the_first_second(clock, capsys) -> None:
    line = Progress("en")
    clock[0] += 0.9
    line(1, 10)
    line.close()
    assert capsys.readouterr().err == ""


def test_then_five_times_a_second_at_most(clock, capsys) -> None:
    line = Progress("zh")
    for done in range(1, 31):
        clock[0] += 0.125
        line(done, 30)
    said = capsys.readouterr().err
    assert "已检查 10/30 个抓包" in said
    assert said.count("\r") == 12
    line.close()
    assert capsys.readouterr().err == "\r\x1b[K"


def test_none_where_nobody_looks(capsys) -> None:
    assert progress.progress("en") is None
