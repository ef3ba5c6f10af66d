"""The live run: starts what is to be started, records, drives, seals and judges. Rank 6.

    report = run(Order(scenarios, topologies), Options()).report

What may live here: the order in which things start and end. A run is judged from its sealed
folder, with the same code as `harness check`; nothing that the driver saw goes into a verdict.
Whatever happens, no process, port or thread is left, and the run folder is sealed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.live.order import Order
from harness.live.result import Ran
from harness.live.stop import Stop, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.drive import Step
    from harness.pipeline import Options

    type OnStep = Callable[[Step], None]
    type OnNote = Callable[[str], None]

__all__ = ["Order", "Ran", "Stop", "Stopped", "refuse", "run"]


def refuse(order: Order) -> None:
    """Raise `UsageError` or a kin for what `run` would refuse; nothing is started."""
    from harness.live.session import writable
    from harness.live.system import system_of

    system_of(order, Stop())
    writable(order.captures)


def run(
    order: Order,
    options: Options,
    on_step: OnStep | None = None,
    on_note: OnNote | None = None,
    stop: Stop | None = None,
) -> Ran:
    """Run `order`, and judge it with `options`.

    Raises `HarnessError` where the system can not be started or set up, and `Stopped` when `stop`
    was told; the run folder is sealed then. `on_note` gets what a user should know of a run.
    """
    from harness.live.judging import judged
    from harness.live.session import Session

    stop = stop or Stop()
    session = Session(order, options, on_step, on_note, stop)
    session.run()
    stop.is_heard = False
    return Ran(judged(order, options, session.run_dir), session.run_dir, session.driven)
