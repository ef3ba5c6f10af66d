"""Why an `assert` about an outcome or about interactions fails, in the words of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.verdict import Round

MODULE = "harness.pytest_plugin.seen"


def compared(op: str, left: object, right: object) -> list[str] | None:
    """Lines for a comparison that failed; None where it is none of ours."""
    if op != "==" or MODULE not in (type(left).__module__, type(right).__module__):
        return None
    from harness.pytest_plugin.seen import Asked, Ended

    for ours, other in ((left, right), (right, left)):
        if isinstance(ours, Ended):
            return [f"the round ended {ours!s}, not {other!s}", *_round(ours.round)]
        if isinstance(ours, Asked) and isinstance(other, (list, tuple)):
            return ["the round asks for something else", *_sides(ours, other), *_place(ours.round)]
    return None


def _sides(asked: Any, wanted: Sequence[Any]) -> list[str]:
    """`-` what was expected and is not there, `+` what is there and was not expected."""
    from harness.pytest_plugin.seen import phrase

    here, there = asked.phrases(), [phrase(one) for one in wanted]
    missing = [f"- {one}" for one in _without(there, here)]
    return [*missing, *(f"+ {one}" for one in _without(here, there))] or [
        "in another order, or at other places"
    ]


def _without(these: Sequence[str], those: Sequence[str]) -> list[str]:
    left = list(those)
    kept = []
    for one in these:
        if one in left:
            left.remove(one)
        else:
            kept.append(one)
    return kept


def _round(one: Round) -> list[str]:
    from harness.pytest_plugin.seen import phrase
    from harness.report.cells import harmless

    asked = [f"it asks: {harmless(phrase(each), 300)}" for each in one.interactions]
    found = [each for each in one.findings if each.severity != "info"]
    told = [f"{each.severity} {each.rule} {each.slug}: {harmless(each.message, 300)}" for each in found]
    return [*asked[:10], *told[:10], *_place(one)]


def _place(one: Round) -> list[str]:
    from harness.report.cells import harmless

    source = harmless(one.source)
    return [f"ending {one.ending}, {one.events} events: {source}", f"look: harness inspect {source}"]
