"""`harness report`: judge captures and write the page that shows what was found."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from harness.cli import check
from harness.cli.options import count
from harness.cli.parser import Parser
from harness.cli.words import words
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.cli.outputs import Output
    from harness.diff.values import Difference
    from harness.model.verdict import Report
    from harness.pipeline import Options

FOLDER = "reports"
"""Where the page is written unless told otherwise."""


def parser(lang: str = "en") -> Parser:
    """The command's arguments. Defaults are None: a settings file may give them."""
    made = Parser(
        "harness report",
        "harness report [RUN ...] [options]",
        "Judge recorded runs and write one HTML page that can be opened offline and sent to others: the "
        "matrix, two topologies side by side, findings down to frame and bytes, each round as swim "
        "lanes. RUN is a run folder, a folder of runs, or a capture; without it the newest run is taken. "
        f"The page is {FOLDER}/RUN.html unless -o says otherwise; its path is printed. Whether the contract "
        "holds is said on the page: the exit code is 0 when it is written; `harness check` is the gate.",
        lang=lang,
        examples=(
            "harness report captures/run-20260811-093000",
            "harness report captures/run-1 --contract symmetric -o report.html --open",
            "harness report captures/golden/sit-logs --lang zh",
            "harness report captures/run-20260812-101500 --against captures/run-20260811-093000",
            "harness report --history",
        ),
        exits=(0, 2, 3, 4),
    )
    made.add_argument("paths", nargs="*", metavar="RUN", help="run folders, folders of them, or captures")
    _arguments(made)
    return made


def _arguments(made: Parser) -> None:
    add = made.add_argument
    text = f"the page ({FOLDER}/RUN.html), or another report by its ending; may be repeated"
    add("-o", "--output", metavar="[FORMAT=]PATH", action="append", default=[], help=text)
    text = "the page of many runs instead: their history, by topology (reports/history)"
    add("--history", metavar="[DIR]", nargs="?", const="", help=text)
    add("--open", action="store_true", help="open the page in the browser")
    add("--newest", action="store_true", help="of each RUN that holds run folders, only the newest run")
    add("--contract", metavar="NAME|FILE", help="masked (default), symmetric, unified, a2a, or a YAML file")
    add("--mapping", metavar="FILE", action="append", help="a mapping of further shapes; may be repeated")
    add("--topologies", metavar="FILE", help="topologies and their scenarios, instead of the shipped ones")
    add("--topology", metavar="NAME", help="only the captures of this topology")
    text = "judge also by this scenario (a folder: by those of it that were recorded); may be repeated"
    add("--scenario", metavar="FILE|DIR", action="append", help=text)
    add("--only", metavar="RULES", action="append", help="only these families or rules: LEAK,MASK201")
    add("--skip", metavar="RULES", action="append", help="not these families or rules")
    add("--waivers", metavar="FILE", help="accepted findings (scenarios/waivers.yaml, where it exists)")
    add("--baseline", metavar="REPORT.json", help="an older JSON report: tell new findings from known ones")
    text = "another run or capture: the page also shows what changed from it to RUN (see `harness diff`)"
    add("--against", metavar="OTHER", help=text)
    add("--jobs", metavar="N", type=count, help="processes that judge at the same time (1)")


def run(args: Namespace, lang: str) -> int:
    """Judge, write, print the path; 3 where there was no round to show."""
    from harness.cli.outputs import edition, outputs, write
    from harness.cli.settings import settings

    defaults = settings()
    if args.lang is None and defaults.get("lang") in ("en", "zh"):
        lang = defaults["lang"]
    if args.history is not None:
        return _history(args, defaults, lang)
    both = Namespace(**{**vars(check.parser().parse_args([])), **vars(args)})
    paths = check.paths(both, lang)
    if args.against is not None and (len(paths) != 1 or "-" in (args.against, paths[0])):
        raise UsageError("--against compares one RUN with another", mend="name one RUN, no standard input")
    wanted = outputs(args.output or [_place(paths)])
    if args.against is not None and all(one.format != "html" for one in wanted):
        raise UsageError("--against is shown by the page", mend="name a page: -o report.html")
    chosen = check.chosen(both, defaults)
    report = check.judged(paths, chosen, lang)
    made = edition(chosen, lang)._replace(diff=_changed(args.against, paths, chosen))
    for one in wanted:
        write(report, one, made)
    _tell(report, wanted, lang)
    if args.open:
        _open(wanted)
    return 0 if report.rounds else 3


def _changed(against: str | None, paths: list[str], chosen: Options) -> Difference | None:
    """What changed from the other run to this one."""
    if against is None:
        return None
    from harness.comparing import diff
    from harness.diff.values import exit_code

    found = diff(against, paths[0], chosen)
    if not chosen.topology:
        return found
    pairs = tuple(one for one in found.pairs if one.topology == chosen.topology)
    return found._replace(pairs=pairs, exit=exit_code(pairs, found.undecided))


def _history(args: Namespace, defaults: dict[str, Any], lang: str) -> int:
    """Write the regression report of an index; 3 where it has no run to show."""
    from harness.cli.historyoutput import pages
    from harness.cli.outputs import Output

    if args.against is not None:
        raise UsageError("--history and --against are two pages", mend="ask for one of them")
    if args.paths:
        what = f"--history shows the runs of an index, not {args.paths[0]}"
        raise UsageError(what, mend="leave RUN out, or write --history=DIR")
    if not args.output:
        os.makedirs(FOLDER, exist_ok=True)
    wanted = args.output or [os.path.join(FOLDER, "history.html")]
    code = pages(args, defaults, wanted, lang)
    if args.open:
        _open(tuple(Output("html", path) for path in wanted))
    return code


def _place(paths: list[str]) -> str:
    """Where the page of these captures is written: called like the run, or the first of them."""
    name = os.path.basename(os.path.abspath(paths[0])) if paths[0] != "-" else "stdin"
    os.makedirs(FOLDER, exist_ok=True)
    return os.path.join(FOLDER, f"{name.strip('.') or 'report'}.html")


def _tell(report: Report, wanted: tuple[Output, ...], lang: str) -> None:
    from harness.cli import terminal
    from harness.report.cells import harmless

    said = words(lang)
    verdict = said["verdict"].format(code=report.exit, meaning=said[f"exit.{report.exit}"])
    sys.stderr.write(verdict + "\n")
    terminal.show([harmless(one.path) for one in wanted])


def _open(wanted: tuple[Output, ...]) -> None:
    import webbrowser
    from pathlib import Path

    for one in wanted:
        if one.format == "html":
            webbrowser.open(Path(one.path).absolute().as_uri())
