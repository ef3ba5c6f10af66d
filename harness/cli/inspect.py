"""`harness inspect`: look into one capture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.cli.parser import Parser
from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from harness.cli.reading import Reading
    from harness.report.view import View

ACTIONS = ("timeline", "around", "grep", "frame")


class Query(NamedTuple):
    """What is to be shown."""

    action: str
    number: int = 0
    """The frame of `around` and `frame`."""
    text: str = ""
    """The text of `grep`."""
    pointer: str | None = None
    around: int = 3


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness inspect",
        "harness inspect CAPTURE [timeline | around N | grep TEXT | frame N] [options]",
        "Look into one capture. timeline (the default): one line an event, tokens collapsed, "
        "interactions and errors "
        "marked. around N: the events around frame N. grep TEXT: where a name or a value holds TEXT, "
        "JSON inside "
        "strings included. frame N: one frame whole.",
        lang=lang,
        examples=(
            "harness inspect stream.sse",
            "harness inspect stream.sse grep __interaction__",
            "harness inspect stream.sse grep --pointer /result/artifactUpdate/artifact/artifactId",
            "harness inspect stream.sse frame 12 --raw",
        ),
        exits=(0, 2, 3, 4),
    )
    add = made.add_argument
    add("capture", metavar="CAPTURE", help="a capture, or - for standard input")
    add("action", nargs="?", metavar="ACTION", help="timeline, around, grep or frame")
    add("value", nargs="?", metavar="N|TEXT", help="a frame's number, from 1, or the text to find")
    add("-C", "--context", metavar="K", default="3", help="around: events before and after (3)")
    add("--pointer", metavar="POINTER", help="grep: only below this JSON pointer; without TEXT, its values")
    add("--raw", action="store_true", help="frame: the exact bytes")
    add("--json", action="store_true", help="timeline: one JSON object a line")
    add("--mapping", metavar="FILE", action="append", default=[], help="a mapping of further shapes")
    return made


def run(args: Namespace, lang: str) -> int:
    """Show what was asked for."""
    query = asked(args)
    from harness.cli import looking, terminal
    from harness.cli.reading import Reading, the_capture

    reading = Reading(the_capture(args.capture))
    if query.action == "frame" and args.raw:
        terminal.write(looking.raw(reading, query.number))
    else:
        terminal.show(_lines(reading, query, args, terminal.view(lang)))
    return 0


def _lines(reading: Reading, query: Query, args: Namespace, view: View) -> Iterator[str]:
    from harness.cli import looking, search

    mappings = tuple(args.mapping)
    if query.action == "frame":
        return looking.frame(reading, query.number, view)
    if query.action == "grep":
        return search.grep(reading, query.text, query.pointer, view)
    if query.action == "around":
        return looking.around(reading, query.number, query.around, view, mappings)
    return (
        looking.timeline_json(reading, mappings) if args.json else looking.timeline(reading, view, mappings)
    )


def asked(args: Namespace) -> Query:
    """The query of a command line; raises `UsageError` for what does not go together."""
    action = args.action or "timeline"
    if action not in ACTIONS:
        raise UsageError(
            f"there is nothing called {action!r} to show", mend=f"write one of {', '.join(ACTIONS)}"
        )
    context = _number(args.context, "-C", least=0)
    if action == "timeline":
        if args.value is not None:
            raise UsageError(f"timeline takes no {args.value!r}", mend="see `harness inspect --help`")
        return Query(action)
    if action == "grep":
        if args.value is None and args.pointer is None:
            raise UsageError("grep needs a text or --pointer", mend="harness inspect CAPTURE grep TEXT")
        return Query(action, text=args.value or "", pointer=args.pointer)
    if args.value is None:
        raise UsageError(f"{action} needs the number of a frame", mend=f"harness inspect CAPTURE {action} 1")
    return Query(action, _number(args.value, action, least=1), around=context)


def _number(text: str, what: str, *, least: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16 and int(text) >= least):
        raise UsageError(f"{what} {text}: no number from {least} on", mend="frames are counted from 1")
    return int(text)
