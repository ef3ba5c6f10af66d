"""`harness record`: put the recorder between client, agents and model."""

from __future__ import annotations

import gc
import re
from typing import TYPE_CHECKING

from harness.cli import terminal
from harness.cli.parser import Parser
from harness.cli.words import words
from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from harness.record import Leg, Recorder, Settings
    from harness.record.settings import Summary

NOTHING = 3
"""The verdict on a run without an exchange."""
_AFTER = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[rsm])\Z")
GC = (20_000, 10, 10)
"""A recorder runs for long and leaves cycles behind with each connection; the command line's own threshold is
made for short runs and lets them pile up to hundreds of megabytes."""


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness record",
        "harness record (--leg NAME=URL@PORT ... | --topology NAME | --forward PORT) [options] "
        "[-- COMMAND ...]",
        "Record what passes between client, agents and model: one listener a leg, each a reverse proxy of "
        "its upstream; every byte goes on as it comes and is on disk before that. Have each caller use the "
        "listener's address in place of the upstream's; agent cards that pass are made to lead there. With "
        "COMMAND, run it and end with it: it finds the addresses in HARNESS_LEG_<NAME>. Ctrl-C and SIGTERM "
        "seal everything. Exit 0 when all was recorded, 3 when not; with COMMAND its exit code, with "
        "--check that of `harness check`.",
        lang=lang,
        examples=(
            "harness record --leg client=http://127.0.0.1:8191@9191 --leg llm=https://llm.internal@9193",
            "harness record --topology deep-research --scenario DA-09 --stop-after 3r --check",
            "harness record --leg client=http://127.0.0.1:8191@9191 -- pytest -k DA_09",
        ),
        exits=(0, 1, 2, 3, 4),
    )
    made.add_argument("command", nargs="*", metavar="COMMAND", help="a client to run, behind --")
    _what(made)
    _how(made)
    _until(made)
    return made


def _what(made: Parser) -> None:
    add = made.add_argument
    text = "an edge to record: its name, where it leads, where to listen for it ([HOST:]PORT)"
    add("--leg", metavar="NAME=URL@PORT", action="append", default=[], help=text)
    add("--topology", metavar="NAME", help="the legs of this topology, each at its agent's port + 1000")
    add("--topologies", metavar="FILE", help="topologies, instead of the shipped ones")
    add("--scenario", metavar="NAME", help="the name of all rounds (else the contextId of each)")
    add("--captures", metavar="DIR", default="captures", help="where the run folder is made (captures)")
    text = "a forward proxy too, for systems that know HTTP_PROXY only"
    add("--forward", metavar="[HOST:]PORT", help=text)
    add(
        "--allow",
        metavar="HOST",
        nargs="+",
        action="extend",
        default=[],
        help="[NAME=]HOST[:PORT], for --forward",
    )


def _how(made: Parser) -> None:
    add = made.add_argument
    add("--keep-cards", action="store_true", help="leave the addresses in agent cards as they are")
    text = "send the upstream's Host header on, not the listener's (always so for https)"
    add("--upstream-host", action="store_true", help=text)
    add("--identity", action="store_true", help="ask for bodies without compression")
    add("--secrets", metavar="FILE", help="further names and shapes of secrets (YAML)")
    add("--ca-file", metavar="PEM", help="authorities that upstreams' certificates are verified with")
    add("--client-cert", metavar="PEM", help="certificate and key, to speak TLS with callers")
    add(
        "--leave-out-other", action="store_true", help="do not record agent cards, health checks and the like"
    )


def _until(made: Parser) -> None:
    add = made.add_argument
    add("--stop-after", metavar="3r|90s|5m", help="stop after so many rounds of the client, or so much time")
    add("--timeout", metavar="SECONDS", type=float, help="end exchanges in which nothing passes for so long")
    add("--check", action="store_true", help="judge the run when it is over")
    add("--contract", metavar="NAME|FILE", help="the contract of --check (masked)")
    add(
        "-q",
        "--quiet",
        action="store_true",
        help="show no exchanges, only addresses, warnings and the summary",
    )


