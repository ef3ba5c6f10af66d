"""Stopping: the first signal counts, and whoever can be interrupted hears of it, early or late."""

from __future__ import annotations

import signal

from harness.live import Stop, Stopped


def test_the_first_signal_counts() -> None:
    stop = Stop()
    heard: list[int] = []
    with stop.calling(lambda: heard.append(1)):
        assert stop.number is None
        stop.tell(signal.SIGTERM)
        stop.tell(signal.SIGINT)
    stop.tell()
    assert (stop.number, heard) == (signal.SIGTERM, [1])


def test_whoever_comes_late_hears_at_once() -> None:
    stop = Stop()
    stop.tell()
    heard: list[int] = []
    with stop.calling(lambda: heard.append(1)):
        assert heard == [1]


def test_the_exit_code_is_the_signals() -> None:
    stopped = Stopped(signal.SIGTERM, "captures/run-1")
    assert (stopped.exit_code, stopped.run_dir) == (143, "captures/run-1")
    assert str(stopped) == "captures/run-1: stopped by SIGTERM: what was recorded is sealed"
    assert str(Stopped(signal.SIGINT, None)) == "stopped by SIGINT: nothing was recorded yet"
