"""`harness check`: judge recorded streams and say what was found."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from harness.cli import terminal
from harness.cli.options import count, options
from harness.cli.parser import Parser
from harness.cli.words import words

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from harness.cli.indexing import Indexing
    from harness.cli.outputs import Output
    from harness.model.verdict import Report
    from harness.pipeline import Options
    from harness.report.entries import Edition


def parser(lang: str = "en") -> Parser:
    """The command's arguments. Defaults are None: a settings file may give them."""
    made = Parser(
        "harness check",
        "harness check [PATH ...] [options]",
        "Judge recorded A2A streams: for each round how it ended, who asked for what on which channel, "
        "what leaked, which rules were broken. PATH is a capture, a folder, a run folder, or - for standard "
        "input; without PATH the newest run is judged, of those in captures/ and, where the SIT suite leaves "
        "its wire logs, in target/sit-logs/wire/. Defaults can stand in harness.toml or in [tool.harness] of "
        "pyproject.toml.",
        lang=lang,
        examples=(
            "harness check captures/run-20260811-093000",
            "harness check stream.sse --contract a2a --fail-on warning",
            "harness check captures/run-1 -o report.xml -o report.sarif -o gitlab=codequality.json",
            "harness check captures/run-1 --baseline main.json --github",
            "harness check --watch captures",
            "curl -iN http://localhost:8080/a2a ... | harness check - --json",
        ),
        exits=(0, 1, 2, 3, 4),
    )
    made.add_argument("paths", nargs="*", metavar="PATH", help="captures, folders, or -")
    _choosing(made)
    _weighing(made)
    accepting(made)
    telling(made)
    made.add_argument(
        "--run-id", metavar="ID", help="the run's id in the history, where PATH is no run folder"
    )
    text = "judge again whenever a capture or a file of yours changes, and tell what changed; Ctrl-C ends"
    made.add_argument("--watch", action="store_true", help=text)
    return made


def _choosing(made: Parser) -> None:
    add = made.add_argument
    add("--contract", metavar="NAME|FILE", help="masked (default), symmetric, unified, a2a, or a YAML file")
    add("--mapping", metavar="FILE", action="append", help="a mapping of further shapes; may be repeated")
    add("--topologies", metavar="FILE", help="topologies and their scenarios, instead of the shipped ones")
    add("--only", metavar="RULES", action="append", help="only these families or rules: LEAK,MASK201")
    add("--skip", metavar="RULES", action="append", help="not these families or rules")
    add("--topology", metavar="NAME", help="only the captures of this topology")
    text = "judge also by this scenario (a folder: by those of it that were recorded); may be repeated"
    add("--scenario", metavar="FILE|DIR", action="append", help=text)
    add("--newest", action="store_true", help="of each PATH that holds run folders, only the newest run")


def _weighing(made: Parser) -> None:
    add = made.add_argument
    add(
        "--fail-on", choices=("error", "warning"), help="the mildest finding that breaks the contract (error)"
    )
    text = "as --fail-on warning; exit 3 also for rules not checked, files not claimed, kinds not known"
    add("--strict", action="store_const", const=True, help=text)
    add("--jobs", metavar="N", type=count, help="processes that judge at the same time (1)")
    add("--max-line", metavar="SIZE", help="longest line that is read, with k, M or G (16M)")


def accepting(made: Parser) -> None:
    """The arguments about findings that are known and accepted."""
    add = made.add_argument
    add("--waivers", metavar="FILE", help="accepted findings (scenarios/waivers.yaml, where it exists)")
    text = "an older JSON report: only what it does not have breaks the contract"
    add("--baseline", metavar="REPORT.json", help=text)
    text = "draft waivers for what is red, into a new file (scenarios/waivers.yaml)"
    add("--write-waivers", metavar="[FILE]", nargs="?", const="", help=text)


def telling(made: Parser) -> None:
    """The arguments about reports."""
    add = made.add_argument
    add("--json", action="store_true", help="print the JSON report and nothing else")
    text = "write a report, by ending .json .xml .sarif .md .html, or gitlab=PATH; may be repeated"
    add("-o", "--output", metavar="[FORMAT=]PATH", action="append", default=[], help=text)
    text = "annotations for GitHub on standard output, and in Actions the summary of the step"
    add("--github", action="store_true", help=text)
    add("--all", action="store_true", help="show every finding, infos too, without caps")
    text = "add the run to a history: a folder, or an address (reports/history)"
    add("--history", metavar="[DIR]", nargs="?", const="", help=text)


