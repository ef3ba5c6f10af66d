"""Captures judged in several processes: threads do not help, judging is work for the processor. Rank 4."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.kit import Kit
    from harness.model.capture import Capture
    from harness.rounds import Judged

BATCH = 16
"""Captures that one process takes at a time."""

_kit: Kit | None = None


def judge_in_processes(captures: Sequence[Capture], kit: Kit, jobs: int) -> Iterator[list[Judged]]:
    """The rounds of each capture, in the order of `captures`."""
    batch = max(1, min(BATCH, len(captures) // (jobs * 4)))
    with ProcessPoolExecutor(jobs, _context(), initializer=_take, initargs=(kit,)) as pool:
        yield from pool.map(_judge, captures, chunksize=batch)


def _context() -> multiprocessing.context.BaseContext:
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in methods else methods[0])


def _take(kit: Kit) -> None:
    global _kit
    _kit = kit


def _judge(capture: Capture) -> list[Judged]:
    from harness.captures import judge_capture

    if _kit is None:
        raise RuntimeError("a worker was started without its kit")
    return judge_capture(capture, _kit)
