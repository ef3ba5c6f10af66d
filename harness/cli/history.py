"""`harness history`: what became of each rule in each topology over many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.cli.options import count, last
from harness.cli.parser import Parser

if TYPE_CHECKING:
    from argparse import Namespace

    from harness.history.values import Question
    from harness.report.view import View

ACTIONS = ("rebuild", "add", "compact")
LAST = 30
"""Runs of the window, unless --last says otherwise."""


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness history",
        "harness history [rebuild [RUN ...] | add REPORT.json ... | compact] [options]",
        "Since when, how often, fixed in which run: for each topology and rule, over the runs of an index; "
        "times and sizes as trends. `check` and `run` add a run with --history; `rebuild` judges run folders "
        "again (all below captures/), `add` takes JSON reports, `compact` makes one file of many. The index "
        "is a folder of Parquet files: several jobs may write at once, and any DuckDB can read it.",
        lang=lang,
        examples=(
            "harness history",
            "harness history --topology deep-research --rule LEAK --since 2026-08-01",
            "harness history -o history.html -o history.csv",
            'harness history --sql "SELECT rule, count(*) FROM findings GROUP BY rule ORDER BY 2 DESC"',
            "harness history rebuild captures --contract masked",
            "harness history add report.json --run-id 4711 --started 2026-08-11T09:30:00Z",
        ),
    )
    _exits(made, lang)
    made.add_argument("action", nargs="?", choices=ACTIONS, metavar="ACTION", help="rebuild, add or compact")
    made.add_argument("paths", nargs="*", metavar="PATH", help="run folders to judge, or JSON reports to add")
    text = "where the index is: a folder, or an address such as s3://bucket/history (reports/history)"
    made.add_argument("--history", metavar="DIR", help=text)
    _asking(made)
    _telling(made)
    _indexing(made)
    return made


def _asking(made: Parser) -> None:
    add = made.add_argument
    add("--topology", metavar="NAME", help="only this topology")
    add(
        "--rule",
        metavar="RULES",
        action="append",
        default=[],
        help="only these families or rules: LEAK,MASK201",
    )
    add("--since", metavar="DATE|RUN", help="only runs from this date, time or run on")
    add("--last", metavar="N", type=last, default=LAST, help=f"only the last N runs ({LAST})")
    add(
        "--contract",
        metavar="NAME|FILE",
        help="runs judged by it (that of the newest run); rebuild: judge by it",
    )


def _telling(made: Parser) -> None:
    add = made.add_argument
    add("--sql", metavar="SELECT", help="ask in SQL over the tables runs, rounds and findings")
    add("--json", action="store_true", help="print JSON and nothing else")
    add("-o", "--output", metavar="[FORMAT=]PATH", action="append", default=[],
        help="write PATH.csv, .json, .md or .html; may be repeated")  # fmt: skip
    add("--all", action="store_true", help="findings of severity info too")


def _indexing(made: Parser) -> None:
    add = made.add_argument
    add("--run-id", metavar="ID", help="add: the id of the report's run")
    add("--started", metavar="WHEN", help="add: when it began (now)")
    add(
        "--only",
        metavar="RULES",
        action="append",
        help="add, rebuild: only these rules were, or are, applied",
    )
    add("--skip", metavar="RULES", action="append", help="add, rebuild: these were not, or are not")
    add("--mapping", metavar="FILE", action="append", help="rebuild: a mapping of further shapes")
    add("--topologies", metavar="FILE", help="rebuild: topologies, instead of the shipped ones")
    add("--scenario", metavar="FILE|DIR", action="append", help="rebuild: judge also by these scenarios")
    add("--waivers", metavar="FILE", help="rebuild: accepted findings")
    add("--jobs", metavar="N", type=count, help="rebuild: processes that judge at the same time (1)")


def _exits(made: Parser, lang: str) -> None:
    """What the exit codes mean here: a history is no gate."""
    from harness.report.historywords import words

    own = words(lang)
    made.words = {**made.words, **{f"exit.{code}": own[f"history.exit.{code}"] for code in (0, 3)}}
    made.epilog = made._epilog(made.examples, (0, 2, 3, 4))


def run(args: Namespace, lang: str) -> int:
    """Answer, or change the index."""
    from harness.cli import indexing
    from harness.cli.settings import settings

    defaults = settings()
    if args.lang is None and defaults.get("lang") in ("en", "zh"):
        lang = defaults["lang"]
    place = indexing.where(args.history, defaults)
    if args.action is None:
        return _answer(args, place, lang)
    from harness.cli import historyindex

    return historyindex.run(args, defaults, place, lang)


def _answer(args: Namespace, place: str, lang: str) -> int:
    from harness.cli import historyoutput
    from harness.history.folder import folder
    from harness.history.read import read

    wanted = historyoutput.wanted(args.output, with_sql=args.sql is not None)
    question = _question(args)
    view = _view(args, lang)
    with read(folder(place)) as index:
        if args.sql is None and not index.runs:
            return _nothing(place, index.skipped, view)
        if args.sql is not None:
            from harness.history.sql import select

            return historyoutput.tell_answer(select(index, args.sql), wanted, args, view)
        from harness.history.ask import ask

        return historyoutput.tell(ask(index, question), wanted, args, view, lang)


def _question(args: Namespace) -> Question:
    from harness.cli.options import _listed
    from harness.history.values import Question
    from harness.rules.registry import expand

    return Question(
        contract=args.contract,
        topology=args.topology,
        rules=expand(_listed(args.rule)) if args.rule else (),
        since=args.since,
        last=args.last,
        infos=args.all,
    )


def _view(args: Namespace, lang: str) -> View:
    from harness.cli.terminal import view
    from harness.report.historywords import words

    made = view(lang, everything=args.all)
    return made._replace(words={**made.words, **words(lang)})


def _nothing(place: str, skipped: Any, view: View) -> int:
    import sys

    from harness.report.cells import harmless

    for one in skipped:
        told = view.say("history.skipped", file=harmless(one.file), reason=harmless(one.reason))
        sys.stderr.write(told + "\n")
    sys.stderr.write(view.say("history.nothing", where=harmless(place)) + "\n")
    return 3