def run(args: Namespace, lang: str) -> int:
    """Judge, write the reports, print; the exit code is that of the verdict."""
    from harness.cli.outputs import outputs
    from harness.cli.settings import settings

    defaults = settings()
    lang = _lang(args.lang, defaults, lang)
    wanted = outputs(args.output)
    if args.watch:
        from harness.cli.again import watch

        return watch(args, wanted, lang)
    waivers = draft(args)
    made = chosen(args, defaults)
    named = paths(args, lang)
    index = _index(args, defaults, named)
    report = judged(named, made, lang)
    code = tell(report, made, args, wanted, lang, waivers)
    if index:
        index.add(report, codes_applied(made), lang)
    return code


def chosen(args: Namespace, defaults: dict[str, Any]) -> Options:
    """What the command line and the settings ask for, scenarios included. Raises `UsageError` and its kin."""
    asked = options(args, defaults)
    if not args.scenario:
        return asked
    from harness.cli.planned import planned

    return planned(asked, args.scenario)


def tell(
    report: Report, chosen: Options, args: Namespace, wanted: Sequence[Output], lang: str, waivers: str = ""
) -> int:
    """Write and print all that was asked for; returns the exit code of the verdict.

    `args` are those of `telling`, `wanted` what `outputs` made of them, `waivers` the file of
    `--write-waivers`, checked before.
    """
    from harness.cli.outputs import edition, write

    made = edition(chosen, lang) if wanted or args.github or waivers else None
    if made:
        for one in wanted:
            write(report, one, made)
    if args.json:
        _print_json(report)
    else:
        show(report, chosen, lang, everything=args.all)
        for one in wanted:
            _tell(lang, "written", one.path)
    if args.github and made:
        from harness.cli.annotate import annotate

        annotate(report, made, lang, aside=args.json)
    if waivers and made:
        _write_draft(report, chosen, waivers, made, lang)
    return report.exit


def draft(args: Namespace) -> str:
    """The file of `--write-waivers`, if it was asked for; raises `UsageError` for one that exists."""
    if args.write_waivers is None:
        return ""
    from harness.cli.drafting import target

    return target(args.write_waivers)


def _write_draft(report: Report, chosen: Options, path: str, made: Edition, lang: str) -> None:
    from harness.accepted import today
    from harness.cli.drafting import write

    written = write(report, path, made.breaking, today(chosen))
    _tell(lang, "drafted" if written else "nothing_red", path, count=written)


def judged(paths: Sequence[str], chosen: Options, lang: str) -> Report:
    """The report over `paths`, with progress on standard error."""
    from harness.cli.progress import progress
    from harness.pipeline import check

    line = progress(lang)
    try:
        return check(paths, chosen, line)
    finally:
        if line:
            line.close()


def show(report: Report, chosen: Options, lang: str, *, everything: bool = False) -> None:
    """Print the console report."""
    from harness.report.console import console
    from harness.report.evidence import Evidence

    view = terminal.view(lang, everything=everything)._replace(evidence=Evidence())
    terminal.show(console(report, view, rules_applied(chosen)))


def rules_applied(chosen: Options) -> int:
    """How many rules the contract and the choice of families leave."""
    return len(codes_applied(chosen))


def codes_applied(chosen: Options) -> set[str]:
    """The rules that the contract and the choice of families leave."""
    from harness.rules import contracts, registry

    codes = set(contracts.load(chosen.contract).codes()) - registry.OWN
    if chosen.only:
        codes &= set(registry.expand(chosen.only))
    if not chosen.scenarios:
        codes -= set(registry.FAMILIES["SCN"].codes)
    return codes - set(registry.expand(chosen.skip))


def _lang(asked: str | None, defaults: dict[str, Any], by_locale: str) -> str:
    return by_locale if asked or "lang" not in defaults else "zh" if defaults["lang"] == "zh" else "en"


def _index(args: Namespace, defaults: dict[str, Any], named: Sequence[str]) -> Indexing | None:
    """The history that the run is added to, where one was asked for."""
    if args.history is None and "history" not in defaults:
        return None
    from harness.cli.indexing import history

    return history(args, defaults, named)


def paths(args: Namespace, lang: str) -> list[str]:
    """What is judged: the paths, the newest runs at them, or the newest run of all."""
    if args.paths and not args.newest:
        return list(args.paths)
    from harness.cli import newest

    if args.paths:
        return newest.narrowed(args.paths)
    path = newest.needed()
    _tell(lang, "newest", path)
    return [path]


def _print_json(report: Report) -> None:
    from harness.report.json import pieces

    terminal.write(piece.encode() for piece in pieces(report))


def _tell(lang: str, key: str, path: str, **values: object) -> None:
    """One line about a file on standard error."""
    from harness.report.cells import harmless

    sys.stderr.write(words(lang)[key].format(path=harmless(path), **values) + "\n")
