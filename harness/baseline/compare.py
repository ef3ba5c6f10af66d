"""Marks what an older report knew already, and says what it knew that is gone. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.baseline.identity import of_group, of_round, spot
from harness.model.waiver import Baseline

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.baseline.identity import Identity, Spot
    from harness.baseline.read import OldReport
    from harness.model.finding import Finding
    from harness.model.verdict import Group, Round


def compare(
    rounds: Sequence[Round], groups: Sequence[Group], old: OldReport, applied: Collection[str]
) -> tuple[list[Round], list[Group], Baseline]:
    """The same rounds and groups with known findings marked. `applied`: rules of this check."""
    known = {one.identity for one in old.findings}
    seen: set[Identity] = set()
    marked = [_round(one, known, seen) for one in rounds]
    by_source = {one.source: one for one in rounds}
    grouped = [_group(one, by_source, known, seen) for one in groups]
    gone = [one for one in old.findings if one.identity not in seen]
    judged = _judged(rounds)
    fixed = [one.gone for one in gone if _again(one.spots, one.gone.rule, judged, applied)]
    counted = [each for one in marked for each in one.findings] + [one.finding for one in grouped]
    standing = [each for each in counted if each.waived is None and each.severity != "info"]
    known_ones = sum(each.known for each in standing)
    baseline = Baseline(
        old.file, len(standing) - known_ones, known_ones, tuple(fixed), len(gone) - len(fixed)
    )
    return marked, grouped, baseline


def _round(one: Round, known: Collection[Identity], seen: set[Identity]) -> Round:
    if not one.findings:
        return one
    return one._replace(findings=tuple(_marked(each, it, known, seen) for each, it in of_round(one)))


def _group(one: Group, rounds: dict[str, Round], known: Collection[Identity], seen: set[Identity]) -> Group:
    return one._replace(finding=_marked(one.finding, of_group(one, rounds), known, seen))


def _marked(one: Finding, it: Identity, known: Collection[Identity], seen: set[Identity]) -> Finding:
    if it not in known or one.rule.startswith("WAIV"):
        return one
    seen.add(it)
    return one._replace(known=True)


def _judged(rounds: Sequence[Round]) -> dict[Spot, set[str] | None]:
    """By spot: the rules that could not be checked there; None where a round was not decided."""
    found: dict[Spot, set[str] | None] = {}
    for one in rounds:
        where = spot(one)
        unchecked = found.get(where, set())
        if one.outcome == "INCONCLUSIVE" or one.unread or unchecked is None:
            found[where] = None
        else:
            found[where] = unchecked | {each.rule for each in one.not_checked}
    return found


def _again(
    spots: Sequence[Spot], rule: str, judged: dict[Spot, set[str] | None], applied: Collection[str]
) -> bool:
    if rule not in applied:
        return False
    lacking = [judged.get(where) for where in spots]
    return bool(lacking) and all(each is not None and rule not in each for each in lacking)
