"""The composition root: paths in, a report out; one function for each arrow of the flow.

    find > judge_capture (each capture, on its own) > compare (rounds of one run) > report

Live and offline are the same code. A capture is judged with no knowledge of any other, so
that captures can be judged in several processes; what compares rounds comes after. Rank 4.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import harness
from harness import judge, topologies
from harness.capture.discover import find
from harness.capture.naming import BESIDE
from harness.captures import judge_capture
from harness.errors import UsageError
from harness.kit import Kit, Options, load
from harness.matrix import matrix
from harness.model.verdict import Report
from harness.rules import across

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from harness.model.capture import Capture, Unread
    from harness.model.topology import Topology
    from harness.rounds import Judged
    from harness.rules.facts import RoundFacts

    type Progress = Callable[[int, int], None]

__all__ = ["Kit", "Options", "check", "judge_capture", "load", "report"]


def check(paths: Sequence[str], options: Options | None = None, progress: Progress | None = None) -> Report:
    """Judge the captures at `paths` (files, folders, patterns, `-`).

    Raises `UsageError` and its kin for what the user named wrongly, `CaptureError` for a
    named file that is not there. `progress` is called with (captures done, captures in all).
    """
    options = options or Options()
    kit = load(options)
    found = find(paths, stdin=sys.stdin.buffer, max_line=options.max_line)
    rounds = [capture for capture in found.captures if capture.protocol not in BESIDE]
    captures = _expected([_placed(capture, kit.topologies, options) for capture in rounds], options)
    if options.topology is not None:
        _known_topology(options.topology, kit.topologies)
        captures = [capture for capture in captures if capture.topology == options.topology]
    judged = _judge_all(captures, kit, options.jobs, progress)
    return report(judged, kit, options, found.unread, found.not_captures, found.captures)


def report(
    judged: Sequence[Judged],
    kit: Kit,
    options: Options,
    unread: Sequence[Unread] = (),
    not_captures: int = 0,
    captures: Sequence[Capture] = (),
) -> Report:
    """Compare the rounds with each other and put everything together, in a stable order.

    `captures` are all that was found: some are read once more to compare them. Those that are no
    rounds (`naming.BESIDE`) are counted with the files that are not judged.
    """
    ordered = sorted(judged, key=lambda one: (one.round.source, one.round.round))
    beside = [capture for capture in captures if capture.protocol in BESIDE]
    compared = across.compare(kit.selection, _facts(ordered, captures, beside, kit))
    compared = _over_legs(compared, ordered, captures, kit, options)
    rounds = [
        across.append(
            one.round,
            compared.findings.get(index, ()),
            (*compared.lacking.get(index, ()), *(compared.not_checked if one.round.leg == "client" else ())),
            compared.checked.get(index, ()),
        )
        for index, one in enumerate(ordered)
    ]
    groups, baseline = compared.groups, None
    if kit.waivers or kit.baseline is not None:
        from harness import accepted

        settled = accepted.settle(rounds, groups, kit, options)
        rounds, groups, baseline = list(settled.rounds), tuple(settled.groups), settled.baseline
    told = sorted({*unread, *(entry for one in rounds for entry in one.unread)}, key=_unread_order)
    exit = judge.exit_code(
        rounds,
        groups,
        () if rounds else compared.not_checked,
        told,
        not_captures=not_captures,
        fail_on=options.fail_on,
        strict=options.strict,
    )
    return Report(
        version=harness.__version__,
        contract=kit.selection.contract.name,
        exit=exit,
        rounds=tuple(rounds),
        findings=tuple(groups),
        not_checked=() if rounds else tuple(compared.not_checked),
        unread=tuple(told),
        matrix=matrix(rounds, kit.topologies),
        not_captures=not_captures + len(beside),
        waivers=kit.waivers,
        baseline=baseline,
    )


def _facts(
    judged: Sequence[Judged], captures: Sequence[Capture], beside: Sequence[Capture], kit: Kit
) -> list[RoundFacts]:
    """The facts of the rounds, and what a second look at their captures adds for rules that need one."""
    facts = [one.facts for one in judged]
    wanted = across.second(kit.selection)
    if "trail" in wanted and len(facts) > 1:
        from harness.trails import with_trails

        facts = with_trails(facts, captures, kit)
    if "card" in wanted and beside:
        from harness.cards import with_cards

        facts = with_cards(facts, beside)
    return facts


def _over_legs(
    compared: across.Compared,
    judged: Sequence[Judged],
    captures: Sequence[Capture],
    kit: Kit,
    options: Options,
) -> across.Compared:
    """`compared`, and what rules over several legs say, scenarios included."""
    if not kit.selection.legs:
        return compared
    from harness import legs

    return legs.judged(compared, judged, captures, kit, options)


def _expected(captures: list[Capture], options: Options) -> list[Capture]:
    """`captures` with the outcomes that scenarios expect of them."""
    if not options.scenarios:
        return captures
    from harness import legs

    return legs.expected(captures, options)


def _unread_order(entry: Unread) -> tuple[str, int, str]:
    return entry.source, entry.span.start if entry.span else -1, entry.reason


def _placed(capture: Capture, known: Sequence[Topology], options: Options) -> Capture:
    plan = next((one for one in options.scenarios if one.name == capture.scenario), None)
    topology = topologies.named(known, plan.topology) if plan else None
    topology = topology or topologies.of_scenario(known, capture.scenario)
    return capture._replace(topology=topology.name) if topology else capture


def _known_topology(name: str, known: Sequence[Topology]) -> None:
    if topologies.named(known, name) is None:
        names = ", ".join(topology.name for topology in known)
        mend = f"known are {names}; or name a file with --topologies"
        raise UsageError(f"no topology is called {name!r}", mend=mend)


def _judge_all(captures: Sequence[Capture], kit: Kit, jobs: int, progress: Progress | None) -> list[Judged]:
    judged: list[Judged] = []
    for done, rounds in enumerate(_each(captures, kit, jobs), 1):
        judged += rounds
        if progress:
            progress(done, len(captures))
    return judged


def _each(captures: Sequence[Capture], kit: Kit, jobs: int) -> Iterable[list[Judged]]:
    if jobs < 2 or len(captures) < 2:
        return (judge_capture(capture, kit) for capture in captures)
    from harness.processes import judge_in_processes

    return judge_in_processes(captures, kit, min(jobs, len(captures)))
