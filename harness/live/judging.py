"""The sealed folder of a run goes to the pipeline, together with the scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.pipeline import check

if TYPE_CHECKING:
    from harness.live.order import Order
    from harness.model.verdict import Report
    from harness.pipeline import Options


def judged(order: Order, options: Options, run_dir: str) -> Report:
    """The report of one run."""
    return check([run_dir], options._replace(scenarios=order.scenarios, defects=order.set_name))
