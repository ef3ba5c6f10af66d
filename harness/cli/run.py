"""`harness run`: drive scenarios on the testbed or on a system of yours, record, judge."""

from __future__ import annotations

import gc
import os
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from harness.cli import check
from harness.cli.check import accepting, telling
from harness.cli.options import count
from harness.cli.parser import Parser
from harness.cli.record import GC, said
from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.live import Order, Ran
    from harness.model.scenario import Scenario
    from harness.model.topology import Topology
    from harness.pipeline import Options
    from harness.scenario.sut import Sut

TESTBED = "testbed"
JOBS = 4
"""Conversations at a time on the testbed; a system of the user's gets one after the other."""


def parser(lang: str = "en") -> Parser:
    """The command's arguments. Defaults are None where a settings file may give them."""
    made = Parser(
        "harness run",
        "harness run [SCENARIO ...] [options]",
        "Start the system, record every leg, send the rounds of the scenarios, and judge what was recorded. "
        "SCENARIO is a name or a file; without one, all of scenarios/ are run that the system can be. The "
        "system is the testbed, reference agents over real HTTP whose known defects can be switched on, or "
        "what a file names (`harness schema sut`). Ctrl-C seals the run and leaves no process.",
        lang=lang,
        examples=(
            "harness run",
            "harness run DA-09 --set as-reported",
            "harness run DA-09 --sut sit.yaml --contract symmetric -o report.json",
        ),
        exits=(0, 1, 2, 3, 4),
    )
    made.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="names of scenarios, or files")
    _what(made)
    _size(made)
    _judged_how(made)
    accepting(made)
    telling(made)
    made.add_argument("-q", "--quiet", action="store_true", help="tell nothing while it runs")
    return made


def _what(made: Parser) -> None:
    add = made.add_argument
    add(
        "--sut",
        metavar="testbed|FILE",
        default=TESTBED,
        help="the system: testbed (default), or where it lives",
    )
    add("--set", metavar="NAME", help="the testbed's defects: fixed (none, the default) or as-reported")
    add("--defect", metavar="NAME", action="append", default=[], help="one more defect; may be repeated")
    add(
        "--scenarios", metavar="DIR|FILE", dest="folders", action="append", default=[],
        help="where scenarios are, instead of scenarios/; may be repeated",
    )  # fmt: skip
    add("--topologies", metavar="FILE", help="topologies, instead of the shipped ones")
    add("--captures", metavar="DIR", default="captures", help="where the run folder is made (captures)")
    text = f"conversations at the same time ({JOBS} on the testbed, else 1)"
    add("--jobs", metavar="N", type=count, help=text)


def _size(made: Parser) -> None:
    add = made.add_argument
    add("--tokens", metavar="N", type=_number, help="token events a round, of the testbed")
    add("--pace", metavar="SECONDS", type=float, help="time between them")
    add("--generation", choices=("G1", "G2", "G3"), help="the testbed's form of content events")


def _judged_how(made: Parser) -> None:
    add = made.add_argument
    add("--contract", metavar="NAME|FILE", help="masked (default), symmetric, unified, a2a, or a YAML file")
    add("--mapping", metavar="FILE", action="append", help="a mapping of further shapes; may be repeated")
    add("--only", metavar="RULES", action="append", help="only these families or rules: LEAK,MASK201")
    add("--skip", metavar="RULES", action="append", help="not these families or rules")
    text = "the mildest finding that breaks the contract (error)"
    add("--fail-on", choices=("error", "warning"), help=text)
    text = "as --fail-on warning; exit 3 also for rules not checked, files not claimed, kinds not known"
    add("--strict", action="store_const", const=True, help=text)


def run(args: Namespace, lang: str) -> int:
    """Run, judge, write the reports, print; the exit code is that of the verdict."""
    from harness.cli.indexing import history
    from harness.cli.outputs import outputs
    from harness.cli.settings import settings

    defaults = settings()
    if args.lang is None and defaults.get("lang") in ("en", "zh"):
        lang = defaults["lang"]
    wanted = outputs(args.output)
    draft = check.draft(args)
    options = _options(args, defaults)
    order = ordered(args, options)
    contract = _contract(args, defaults, order, options, lang)
    options = options._replace(contract=contract, scenarios=order.scenarios)
    _refuse_early(order, options)
    index = history(args, defaults)
    for text in _strange(order):
        said(lang, "record.warning", text=text)
    ran = _ran(order, options, args, lang)
    code = check.tell(ran.report, options, args, wanted, lang, draft)
    if index:
        index.of(ran.run_dir).add(ran.report, check.codes_applied(options), lang)
    said(lang, "run.folder", folder=ran.run_dir)
    return code


