"""The bars of the recorder, side by side with no proxy and with bare mitmdump.

Targets of one round of measurements, in turn: `direct`, `mitmdump` (`-q --set stream_large_bodies=1`), `off`
(the recorder, body redaction off) and `on`. Each is a process of its own; so is the emitter behind them.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.bar import Bar
from bench.traffic import Taken, read_slowly, streams

STREAMS, RATE = 10, 50
MITMDUMP = str(Path(sys.executable).with_name("mitmdump"))
TICKS = os.sysconf("SC_CLK_TCK")


class Sizes(NamedTuple):
    """How much is measured."""

    rounds: int
    seconds: float
    firsts: int
    flood: int
    megabytes: int
    slow: float


FULL = Sizes(rounds=3, seconds=10, firsts=50, flood=25_000, megabytes=500, slow=20)
QUICK = Sizes(rounds=3, seconds=1.5, firsts=10, flood=6_000, megabytes=64, slow=2)


class Target(NamedTuple):
    """A process that answers at a port."""

    name: str
    port: int
    pid: int

    def cpu(self) -> float:
        """Processor seconds that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def peak(self) -> float:
        """Its peak of resident memory, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.split("\n") if line.startswith("VmHWM")) / 1024


@contextmanager
def _child(command: list[str], told: bool) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that lives as long as the block; `told`: it prints one line when it accepts."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE if told else subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdin is not None
        yield process, process.stdout.readline() if process.stdout else ""
    finally:
        process.stdin.close()
        if not told:
            process.terminate()
        process.wait(30)
        if process.stdout:
            process.stdout.close()


@contextmanager
def emitter() -> Iterator[Target]:
    """The upstream of all."""
    with _child([sys.executable, "-m", "bench.emitter"], told=True) as (process, line):
        yield Target("direct", json.loads(line)["port"], process.pid)


@contextmanager
def mitmdump(upstream: Target, folder: Path) -> Iterator[Target]:
    """mitmdump as one would use it without a recorder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    mode = f"reverse:http://127.0.0.1:{upstream.port}@127.0.0.1:{port}"
    options = ["-q", "--set", "stream_large_bodies=1", "--set", f"confdir={folder}"]
    with _child([MITMDUMP, *options, "--mode", mode], told=False) as (process, _):
        _accepts(port)
        yield Target("mitmdump", port, process.pid)


@contextmanager
def recorder(upstream: Target, folder: Path, redaction: str) -> Iterator[Target]:
    """The recorder, with redaction `on` or `off`."""
    told = [f"http://127.0.0.1:{upstream.port}", str(folder / f"run-{redaction}"), redaction]
    command = [sys.executable, "-m", "bench.recorder_process", *told]
    with _child(command, told=True) as (process, line):
        yield Target(redaction, int(json.loads(line)["url"].rpartition(":")[2]), process.pid)
        assert process.stdin and process.stdout
        process.stdin.close()
        missing = json.loads(process.stdout.readline())
        assert not missing, f"not everything was recorded: {missing}"


