"""`harness`: finds the command, runs it, and turns every end into one line and an exit code.

A command is a module with `parser(lang)` and `run(args, lang)`; it is imported only when it
is called, so that `harness --help` costs little more than Python itself.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

from harness import __version__
from harness.cli import terminal
from harness.cli.parser import Parser, nearest
from harness.cli.words import language, words
from harness.errors import HarnessError, UsageError

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("harness.cli.run", "drive scenarios on the testbed or a system of yours, record, judge"),
    "record": ("harness.cli.record", "record what passes between client, agents and model"),
    "check": ("harness.cli.check", "judge recorded streams: outcome, interactions, findings of each round"),
    "inspect": ("harness.cli.inspect", "look into one capture: timeline, frames, text"),
    "report": ("harness.cli.report", "judge runs and write the page that shows what was found"),
    "diff": ("harness.cli.diff", "what changed between two captures or two runs, by meaning"),
    "history": (
        "harness.cli.history",
        "since when, how often, fixed in which run: many runs by topology and rule",
    ),
    "replay": ("harness.cli.replay", "serve recorded exchanges again: same bytes, chunks, gaps, ending"),
    "import": ("harness.cli.importing", "make run folders of HAR, mitmproxy flow files, logs, curl output"),
    "export": ("harness.cli.export", "write a capture as HAR, as its body, as a curl command"),
    "redact": ("harness.cli.redact", "look for secrets in captures, or copy captures without them"),
    "explain": ("harness.cli.explain", "what a rule, an outcome, an exit code means"),
    "schema": ("harness.cli.schema", "JSON Schemas of the files that are read and written"),
    "init": ("harness.cli.init", "write a project for a system of yours: topology, scenario, CI job"),
    "demo": ("harness.cli.demo", "run three topologies live, with the faults that were reported of them"),
    "completion": ("harness.cli.completion", "completion of commands and options for a shell"),
}
"""Name: (module, summary), in the order in which `--help` lists them."""

GC_THRESHOLD = 1_000_000
"""Our values are free of cycles: Python's default of 2,000 would look through all of them again and again."""

REPORT_TO = "please report it together with the command and, if you may, the capture"


def entry() -> NoReturn:
    """Entry point of the console script: `run`, then leave without taking the interpreter down.

    All files are closed and all output is flushed by then; taking down what was loaded and
    read would cost more than reading a small capture.
    """
    code = run()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            continue
        except (OSError, ValueError, AttributeError):
            code = code or 4
    os._exit(code)


def run() -> int:
    """Run the command line of this process; returns the exit code."""
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  closed by whoever started us
        setattr(sys, name, stream)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        terminal.aside("\nharness: interrupted\n")
        return 130
    except HarnessError as error:
        return _told(error)
    except Exception as fault:  # noqa: BLE001  the last net: a user never meets a traceback
        return _failed(fault)


def main(argv: list[str]) -> int:
    """Run one command line; raises `HarnessError` for what the user can mend."""
    head, command, rest = _split(argv)
    if not head and command in COMMANDS:
        return _call(command, rest)
    parser = top()
    args = parser.parse_args(head)
    lang = language(args.lang, os.environ)
    if args.version:
        terminal.show([f"harness {__version__}"])
        return 0
    if args.help:
        terminal.show([top(lang).format_help().rstrip()])
        return 0
    if command is None:
        sys.stderr.write(top(lang).format_help())
        return 2
    if command not in COMMANDS:
        raise UsageError(f"there is no command {command!r}", mend=_mend(command))
    return _call(command, [*(["--lang", args.lang] if args.lang else []), *rest])


def _split(argv: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Options before the command, the command, and what follows it."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] == "--lang" else 1
    return argv[:at], (argv[at] if at < len(argv) else None), argv[at + 1 :]


def _call(command: str, argv: list[str]) -> int:
    from importlib import import_module

    module = import_module(COMMANDS[command][0])
    parser: Parser = module.parser(language(_lang_in(argv), os.environ))
    args = parser.parse_args(argv)
    lang = language(args.lang, os.environ)
    code: int = module.run(args, lang)
    return code


def _lang_in(argv: list[str]) -> str | None:
    """The language asked for, before the arguments are parsed: it names the headings of `--help`."""
    for at, word in enumerate(argv):
        if word.startswith("--lang="):
            return word[7:]
        if word == "--lang" and at + 1 < len(argv):
            return argv[at + 1]
    return None


def top(lang: str = "en") -> Parser:
    """The parser of `harness` itself."""
    said = words(lang)
    lines = "\n".join(f"  {name:<12} {summary}" for name, (_, summary) in COMMANDS.items())
    parser = Parser(
        "harness",
        "harness [--lang zh|en] COMMAND ...",
        "Records and judges A2A streams: how each round ended, who asked for what on which channel, what "
        "leaked.",
        lang=lang,
        body=f"{said['help.commands']}:\n{lines}",
        examples=(
            "harness demo",
            "harness run DA-09 --set as-reported",
            "harness check captures/run-20260811-093000",
            "harness explain LEAK101",
        ),
        exits=(0, 1, 2, 3, 4),
    )
    parser.add_argument("--version", action="store_true", help="show the version and leave")
    return parser


def _mend(command: str) -> str:
    near = nearest(command, COMMANDS)
    return f"did you mean `harness {near}`?" if near else f"commands are {', '.join(COMMANDS)}"


def _told(error: HarnessError) -> int:
    from harness.report.cells import harmless

    said = words(language(_lang_in(sys.argv[1:]), os.environ))
    terminal.aside(f"harness: {said['failed']}: {harmless(str(error))}\n")
    return error.exit_code


def _failed(fault: Exception) -> int:
    from harness.report.cells import harmless

    if os.environ.get("HARNESS_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    text = harmless(f"{type(fault).__name__}: {fault}", 600)
    more = f"{REPORT_TO}; HARNESS_DEBUG=1 shows where"
    terminal.aside(f"harness: internal error: {text}; this is a fault of the harness, {more}\n")
    return 4
