"""`harness demo --recorded`: the shipped captures of three topologies, judged, and what there is to see."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import HarnessError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from harness.model.verdict import Report
    from harness.report.view import View

RUNS = ("run-20260812-101500", "run-20260812-112000", "run-20260812-134500")
"""Run folders of deep-research, edpa and expense-review."""


class Seen(NamedTuple):
    """What the demo looks for in its report."""

    leaked: int
    """Leaked delegations of scenario DA-09."""
    masked: int
    edpa_leaked: int
    """Masked and leaked interactions of topology edpa."""
    native: int
    unbound: int
    """Native questions of topology expense-review, and BIND301 findings there."""


EXPECTED = Seen(leaked=4, masked=9, edpa_leaked=0, native=14, unbound=0)


def run(args: Namespace, lang: str) -> int:
    """Judge, show, and compare with what should be there."""
    from harness.cli import terminal
    from harness.cli.check import judged, show
    from harness.pipeline import Options

    view = terminal.view(lang)
    terminal.show([_said("recorded.intro", lang), ""])
    folder = captures()
    chosen = Options()
    report = judged([os.path.join(folder, name) for name in RUNS], chosen, lang)
    show(report, chosen, lang, everything=args.all)
    seen = look(report)
    terminal.show(tell(seen, view, lang, folder))
    return 0 if seen == EXPECTED else 1


def captures() -> str:
    """The folder of the demo's runs: package data, or the repository's golden captures."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in (("data", "demo"), (os.pardir, "captures", "golden", "sit-logs")):
        path = os.path.normpath(os.path.join(package, *folder))
        if all(os.path.isdir(os.path.join(path, name)) for name in RUNS):
            near = os.path.relpath(path)
            return path if near.startswith(os.pardir) else near
    raise HarnessError("the demo's captures are not where they should be", mend="install the package again")


def look(report: Report) -> Seen:
    """Count what the demo is about."""
    leaked = masked = edpa_leaked = native = unbound = 0
    for one in report.rounds:
        exposures = [each.exposure for each in one.interactions]
        if one.scenario == "DA-09":
            leaked += exposures.count("leaked")
        elif one.topology == "edpa":
            masked += exposures.count("masked")
            edpa_leaked += exposures.count("leaked")
        elif one.topology == "expense-review":
            native += exposures.count("native")
            unbound += sum(each.rule == "BIND301" for each in one.findings)
    return Seen(leaked, masked, edpa_leaked, native, unbound)


def tell(seen: Seen, view: View, lang: str, folder: str) -> Iterator[str]:
    """What was found or is missing, what it means, what to try next."""
    from harness.report.cells import wrap

    yield ""
    yield (
        view.paint("good", _said("demo.found", lang))
        if seen == EXPECTED
        else view.paint("error", _said("demo.missing", lang))
    )
    yield "  " + _said("recorded.leaked", lang, count=seen.leaked)
    yield "  " + _said("recorded.masked", lang, masked=seen.masked, leaked=seen.edpa_leaked)
    yield "  " + _said("recorded.bound", lang, count=seen.native, unbound=seen.unbound)
    yield ""
    yield from wrap(_said("recorded.seen", lang), view.prose)
    yield ""
    yield _said("demo.next", lang)
    log = os.path.join(folder, RUNS[0], "DA-09-A2A_STREAM-r1.log")
    yield from (f"  {one}" for one in (f"harness inspect {log}", "harness explain LEAK101"))
    yield f"  harness check {folder} --contract symmetric"


def _said(key: str, lang: str, **values: object) -> str:
    from harness.cli.words import words

    return words(lang)[key].format(**values)