def run(args: Namespace, lang: str) -> int:
    """Record until told to stop, seal, sum up."""
    chosen = settings(args)
    from harness.cli.recording import Session
    from harness.record import Recorder

    before = gc.get_threshold()
    gc.set_threshold(*GC)
    recorder = Recorder(chosen)
    code = Session(recorder, lang, quiet=args.quiet).run(args.command)
    gc.set_threshold(*before)
    return _verdict(args, recorder, code, lang)


def settings(args: Namespace) -> Settings:
    """What the command line asks for. Raises UsageError."""
    from harness import topologies
    from harness.record import Settings, legs
    from harness.record.run import new_run

    topology = None
    found: tuple[Leg, ...] = tuple(legs.parse(text) for text in args.leg)
    if args.topology is not None:
        known = topologies.load(args.topologies)
        topology = topologies.named(known, args.topology)
        if topology is None:
            names = ", ".join(one.name for one in known)
            raise UsageError(f"no topology is called {args.topology!r}", mend=f"known are {names}")
        named = {leg.name for leg in found}
        of_topology = legs.of_topology(topology, offset=legs.OFFSET)
        found += tuple(leg for leg in of_topology if leg.name not in named)
    elif args.topologies is not None:
        raise UsageError("--topologies without --topology", mend="name the topology of it to record")
    forward = None if args.forward is None else legs.address(args.forward.removeprefix("@"), "--forward")
    rounds, seconds = after(args.stop_after)
    return Settings(
        legs=legs.checked(found),
        run_dir=new_run(args.captures),
        own=True,
        scenario=args.scenario,
        topology=topology,
        forward=forward,
        allow=tuple(args.allow),
        keep_cards=args.keep_cards,
        upstream_host=args.upstream_host,
        identity=args.identity,
        secrets=args.secrets,
        ca_file=args.ca_file,
        client_cert=args.client_cert,
        leave_out_other=args.leave_out_other,
        stop_rounds=rounds,
        stop_seconds=seconds,
        timeout=args.timeout,
        contract=args.contract,
    )


def after(text: str | None) -> tuple[int | None, float | None]:
    """Rounds and seconds of `--stop-after`."""
    if text is None:
        return None, None
    match = _AFTER.match(text)
    if match is None or float(match["number"]) <= 0 or (match["unit"] == "r" and "." in match["number"]):
        raise UsageError(f"--stop-after {text}: no limit", mend="write rounds as 3r, time as 90s or 5m")
    if match["unit"] == "r":
        return int(match["number"]), None
    return None, float(match["number"]) * (60 if match["unit"] == "m" else 1)


def _verdict(args: Namespace, recorder: Recorder, code: int, lang: str) -> int:
    """The exit code: 3 where the recording failed, else the command's, else that of the check."""
    whole = is_whole(recorder.summary)
    if args.check:
        judged = _judged(args, recorder.run_dir, lang) if recorder.summary.sealed else NOTHING
        code = code or judged
    return code if whole else (code if code in (1, 2, 4) and not args.command else 3)


def is_whole(summary: Summary) -> bool:
    """Was every exchange recorded to its end?"""
    return not summary.incomplete and summary.sealed == summary.exchanges


def _judged(args: Namespace, run_dir: str, lang: str) -> int:
    from harness.cli.check import judged, show
    from harness.pipeline import Options

    chosen = Options(topologies=args.topologies)
    if args.contract is not None:
        chosen = chosen._replace(contract=args.contract)
    report = judged([run_dir], chosen, lang)
    show(report, chosen, lang)
    return report.exit


def said(lang: str, key: str, **values: object) -> None:
    """A line of ours on standard error."""
    from harness.report.cells import harmless

    terminal.aside(harmless(words(lang)[key].format(**values)) + "\n")
