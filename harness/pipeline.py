"""The composition root: paths in, a report out; one function for each arrow of the flow.

    find > judge_capture (each capture, on its own) > compare (rounds of one run) > report

Live and offline are the same code. A capture is judged with no knowledge of any other, so
that captures can be judged in several processes; what compares rounds comes after. Rank 4.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import harness
from harness import judge, topologies, wire
from harness.capture.discover import find
from harness.capture.files import Body
from harness.errors import UsageError
from harness.mapping.engine import Mapper
from harness.mapping.load import load as load_mapping
from harness.matrix import matrix
from harness.model.capture import Unread
from harness.model.verdict import Report
from harness.rounds import Judged, RoundJudge
from harness.rules import across, contracts, engine, registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from harness.mapping.form import Mapping
    from harness.model.capture import Capture
    from harness.model.frame import Frame, Rest
    from harness.model.topology import Topology
    from harness.rules.scope import Times

    type Progress = Callable[[int, int], None]

SKIPPABLE: frozenset[str] = frozenset({"LEAK", "MASK", "BIND", "SYM", "END", "RES"})
"""Families that say nothing about a frame without a marker, a state or an error."""
OUTCOME_MARKERS: tuple[bytes, ...] = (b'"state"', b'"error"')
"""Every frame that can change an outcome holds one of these, or an escape."""


class Options(NamedTuple):
    """What the user chose; the defaults are those of the command line."""

    contract: str = contracts.DEFAULT
    mappings: tuple[str, ...] = ()
    topologies: str | None = None
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    topology: str | None = None
    fail_on: str = "error"
    strict: bool = False
    jobs: int = 1
    max_line: int = wire.MAX_LINE
    lanes: bool = True
    """False: every frame takes the slow lane (to hold the lanes against each other)."""


class Kit(NamedTuple):
    """Everything that judging needs beside a capture: loaded once, the same for all. Picklable."""

    mapping: Mapping
    selection: engine.Selection
    topologies: tuple[Topology, ...]
    max_line: int
    lanes: bool

    @property
    def skips(self) -> bool:
        """Only rules that say nothing about frames without a marker were chosen."""
        return all(registry.family(rule.code) in SKIPPABLE for rule in self.selection.single)


def check(paths: Sequence[str], options: Options | None = None, progress: Progress | None = None) -> Report:
    """Judge the captures at `paths` (files, folders, patterns, `-`).

    Raises `UsageError` and its kin for what the user named wrongly, `CaptureError` for a
    named file that is not there. `progress` is called with (captures done, captures in all).
    """
    options = options or Options()
    kit = load(options)
    found = find(paths, stdin=sys.stdin.buffer, max_line=options.max_line)
    captures = [_placed(capture, kit.topologies) for capture in found.captures]
    if options.topology is not None:
        _known_topology(options.topology, kit.topologies)
        captures = [capture for capture in captures if capture.topology == options.topology]
    judged = _judge_all(captures, kit, options.jobs, progress)
    return report(judged, kit, options, found.unread, found.not_captures)


def load(options: Options) -> Kit:
    """Mappings, contract, rules and topologies; raises for each that is wrong or unknown."""
    selection = engine.select(contracts.load(options.contract), options.only, options.skip)
    return Kit(
        load_mapping(options.mappings),
        selection,
        topologies.load(options.topologies),
        options.max_line,
        options.lanes,
    )


def judge_capture(capture: Capture, kit: Kit, chunks: Iterable[bytes] | None = None) -> list[Judged]:
    """The rounds of one capture. `chunks` in place of the file's own, to try other cuts."""
    return _CaptureJudge(capture, kit).run(chunks)