def _refuse_early(order: Order, options: Options) -> None:
    """Raise for what would be refused once all is set up, or only when all is over."""
    from harness.live import refuse
    from harness.pipeline import load

    load(options)
    refuse(order)


def _ran(order: Order, options: Options, args: Namespace, lang: str) -> Ran:
    from harness.cli.running import Running

    before = gc.get_threshold()
    gc.set_threshold(*GC)
    try:
        return Running(lang, quiet=args.quiet).run(order, options)
    finally:
        gc.set_threshold(*before)


def _strange(order: Order) -> Iterator[str]:
    """What `known:` of the scenarios names that the testbed does not have: it would never be looked for."""
    from harness.live.defects import is_known

    if order.sut is None:
        for one in order.scenarios:
            for known in one.known:
                if not is_known(known.defects):
                    yield f"{one.file}: known: {known.defects!r} is no set and no defects of the testbed"


def _options(args: Namespace, defaults: dict[str, Any]) -> Options:
    """Those of `harness check`, where both have them: `--jobs` is another matter here."""
    from harness.cli.options import options

    both = Namespace(**{**vars(check.parser().parse_args([])), **vars(args), "jobs": None})
    return options(both, {key: value for key, value in defaults.items() if key not in ("jobs", "topology")})


def ordered(args: Namespace, options: Options) -> Order:
    """What the command line asks for. Raises `UsageError` and its kin."""
    from harness import scenario, topologies
    from harness.cli.chosen import chosen
    from harness.live.defects import FIXED, asked
    from harness.live.order import Order

    sut = _sut(args)
    known = topologies.load(options.topologies)
    found = chosen(args.scenarios, args.folders, lambda one: _why_not(one, known, sut))
    scenario.check_against(found, known)
    defects, name = (frozenset[str](), args.set or "") if sut else asked(args.defect, args.set or FIXED)
    return Order(
        scenarios=found,
        topologies=known,
        sut=sut,
        defects=defects,
        set_name=name,
        jobs=args.jobs or (1 if sut else JOBS),
        captures=args.captures,
        tokens=args.tokens,
        pace=args.pace,
        generation=args.generation,
    )


def _sut(args: Namespace) -> Sut | None:
    if args.sut == TESTBED:
        return None
    for name in ("defect", "tokens", "pace", "generation"):
        if getattr(args, name) not in (None, []):
            raise UsageError(f"--{name} with --sut {args.sut}", mend="only the testbed does as it is told")
    from harness.scenario import sut

    return sut.load(args.sut, os.environ)


def _why_not(one: Scenario, known: tuple[Topology, ...], sut: Sut | None) -> str | None:
    """Why the system can not run a scenario; None: it can, or its topology is told by `check_against`."""
    from harness import topologies
    from harness.live.playable import can_play

    topology = topologies.named(known, one.topology)
    if topology is None:
        return None
    if sut is not None:
        if sut.agent(topology.entry) is None:
            return f"the system has no agent {topology.entry!r}, the entry of {topology.name}"
        return None
    return None if can_play(one, topology) else "the testbed can not play this scenario: it has no `testbed:`"


def _contract(args: Namespace, defaults: dict[str, Any], order: Order, options: Options, lang: str) -> str:
    """The one that was asked for, else the one that all scenarios name, else the default."""
    named = sorted({one.contract for one in order.scenarios if one.contract is not None})
    if args.contract is not None or "contract" in defaults or not named:
        return options.contract
    if len(named) == 1:
        return _told(named[0], order.scenarios)
    said(lang, "run.contracts", names=", ".join(named), contract=options.contract)
    return options.contract


def _told(name: str, scenarios: tuple[Scenario, ...]) -> str:
    """The contract that scenarios name; raises `ScenarioError` where there is none of that name."""
    from harness import scenario
    from harness.rules import contracts

    try:
        contracts.load(name)
    except UsageError as error:
        if error.file is not None:
            raise
        one = next(one for one in scenarios if one.contract == name)
        raise scenario.wrong(one, ("contract",), error.what, error.mend) from None
    return name


def _number(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"--tokens {text}: no number of token events", mend="write a whole number")
    return int(text)
