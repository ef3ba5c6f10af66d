"""`harness diff`: what changed between two captures or two runs, by meaning."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.cli.parser import Parser
from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from harness.cli.outputs import Output
    from harness.comparing import Choice
    from harness.diff.values import Difference
    from harness.kit import Options
    from harness.report.view import View

FORMATS = {"json": ".json", "md": ".md", "html": ".html"}
"""Reports that can be written, with the ending of the file that chooses each."""


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness diff",
        "harness diff A B [options]",
        "What changed from A to B, by meaning. A and B are captures, or folders of them: rounds are "
        "paired by scenario, round, leg and protocol, and a round that only one side has is a change. "
        "Tokens are compared as the text they make; ids, times, hosts and running numbers by what they "
        "stand for (call#1, task#2). Changes have ranks: contract (outcome, interactions, broken rules) "
        "before shape (what events are made of) before text (what a model wrote) before timing (order "
        "of concurrent calls, endings, durations). Only contract changes fail, unless --fail-on says "
        "otherwise.",
        lang=lang,
        examples=(
            "harness diff captures/run-20260811-093000 captures/run-20260812-101500",
            "harness diff golden/DA-09.sse captures/run-20260812-101500/DA-09-A2A_STREAM-r1.client.sse",
            "harness diff A B --scenario 'DA-*' --fail-on shape -o diff.md -o diff.html",
        ),
    )
    _exits(made, lang)
    add = made.add_argument
    add("a", metavar="A", help="a capture or a folder: how it was")
    add("b", metavar="B", help="a capture or a folder: how it is now; one of both may be -")
    add("--scenario", metavar="NAME", action="append", default=[], help="only these scenarios; * and ? match")
    add("--fail-on", choices=("contract", "shape", "text", "timing"), default="contract",
        help="the mildest rank that gives exit 1 (contract)")  # fmt: skip
    add("--contract", metavar="NAME|FILE", help="the contract by which both are judged (masked)")
    add("--mapping", metavar="FILE", action="append", default=[], help="a mapping of further shapes")
    add("--volatile", metavar="FILE", action="append", default=[], help="further volatile values, as YAML")
    add("--topologies", metavar="FILE", help="topologies and their scenarios, instead of the shipped ones")
    add("--max-line", metavar="SIZE", help="longest line that is read, with k, M or G (16M)")
    add("--json", action="store_true", help="print the diff as JSON and nothing else")
    add("-o", "--output", metavar="[FORMAT=]PATH", action="append", default=[],
        help="write PATH.json, .md or .html")  # fmt: skip
    add("--all", action="store_true", help="show every change and every line, without caps")
    return made


def _exits(made: Parser, lang: str) -> None:
    """What the exit codes mean here."""
    from harness.report.diffwords import words

    own = words(lang)
    made.words = {**made.words, **{f"exit.{code}": own[f"diff.exit.{code}"] for code in (0, 1, 3)}}
    made.epilog = made._epilog(made.examples, (0, 1, 2, 3, 4))


def run(args: Namespace, lang: str) -> int:
    """Compare, write, print; the exit code is that of the diff."""
    from harness.cli.terminal import show, write

    wanted = [_format(asked) for asked in args.output]
    if args.a == "-" and args.b == "-":
        raise UsageError("A and B can not both be standard input", mend="name a file for one of them")
    options, choice = _chosen(args)
    found = _compared(args, options, choice, lang)
    view = _view(lang, everything=args.all)
    for one in wanted:
        _write(found, one, view, lang)
    if args.json:
        from harness.report.diffjson import pieces

        write(piece.encode() for piece in pieces(found))
        return found.exit
    from harness.report.diffconsole import console

    show(console(found, view))
    _told(wanted, view)
    return found.exit


def _chosen(args: Namespace) -> tuple[Options, Choice]:
    from harness.cli.options import size
    from harness.comparing import Choice
    from harness.kit import Options

    options = Options(mappings=tuple(args.mapping), topologies=args.topologies)
    if args.contract:
        options = options._replace(contract=args.contract)
    if args.max_line:
        options = options._replace(max_line=size(args.max_line))
    return options, Choice(tuple(args.volatile), tuple(args.scenario), args.fail_on)


def _compared(args: Namespace, options: Options, choice: Choice, lang: str) -> Difference:
    import sys

    from harness.cli.progress import Progress
    from harness.comparing import diff

    line = Progress(lang) if sys.stderr.isatty() else None
    try:
        return diff(args.a, args.b, options, choice, line)
    finally:
        if line:
            line.close()


def _view(lang: str, *, everything: bool) -> View:
    from harness.cli.terminal import view
    from harness.report.diffwords import words

    made = view(lang, everything=everything)
    return made._replace(words={**made.words, **words(lang)})


def _format(asked: str) -> Output:
    from harness.cli.outputs import output

    one = output(asked, FORMATS)
    if one is None:
        what = f"-o {asked}: no report is known by this ending"
        raise UsageError(what, mend="known are .json, .md and .html")
    if not one.path or os.path.isdir(one.path) or not os.path.isdir(os.path.dirname(one.path) or "."):
        what = f"-o {asked} can not be written to"
        raise UsageError(what, mend="name a file in a folder that is there")
    return one


def _text(found: Difference, form: str, view: View, lang: str) -> Iterable[str]:
    if form == "json":
        from harness.report.diffjson import pieces

        return pieces(found)
    if form == "html":
        from harness.report.html import diff_pieces

        return diff_pieces(found, lang)
    from harness.report.diffmarkdown import markdown
    from harness.report.paint import Paint

    return (line + "\n" for line in markdown(found, view._replace(paint=Paint(False))))


def _write(found: Difference, one: Output, view: View, lang: str) -> None:
    """The file is whole or it is not there."""
    partial = f"{one.path}.partial"
    try:
        with open(partial, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(_text(found, one.format, view, lang))
        os.replace(partial, one.path)
    except OSError as fault:
        if os.path.exists(partial):
            os.unlink(partial)
        what = f"-o {one.path}: can not be written: {fault.strerror}"
        raise UsageError(what, mend="name another file") from None


def _told(wanted: list[Output], view: View) -> None:
    import sys

    from harness.report.cells import harmless

    for path in (one.path for one in wanted):
        sys.stderr.write(view.say("diff.written", path=harmless(path)) + "\n")