def report(
    judged: Sequence[Judged],
    kit: Kit,
    options: Options,
    unread: Sequence[Unread] = (),
    not_captures: int = 0,
) -> Report:
    """Compare the rounds with each other and put everything together, in a stable order."""
    ordered = sorted(judged, key=lambda one: (one.round.source, one.round.round))
    compared = across.compare(kit.selection, [one.facts for one in ordered])
    rounds = [
        across.append(one.round, compared.findings.get(index, ()), compared.lacking.get(index, ()))
        for index, one in enumerate(ordered)
    ]
    told = sorted({*unread, *(entry for one in rounds for entry in one.unread)}, key=_unread_order)
    exit = judge.exit_code(
        rounds,
        compared.groups,
        compared.not_checked,
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
        findings=tuple(compared.groups),
        not_checked=tuple(compared.not_checked),
        unread=tuple(told),
        matrix=matrix(rounds, kit.topologies),
        not_captures=not_captures,
    )


def _times(capture: Capture) -> Times | None:
    if not capture.timed:
        return None
    from harness.times import times_of

    return times_of(capture)


_mappers: list[tuple[Kit, Mapper]] = []


def _mapper(kit: Kit) -> Mapper:
    """The mapper of `kit`; building one costs a millisecond, a check has only one."""
    if not _mappers or _mappers[0][0] is not kit:
        rules = (*kit.selection.single, *kit.selection.across)
        wanted = frozenset[str]().union(*(rule.marks for rule in rules))
        _mappers[:] = [(kit, Mapper(kit.mapping, wanted))]
    return _mappers[0][1]


def _unread_order(entry: Unread) -> tuple[str, int, str]:
    return entry.source, entry.span.start if entry.span else -1, entry.reason


class _CaptureJudge:
    """Feeds one capture through its decoder; opens a new round where the capture says so."""

    def __init__(self, capture: Capture, kit: Kit) -> None:
        self._capture = capture
        self._kit = kit
        self._mapper = _mapper(kit)
        self._done: list[Judged] = []
        self._told_only = capture.framing == "sse" and kit.skips
        self._round = self._open(capture)

    def _open(self, capture: Capture) -> RoundJudge:
        return RoundJudge(capture, self._mapper, self._kit.selection, told_only=self._told_only)

    def run(self, chunks: Iterable[bytes] | None) -> list[Judged]:
        """All rounds of the capture."""
        body = Body(self._capture)
        pieces = body.chunks() if chunks is None else chunks
        decoder = wire.decoder(self._capture.framing, self._capture.start, self._kit.max_line)
        rest = self._lanes(decoder, pieces) if self._has_lanes() else self._frames(decoder, pieces)
        told = [Unread(self._capture.source, reason, span) for reason, span in decoder.told]
        unread = [*self._capture.unread, *body.unread, *told]
        self._done.append(self._round.close(rest, decoder.manner, unread, _times(self._capture)))
        return self._done

    def _has_lanes(self) -> bool:
        return self._capture.framing == "sse" and self._kit.lanes and self._mapper.markers is not None

    def _lanes(self, decoder: wire.Decoder, pieces: Iterable[bytes]) -> Rest:
        from harness.lanes import SseLanes
        from harness.wire.sse import Decoder

        assert isinstance(decoder, Decoder)
        markers = self._mapper.markers or ()
        if self._kit.skips:
            markers += OUTCOME_MARKERS
        lanes = SseLanes(decoder, self._round, markers, start=self._capture.start, skip=self._kit.skips)
        return lanes.run(pieces)

    def _frames(self, decoder: wire.Decoder, pieces: Iterable[bytes]) -> Rest:
        for piece in pieces:
            for frame in decoder.feed(piece):
                self._frame(frame)
        last, rest = decoder.finish()
        for frame in last:
            self._frame(frame)
        return rest

    def _frame(self, frame: Frame) -> None:
        event = self._round.read(frame)
        if event.kind == "resume":
            self._next_round()
        else:
            self._round.take(event)

    def _next_round(self) -> None:
        """A marker between two rounds of one file: what the file's head says is said of the first only."""
        self._done.append(self._round.close(None, None))
        number = self._capture.round + len(self._done)
        self._round = self._open(
            self._capture._replace(round=number, request=None, task_id=None, context_id=None, unread=())
        )


def _placed(capture: Capture, known: Sequence[Topology]) -> Capture:
    topology = topologies.of_scenario(known, capture.scenario)
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
