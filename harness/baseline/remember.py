"""A report of this process as the older one of a comparison: what stood in it. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.baseline.identity import of_group, of_round, spot, spots
from harness.baseline.read import Old, OldReport
from harness.model.waiver import Gone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.baseline.identity import Identity, Spot
    from harness.model.finding import Finding
    from harness.model.verdict import Report


def remembered(report: Report) -> OldReport:
    """What `read.load` would make of the JSON of `report`."""
    return OldReport("", tuple(_standing(report)))


def stands(one: Finding) -> bool:
    """An error or a warning that no waiver accepts, and not one about waivers."""
    return one.severity != "info" and one.waived is None and not one.rule.startswith("WAIV")


def _standing(report: Report) -> Iterator[Old]:
    by_source = {one.source: one for one in report.rounds}
    for one in report.rounds:
        where = spot(one)
        yield from (_old(each, it, (where,), where) for each, it in of_round(one) if stands(each))
    for group in report.findings:
        if stands(group.finding):
            where_all = spots(spot(by_source[source]) for source in group.rounds if source in by_source)
            yield _old(group.finding, of_group(group, by_source), where_all, None)


def _old(one: Finding, it: Identity, where: tuple[Spot, ...], home: Spot | None) -> Old:
    gone = Gone(one.rule, one.slug, one.severity, one.message, *(home or (None, None, None, None)))
    return Old(it, where, gone)
