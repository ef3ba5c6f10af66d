"""`harness replay`: serve what was recorded again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from harness.cli.parser import Parser
from harness.cli.words import words
from harness.errors import CaptureError, UsageError
from harness.report.cells import harmless

if TYPE_CHECKING:
    from argparse import Namespace

    from harness.model.capture import Capture
    from harness.replay.sending import Served


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness replay",
        "harness replay RUN|CAPTURE ... [options]",
        "Serve what was recorded: the same bytes in the same chunks, with the same gaps and the same ending. "
        "A request is answered by the exchange that fits its method, path, JSON-RPC method and "
        "conversation, in the order of the rounds; any other gets a 404 that lists what is known. Addresses "
        "inside agent cards become the replay's. Ctrl-C ends it.",
        lang=lang,
        examples=(
            "harness replay captures/run-20260811-093000 --listen 9191",
            "harness replay stream.sse --speed 0 --rewrite-ids",
        ),
        exits=(0, 2, 3, 4),
    )
    add = made.add_argument
    add("paths", nargs="+", metavar="RUN|CAPTURE", help="run folders or captures")
    add("--listen", metavar="[HOST:]PORT", default="0", help="where to listen (127.0.0.1, any free port)")
    text = "1: gaps as recorded (default), 0: none, N: N times as fast"
    add("--speed", metavar="N", type=_speed, default=1.0, help=text)
    add("--leg", metavar="NAME", help="the leg to serve (client, or the only one there is)")
    add("--rewrite-ids", action="store_true", help="answer with the ids that the client's request names")
    text = "seconds that a stream which the recorded client left stays open (1)"
    add("--hold", metavar="SECONDS", type=_hold, default=1.0, help=text)
    add("--json", action="store_true", help="print the address, then each answer, as JSON Lines")
    return made


def _speed(text: str) -> float:
    return _number(text, "--speed", "1 is as recorded, 0 without gaps, 10 is ten times as fast")


def _hold(text: str) -> float:
    return _number(text, "--hold", "write seconds")


def _number(text: str, option: str, mend: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise UsageError(f"{option} {text}: no number from 0 on", mend=mend)
    return value


def listen(text: str) -> tuple[str, int]:
    """`9191`, `:9191`, `127.0.0.1:9191` or `[::1]:9191` as host and port; loopback if none is named."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise UsageError(f"--listen {text}: no [HOST:]PORT", mend="write 9191 or 127.0.0.1:9191")
    return host or "127.0.0.1", int(port)


def run(args: Namespace, lang: str) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    where = listen(args.listen)
    captures = of_leg(_found(args.paths, lang), args.leg)
    from harness.replay.server import Server

    told: Telling = _Json() if args.json else _Lines(lang)
    server = Server(
        captures,
        listen=where,
        speed=args.speed,
        rewrite_ids=args.rewrite_ids,
        hold_s=args.hold,
        served=told.served,
    )
    server.serve(lambda address: told.ready(address, len(server.known)))
    told.ended()
    return 0


class Telling(Protocol):
    """What is told while the replay runs."""

    def ready(self, address: str, count: int) -> None:
        """It accepts."""

    def served(self, one: Served) -> None:
        """A request was answered."""

    def ended(self) -> None:
        """It was told to end."""


class _Lines:
    """One line for people, on standard error."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def ready(self, address: str, count: int) -> None:
        _say(words(self._lang)["replay.ready"].format(address=address, count=count))

    def served(self, one: Served) -> None:
        _say(line(one, self._lang))

    def ended(self) -> None:
        _say(words(self._lang)["replay.ended"])


class _Json:
    """JSON Lines on standard output."""

    def ready(self, address: str, count: int) -> None:
        _print({"address": address, "exchanges": count})

    def served(self, one: Served) -> None:
        _print(one._asdict())

    def ended(self) -> None:
        return


def _print(value: object) -> None:
    import json

    from harness.cli import terminal

    terminal.show([json.dumps(value)])


def _found(paths: list[str], lang: str) -> tuple[Capture, ...]:
    from harness.capture.discover import find

    found = find(paths, stdin=sys.stdin.buffer)
    for one in found.unread:
        _say(
            words(lang)["import.unread"].format(source=harmless(one.source), reason=harmless(one.reason, 400))
        )
    if not found.captures:
        raise CaptureError("no capture in it", file=paths[0], mend="name a run folder or a capture")
    return found.captures


def of_leg(captures: tuple[Capture, ...], leg: str | None) -> tuple[Capture, ...]:
    """The captures of one leg: the one that was named, the client's, or the only one there is."""
    legs = sorted({capture.leg for capture in captures})
    chosen = leg or ("client" if "client" in legs else legs[0])
    if chosen not in legs:
        raise UsageError(f"--leg {chosen}: no such leg here", mend=f"legs are {', '.join(legs)}")
    if leg is None and chosen != "client" and len(legs) > 1:
        raise UsageError("there are several legs and none is the client's", mend=f"--leg {'|'.join(legs)}")
    return tuple(capture for capture in captures if capture.leg == chosen)


def line(one: Served, lang: str) -> str:
    """One answer in one line."""
    said = words(lang)
    source = harmless(one.source) if one.source else said["replay.unknown"]
    asked = " ".join(harmless(part, 200) for part in (one.method, one.target, one.rpc) if part)
    return said["replay.served"].format(
        asked=asked, source=source, status=one.status or "-", sent=one.sent, end=said[f"replay.end.{one.end}"]
    )


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
