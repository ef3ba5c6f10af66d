"""`harness export`: a capture in a form that other tools read."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from harness.cli import terminal
from harness.cli.parser import Parser
from harness.cli.words import words
from harness.errors import CaptureError, UsageError
from harness.report.cells import harmless

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from harness.capture.har import EventTime
    from harness.model.capture import Capture, Request


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness export",
        "harness export CAPTURE --har|--sse|--curl [options]",
        "Write a capture in a form that other tools read. --har: an HTTP archive (HAR 1.2) with the body and "
        "the time of each event (_events); it takes folders and several captures. --sse: the exact body. "
        "--curl: the command line that asks again; with -o NAME.sse also what `curl -i` printed, and beside "
        "it NAME.request.json, NAME.rc and NAME.sh.",
        lang=lang,
        examples=(
            "harness export captures/run-20260811-093000 --har -o run.har",
            "harness export stream.sse --sse | grep __interaction__",
            "harness export captures/run-20260811-093000/DA-09-A2A_STREAM-r1.client.sse --curl | sh",
        ),
        exits=(0, 2, 3, 4),
    )
    add = made.add_argument
    add("paths", nargs="+", metavar="CAPTURE", help="a capture, or - for standard input; --har: folders too")
    form = made.add_mutually_exclusive_group(required=True)
    form.add_argument(
        "--har", dest="form", action="store_const", const="har", help="HTTP archive, version 1.2"
    )
    form.add_argument("--sse", dest="form", action="store_const", const="sse", help="the body, byte for byte")
    text = "a curl command line, and what it printed"
    form.add_argument("--curl", dest="form", action="store_const", const="curl", help=text)
    add("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    add("--to", metavar="URL", help="--curl: scheme, host and port to ask, instead of the recorded ones")
    return made


def run(args: Namespace, lang: str) -> int:
    """Write it; exit 3 if something of the captures could not be read."""
    if args.output is not None:
        _writable(args.output)
    if args.form == "har":
        captures, whole = _captures(args.paths)
        _put(args.output, (text.encode("utf-8", "surrogatepass") for text in har(captures)), lang)
        return 0 if whole else 3
    if len(args.paths) != 1:
        raise UsageError(f"--{args.form} takes one capture", mend="name one, or write a HAR of all: --har")
    from harness.cli.reading import the_capture

    capture = the_capture(args.paths[0])
    if args.form == "sse":
        _put(args.output, body(capture), lang)
    else:
        _curl(capture, args.output, args.to, lang)
    return _told((*capture.unread, *_lost(capture)))


def _captures(paths: list[str]) -> tuple[tuple[Capture, ...], bool]:
    from harness.capture.discover import find

    found = find(paths, stdin=sys.stdin.buffer)
    lost = [one for capture in found.captures for one in (*capture.unread, *_lost(capture))]
    whole = not _told((*found.unread, *lost))
    if not found.captures:
        raise CaptureError("no capture in it", file=paths[0], mend="name a capture")
    return found.captures, whole


def _lost(capture: Capture) -> list:  # type: ignore[type-arg]
    """What a form of HTTP can not hold: a wire log's events that are cut or not readable."""
    from harness.model.capture import Unread
    from harness.replay.projection import unsound

    count = unsound(capture) if capture.framing == "wirelog" else 0
    return [Unread(capture.source, f"{count} events are cut or not readable and left out")] if count else []


def _told(unread: Iterable) -> int:  # type: ignore[type-arg]
    code = 0
    for one in unread:
        code = 3
        sys.stderr.write(f"{harmless(one.source)}: {harmless(one.reason, 400)}\n")
    return code


# the forms


def har(captures: Iterable[Capture]) -> Iterator[str]:
    """The text of an archive of all of them, in pieces."""
    from harness.capture.har import document

    return document(_entry(capture) for capture in captures)


def _entry(capture: Capture) -> str:
    import json

    from harness.capture.har import entry
    from harness.replay.foreign import foreign_of

    foreign = foreign_of(capture)
    foreign = foreign._replace(body=list(foreign.body))
    return json.dumps(
        entry(foreign, list(_events(capture, foreign.body, foreign.stream))), ensure_ascii=False
    )


def _events(
    capture: Capture, chunks: Iterable[tuple[int | None, bytes]], stream: bool
) -> Iterator[EventTime]:
    """When each frame was whole: with the chunk that brought its end."""
    from harness import wire
    from harness.capture.har import EventTime

    decoder = wire.decoder(
        "sse" if stream else "document" if capture.framing == "wirelog" else capture.framing
    )
    at_ns = None
    for at_ns, data in chunks:
        yield from (EventTime(at_ns, *frame.span) for frame in decoder.feed(data))
    yield from (EventTime(at_ns, *frame.span) for frame in decoder.finish()[0])


def body(capture: Capture) -> Iterator[bytes]:
    """The response body; of a wire log, which has none, its JSON as SSE."""
    from harness.replay.foreign import foreign_of

    return (data for _, data in foreign_of(capture).body)


def _curl(capture: Capture, output: str | None, to: str | None, lang: str) -> None:
    from harness.capture import curl
    from harness.model.capture import Request

    line = curl.command(capture.request or Request(), to) + "\n"
    if output is None:
        terminal.write([line.encode("utf-8", "replace")])
        return
    stem, ending = os.path.splitext(output)
    if ending not in (".sse", ".body"):
        raise UsageError(f"-o {output}: what curl printed is a capture", mend="let FILE end in .sse or .body")
    head = [curl.head_text(capture.head)] if capture.head else []
    _put(output, (*head, *body(capture)), lang)
    _put(f"{stem}.sh", [f"#!/bin/sh\n{line}".encode("utf-8", "replace")], lang)
    if capture.request is not None:
        _put(f"{stem}.request.json", [_request(capture.request)], lang)
    if (told := curl.exit_file(capture.ending)) is not None:
        _put(f"{stem}.rc", [told], lang)


def _request(request: Request) -> bytes:
    """The request as the `.request.json` sidecar has it; without a method its body alone."""
    import json

    if request.method is None:
        return (request.body or "").encode("utf-8", "replace")
    value = {
        "method": request.method,
        "target": request.target,
        "headers": dict(request.headers),
        "body": request.body,
    }
    return json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "replace")


# writing


def _writable(path: str) -> None:
    folder = os.path.dirname(path) or "."
    if not path or os.path.isdir(path):
        raise UsageError(f"-o {path!r} is no file to write to", mend="name a file")
    if not os.path.isdir(folder):
        raise UsageError(f"-o {path}: there is no folder {folder}", mend=f"create it: mkdir -p {folder}")


def _put(path: str | None, pieces: Iterable[bytes], lang: str) -> None:
    """To standard output, or to a file that is whole or not there."""
    if path is None:
        terminal.write(pieces)
        return
    partial = f"{path}.partial"
    try:
        with open(partial, "wb") as file:
            file.writelines(pieces)
        os.replace(partial, path)
    except OSError as fault:
        with suppress(OSError):
            os.unlink(partial)
        what = f"-o {path}: can not be written: {fault.strerror}"
        raise UsageError(what, mend="name another file") from None
    sys.stderr.write(words(lang)["written"].format(path=harmless(path)) + "\n")
