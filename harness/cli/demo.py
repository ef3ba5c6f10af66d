"""`harness demo`: three topologies live, with the faults that were reported, and what there is to see."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.cli.parser import Parser

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from harness.live import Order, Ran
    from harness.model.scenario import Scenario
    from harness.model.verdict import Report, Round
    from harness.report.view import View

SCENARIOS = ("DA-09", "balanceThen", "EXP-01")
"""One of each topology of seed 000."""
TOKENS = "60"


class Seen(NamedTuple):
    """What the demo looks for in its report."""

    leaked: int
    """Leaked delegations of DA-09 on the content channel."""
    shape: tuple[int, ...]
    """How many of them each mirror frame shows."""
    control: int
    """Interactions of DA-09 on the control channel."""
    calls: int
    together: int
    """Remote calls of DA-09, and how many of them were open at the same time."""
    masked: int
    other: int
    """Masked interactions of balanceThen, and others."""
    asked: int
    native: int
    bound: int
    """Rounds of EXP-01 that ask, native questions in them, and those of them that are bound to a tool."""


EXPECTED = Seen(4, (3, 1), 0, 4, 3, 6, 0, 14, 14, 14)


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness demo",
        "harness demo [--recorded] [--captures DIR] [--lang zh|en]",
        "Run three topologies live on the testbed, with the faults that were reported of real systems, "
        "record every leg, judge, show verdicts and matrix. Exit 0: the demo found what it should, the leak "
        "included; 1: it did not.",
        lang=lang,
        examples=("harness demo", "harness demo --lang zh", "harness demo --recorded"),
        exits=(0, 1, 4),
    )
    made.add_argument("--recorded", action="store_true", help="judge the shipped captures; start nothing")
    text = "where the run folder is made (captures)"
    made.add_argument("--captures", metavar="DIR", default="captures", help=text)
    made.add_argument("--all", action="store_true", help="show every finding, infos too, without caps")
    return made


def run(args: Namespace, lang: str) -> int:
    """Run, judge, show, and compare with what should be there."""
    from harness.cli import check, recorded, terminal
    from harness.cli.running import Running
    from harness.pipeline import Options
    from harness.report.cells import wrap

    if args.recorded:
        return recorded.run(args, lang)
    view = terminal.view(lang)
    terminal.show([*wrap(_said("demo.intro", lang), view.prose), ""])
    order = ordered(args.captures)
    chosen = Options(scenarios=order.scenarios, defects=order.set_name)
    ran = Running(lang, quiet=False).run(order, chosen)
    check.show(ran.report, chosen, lang, everything=args.all)
    seen, found = look(ran.report), compared(ran.report, order)
    good = seen == EXPECTED and all(one.found == one.known for one in found)
    terminal.show(tell(seen, found, view, lang, ran, good=good))
    return 0 if good else 1


def ordered(captures: str) -> Order:
    """What `harness run` would be asked for."""
    from harness.cli import run as running
    from harness.cli.chosen import shipped
    from harness.pipeline import Options

    folder = next(one for one in shipped() if os.path.isdir(one))
    asked = [
        *SCENARIOS,
        "--set",
        "as-reported",
        "--tokens",
        TOKENS,
        "--captures",
        captures,
        "--scenarios",
        folder,
    ]
    return running.ordered(running.parser().parse_args(asked), Options())


class Compared(NamedTuple):
    """A scenario, the rules that were found in it, and those that had to be."""

    scenario: str
    found: dict[str, int]
    known: dict[str, int]


def compared(report: Report, order: Order) -> list[Compared]:
    """Errors and warnings of each scenario beside what is known of it."""
    return [Compared(one.name, _found(report, one), _known(one, order.set_name)) for one in order.scenarios]


def _known(one: Scenario, defects: str) -> dict[str, int]:
    return next((dict(each.findings) for each in one.known if each.defects == defects), {})


def _found(report: Report, scenario: Scenario) -> dict[str, int]:
    rounds = [one for one in report.rounds if one.scenario == scenario.name]
    sources = {one.source for one in rounds}
    groups = [one.finding for one in report.findings if sources & set(one.rounds)]
    counts: dict[str, int] = {}
    for each in [*(finding for one in rounds for finding in one.findings), *groups]:
        if each.severity != "info":
            counts[each.rule] = counts.get(each.rule, 0) + 1
    return dict(sorted(counts.items()))


def look(report: Report) -> Seen:
    """Count what the demo is about."""
    research, adapter, review = (_client(report, name) for name in SCENARIOS)
    leaks = [one for each in research for one in each.interactions if one.exposure == "leaked"]
    frames = [one.sightings[0].place.event for one in leaks if one.channel == "content"]
    remote = [one for one in report.rounds if one.scenario == SCENARIOS[0] and one.leg != "client"]
    proxies = [one.exposure for each in adapter for one in each.interactions]
    questions = [one.exposure for each in review for one in each.interactions]
    unbound = sum(finding.rule == "BIND301" for each in review for finding in each.findings)
    return Seen(
        leaked=len(frames),
        shape=tuple(frames.count(frame) for frame in dict.fromkeys(frames)),
        control=sum(one.channel == "control" for each in research for one in each.interactions),
        calls=len(remote),
        together=_together(research, len(remote)),
        masked=proxies.count("masked"),
        other=len(proxies) - proxies.count("masked"),
        asked=sum(bool(each.interactions) for each in review),
        native=questions.count("native"),
        bound=questions.count("native") - unbound,
    )


def _client(report: Report, scenario: str) -> list[Round]:
    return [one for one in report.rounds if (one.scenario, one.leg) == (scenario, "client")]


def _together(rounds: Sequence[Round], calls: int) -> int:
    """All but the last call, if the rule of the overlap was checked and not broken (DEL102)."""
    told = {each.rule for one in rounds for each in one.findings}
    told |= {each.rule for one in rounds for each in one.not_checked}
    return max(0, calls - 1) if rounds and "DEL102" not in told else 0


def tell(
    seen: Seen, found: Sequence[Compared], view: View, lang: str, ran: Ran, *, good: bool
) -> Iterator[str]:
    """What was found or is missing, what it means, what to try next."""
    from harness.report.cells import wrap

    yield ""
    yield (
        view.paint("good", _said("demo.found", lang))
        if good
        else view.paint("error", _said("demo.missing", lang))
    )
    values = seen._asdict() | {"frames": len(seen.shape), "shape": "+".join(map(str, seen.shape))}
    for key in ("demo.leaked", "demo.called", "demo.masked", "demo.bound"):
        yield from ("  " + line for line in wrap(_said(key, lang, **values), view.prose - 2, "  "))
    for one in found:
        said = {"found": _rules(one.found, lang), "known": _rules(one.known, lang)}
        yield "  " + _said("demo.known", lang, scenario=one.scenario, **said)
    yield ""
    yield from wrap(_said("demo.seen", lang), view.prose)
    yield ""
    yield _said("demo.next", lang)
    body = os.path.join(ran.run_dir, "DA-09-A2A_STREAM-r1.client.sse")
    yield from (
        f"  {one}"
        for one in (f"harness inspect {body}", "harness explain LEAK101", "harness run --set fixed")
    )


def _rules(counts: dict[str, int], lang: str) -> str:
    return ", ".join(f"{rule} x{times}" for rule, times in counts.items()) or _said("demo.nothing", lang)


def _said(key: str, lang: str, **values: object) -> str:
    from harness.cli.words import words

    return words(lang)[key].format(**values)
