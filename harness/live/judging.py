"""The sealed folder of a run goes to the pipeline, together with the scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.pipeline import check

if TYPE_CHECKING:
    from harness.live.order import Order
    from harness.model.verdict import Report
    from harness.pipeline import Options

UNDECIDED = 3


def judged(order: Order, options: Options, run_dir: str) -> Report:
    """The report of one run. A system that no request has reached is no breach: exit 3, as of `check`."""
    report = check([run_dir], options._replace(scenarios=order.scenarios, defects=order.set_name))
    return report if _was_reached(report) else report._replace(exit=UNDECIDED)


def _was_reached(report: Report) -> bool:
    return any(one.leg == "client" and one.ending != "refused" for one in report.rounds)
