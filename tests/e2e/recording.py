"""A recorder around agents, and what its run folder holds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from harness.capture.discover import find
from harness.model.capture import Capture
from harness.model.verdict import Report, Round
from harness.pipeline import Options, check
from harness.record import Leg, Recorder, Settings
from tests.e2e.fault_server import FaultServer, Peer

DEADLINE = 20
"""Seconds that a condition may take to come true."""


@contextmanager
def recorder(folder: Path, upstreams: dict[str, str], **settings: Any) -> Iterator[Recorder]:
    """A recorder of the legs in `upstreams`, each on a free port of loopback; its run folder is `folder`."""
    legs = tuple(Leg(name, url, ("127.0.0.1", 0)) for name, url in upstreams.items())
    with Recorder(Settings(legs=legs, run_dir=str(folder), **settings)) as running:
        yield running


@contextmanager
def before(
    folder: Path, script: Callable[[Peer], None], *, reads: bool = True, **settings: Any
) -> Iterator[tuple[FaultServer, Recorder]]:
    """A fault server with a recorder before it."""
    with (
        FaultServer(script, reads=reads) as upstream,
        recorder(folder, {"client": upstream.url}, **settings) as running,
    ):
        yield upstream, running


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; fail when it does not come true."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, f"waited {DEADLINE} s in vain for {what}"
        time.sleep(0.005)


def journals(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The journals of a run folder as far as they are written, by stem."""
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        lines = path.read_text(encoding="ascii").split("\n")
        found[path.stem] = [json.loads(line) for line in lines[:-1]]
    return found


def sealed(folder: Path, count: int) -> None:
    """Wait until `count` exchanges are there and each of them is sealed."""

    def reached() -> bool:
        read = journals(folder)
        return len(read) >= count and all(lines and lines[-1]["kind"] == "ending" for lines in read.values())

    until(reached, f"{count} sealed exchanges in {folder}; there are {sorted(journals(folder))}")


def captures(folder: Path, leg: str = "client") -> list[Capture]:
    """The captures of one leg, the cards and the like left out, in the order of their requests."""
    import sys

    found = [
        one
        for one in find([str(folder)], stdin=sys.stdin.buffer, max_line=16 << 20).captures
        if one.leg == leg
    ]
    return sorted((one for one in found if one.protocol != "OTHER"), key=lambda one: _asked_at(one))


def _asked_at(capture: Capture) -> int:
    journal = Path(capture.path).with_suffix(".jsonl")
    with journal.open(encoding="ascii") as file:
        at: int = json.loads(file.readline())["at_ns"]
    return at


def only(folder: Path, leg: str = "client") -> Capture:
    """The one capture of a leg."""
    found = captures(folder, leg)
    assert len(found) == 1, [one.source for one in found]
    return found[0]


def body(capture: Capture) -> bytes:
    """The bytes of the body's file as they are on disk."""
    return Path(capture.path).read_bytes()


class Verdict(NamedTuple):
    """What `check` says of one round, without times, sizes and places on disk."""

    outcome: str
    dialect: str | None
    binding: str | None
    status: int | None
    events: int
    interactions: tuple[Any, ...]
    findings: tuple[Any, ...]


def judged(folder: Path, leg: str = "client", **options: Any) -> tuple[Report, list[Round]]:
    """The report on a folder, and the rounds of one leg without cards and the like."""
    report = check([str(folder)], Options(**options))
    return report, [one for one in report.rounds if one.leg == leg and one.protocol != "OTHER"]


def verdicts(folder: Path) -> list[Verdict]:
    """The verdicts on the client's leg, sorted: several streams at once have no order of their own."""
    return sorted((verdict(one) for one in judged(folder)[1]), key=repr)


def verdict(round: Round) -> Verdict:
    """The part of a round's verdict that the way of recording must not change."""
    return Verdict(
        round.outcome,
        round.dialect,
        round.binding,
        round.http_status,
        round.events,
        tuple(
            (i.kind, i.channel, i.exposure, i.tool_call_id, i.tool_name, i.prompt, len(i.sightings))
            for i in round.interactions
        ),
        tuple(sorted((f.rule, f.severity, f.times, f.place.pointer or "") for f in round.findings)),
    )
