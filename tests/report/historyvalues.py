"""Histories built by hand."""

from __future__ import annotations

from typing import Any

from harness.history.values import History, Others, Run, Sizes, Skipped, Trend, When
from harness.report import historywords, words
from harness.report.view import View

RUNS = tuple(f"run-2026081{number}-093000" for number in range(1, 5))


def when(number: int) -> When:
    return When(RUNS[number], f"2026-08-1{number + 1}T09:30:00Z")


def run(number: int, **more: Any) -> Run:
    values: dict[str, Any] = {
        "seconds": 12.5, "version": "0.1.0", "exit": 1, "rounds": 2, "events": 20, "errors": 1, "warnings": 0,
        "waived": 0,
    }  # fmt: skip
    return Run(*when(number), **{**values, **more})


def trend(rule: str = "LEAK101", **more: Any) -> Trend:
    values: dict[str, Any] = {
        "topology": "deep-research", "slug": "delegation-on-content", "severity": "error", "course": "flaky",
        "now": "broken", "first": when(0), "last": when(3), "since": when(3), "fixed": None, "seen": 2, "known": 3,
        "states": ("broken", "unknown", "clean", "broken"), "findings": (4, 0, 0, 1),
    }  # fmt: skip
    return Trend(rule=rule, **{**values, **more})


def sizes(**more: Any) -> Sizes:
    values: dict[str, Any] = {
        "topology": "deep-research", "runs": 3, "rounds": (2, None, 2, 2), "events": (20, None, 1200, 40),
        "bytes": (4096, None, 8192, 4096), "seconds": (1.5, None, 0.25, 3.0), "leaked": (4, None, 0, 1),
        "errors": (4, None, 0, 1), "warnings": (0, None, 0, 0),
    }  # fmt: skip
    return Sizes(**{**values, **more})


def history(**more: Any) -> History:
    fixed = trend(
        "MASK201", course="fixed", now="clean", since=None, fixed=when(2), last=when(0), seen=1,
        states=("broken", "unknown", "clean", "clean"), findings=(2, 0, 0, 0),
    )  # fmt: skip
    waived = trend(
        "SYM401", topology=None, now="waived", states=("waived",) * 4, findings=(1,) * 4, course="steady"
    )
    values: dict[str, Any] = {
        "contract": "masked",
        "runs": tuple(run(number) for number in range(4)),
        "before": 7,
        "trends": (trend(), fixed, waived),
        "topologies": (sizes(), sizes(topology="edpa", seconds=(None,) * 4)),
        "others": (Others("a2a", 3),),
        "skipped": (Skipped("notes.txt", "is no file of a history index: move it elsewhere"),),
    }
    return History(**{**values, **more})


EMPTY = History("masked", (), 3, (), (), (), ())


def view(lang: str = "en", width: int = 80) -> View:
    return View(width, words={**words.words(lang), **historywords.words(lang)})


def hostile(text: str) -> History:
    """Whatever comes from outside is `text`."""
    bad = When(text, "2026-08-11T09:30:00Z")
    one = trend(topology=text, first=bad, last=bad, since=bad, fixed=bad, slug=text, rule=text)
    return history(
        contract=text,
        runs=tuple(run(number)._replace(run=text) for number in range(4)),
        trends=(one,),
        topologies=(sizes(topology=text),),
        others=(Others(text, 1),),
        skipped=(Skipped(text, text),),
    )