def _accepts(port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


class Paced(NamedTuple):
    """Milliseconds: per event from sending to receiving, and by how much gaps between events changed."""

    latency: float
    gap: float


def _paced(target: Target, sizes: Sizes) -> Paced:
    path = f"/paced?rate={RATE}&events={int(RATE * sizes.seconds)}"
    taken = streams(target.port, path, STREAMS)
    latencies = [(got - sent) / 1e6 for one in taken for sent, got in one.events]
    gaps = [
        abs((b[1] - a[1]) - (b[0] - a[0])) / 1e6
        for one in taken
        for a, b in zip(one.events, one.events[1:], strict=False)
    ]
    assert len(latencies) == STREAMS * int(RATE * sizes.seconds), f"{target.name} lost events"
    return Paced(statistics.median(latencies), statistics.median(gaps))


def _first(target: Target, sizes: Sizes) -> float:
    taken = [streams(target.port, "/paced?rate=1000&events=1", 1)[0] for _ in range(sizes.firsts)]
    return statistics.median((one.events[0][1] - one.asked_ns) / 1e6 for one in taken)


class Flood(NamedTuple):
    """Of one flood: events a second, and the proxy's processor seconds."""

    rate: float
    cpu: float


def _flood(target: Target, sizes: Sizes) -> Flood:
    before, start = target.cpu(), time.perf_counter()
    taken: list[Taken] = streams(target.port, f"/flood?events={sizes.flood}", 4, timed=False)
    wall, cpu = time.perf_counter() - start, target.cpu() - before
    assert all(one.count >= 0.98 * sizes.flood for one in taken), f"{target.name} lost events"
    return Flood(4 * sizes.flood / wall, cpu)


class Speed(NamedTuple):
    """What was measured, by target, one value a round."""

    paced: dict[str, list[Paced]]
    firsts: dict[str, list[float]]
    floods: dict[str, list[Flood]]

    def added(self, name: str) -> tuple[float, float, float]:
        """Of one target against direct: latency, first event; and its change of gaps. Milliseconds."""
        pairs = zip(self.paced[name], self.paced["direct"], strict=True)
        firsts = zip(self.firsts[name], self.firsts["direct"], strict=True)
        return (
            statistics.median(mine.latency - bare.latency for mine, bare in pairs),
            statistics.median(mine - bare for mine, bare in firsts),
            statistics.median(one.gap for one in self.paced[name]),
        )

    def against_bare(self, name: str) -> tuple[float, float]:
        """Events a second and processor time, each against mitmdump."""
        pairs = list(zip(self.floods[name], self.floods["mitmdump"], strict=True))
        return (
            statistics.median(mine.rate / bare.rate for mine, bare in pairs),
            statistics.median(mine.cpu / bare.cpu for mine, bare in pairs),
        )

    def bars(self, name: str) -> list[Bar]:
        """The bars of one target; what bare mitmdump does in the same run is told beside them."""
        told = f"recorder, redaction {name}"
        (latency, first, gap), bare = self.added(name), self.added("mitmdump")
        rate, cpu = self.against_bare(name)
        pace = f"{STREAMS} x {RATE} events/s"
        added = f"{told}: added latency per event, p50, {pace} (mitmdump {bare[0]:.2f})"
        least, most = (0.9, 1.2) if name == "off" else (0.8, 1.35)
        return [
            Bar(added, latency, 0.35, "ms"),
            Bar(f"{told}: first event, p50, added to direct (mitmdump {bare[1]:.2f})", first, 15, "ms"),
            Bar(f"{told}: change of gaps between events, p50 (mitmdump {bare[2]:.2f})", gap, 0.1, "ms"),
            Bar(f"{told}: flood, events/s, against bare mitmdump", rate, least, "x", least=True),
            Bar(f"{told}: flood, CPU, against bare mitmdump", cpu, most, "x"),
        ]


def speed(sizes: Sizes) -> list[Bar]:
    """Latency, first event, gaps, flood and CPU: every target in each round."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        upstream = stack.enter_context(emitter())
        targets = [upstream, stack.enter_context(mitmdump(upstream, folder))]
        targets += [stack.enter_context(recorder(upstream, folder, redaction)) for redaction in ("off", "on")]
        for target in targets:
            _paced(target, sizes._replace(seconds=0.5))
        measured = Speed(*(_rounds(measure, targets, sizes) for measure in (_paced, _first, _flood)))
    return [bar for name in ("off", "on") for bar in measured.bars(name)]


def _rounds[T](
    measure: Callable[[Target, Sizes], T], targets: list[Target], sizes: Sizes
) -> dict[str, list[T]]:
    """Rounds of every target in turn, so that drift of the machine hits all alike."""
    taken: dict[str, list[T]] = {target.name: [] for target in targets}
    for _ in range(sizes.rounds):
        for target in targets:
            taken[target.name].append(measure(target, sizes))
    return taken


def memory(sizes: Sizes) -> list[Bar]:
    """Peak memory for a large stream and for a slow reader, against an idle mitmdump."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        upstream = stack.enter_context(emitter())
        idle = stack.enter_context(mitmdump(upstream, folder)).peak()
        bars = []
        for what, drive in (("a stream", _large), ("a slow reader", _slow)):
            for redaction in ("off", "on"):
                ratio = _peak(upstream, redaction, drive, sizes) / idle
                told = f"recorder, redaction {redaction}: peak memory, {what} of {sizes.megabytes} MB"
                bars.append(Bar(f"{told}, against idle mitmdump", ratio, 1.15, "x"))
    return bars


def _peak(upstream: Target, redaction: str, drive: Callable[[Target, Sizes], None], sizes: Sizes) -> float:
    with tempfile.TemporaryDirectory() as place, recorder(upstream, Path(place), redaction) as target:
        drive(target, sizes)
        return target.peak()


def _large(target: Target, sizes: Sizes) -> None:
    taken = streams(target.port, f"/bulk?megabytes={sizes.megabytes}", 1, timed=False)
    assert taken[0].size > 0.95 * (sizes.megabytes << 20), "the stream was cut"


def _slow(target: Target, sizes: Sizes) -> None:
    size = read_slowly(target.port, f"/bulk?megabytes={sizes.megabytes}", sizes.slow, 2 << 20)
    assert size < sizes.megabytes << 20, "the reader was not slow"


def bars(quick: bool) -> list[Bar]:
    """All bars of the recorder."""
    sizes = QUICK if quick else FULL
    return speed(sizes) + memory(sizes)
