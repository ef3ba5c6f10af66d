"""What a report says of one case, in the words of `cases.py`, and what of it differs."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from tests.e2e.openjiuwen.cases import MIRROR, TASK, TOP, Case

PLACES = {"/result/task/": TASK, "/payload/data/0/data/state": MIRROR}
"""Parts of a pointer that tell where a delegation stands."""


class Found(NamedTuple):
    """What a report says; the members are those of a case."""

    outcomes: tuple[str, ...]
    leaked: tuple[int, ...]
    seen_in: tuple[str, ...]
    calls: int
    findings: dict[str, int]
    exit: int


def found(report: dict[str, Any]) -> Found:
    """The JSON report of one scenario."""
    rounds = sorted((one for one in report["rounds"] if one["leg"] == "client"), key=lambda one: one["round"])
    shown = [[one for one in each["interactions"] if one["exposure"] == "leaked"] for each in rounds]
    told = Counter(
        finding["rule"]
        for holder in (*report["rounds"], report)
        for finding in holder["findings"]
        if finding["severity"] != "info"
    )
    return Found(
        tuple(one["outcome"] for one in rounds),
        tuple(len(one) for one in shown),
        tuple(dict.fromkeys(_place(s["pointer"]) for each in shown for i in each for s in i["sightings"])),
        sum(1 for one in report["rounds"] if one["leg"] != "client"),
        dict(told),
        report["exit"],
    )


def _place(pointer: str) -> str:
    return next((name for part, name in PLACES.items() if part in pointer), TOP)


def differences(case: Case, told: Found) -> list[str]:
    """A sentence for each thing that is not as the case says."""
    return [
        f"{case.file}: {name} {got!r} instead of {getattr(case, name)!r}"
        for name, got in told._asdict().items()
        if got != getattr(case, name)
    ]
