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
from collections.abc import Iterator
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
QUICK = Sizes(rounds=1, seconds=3, firsts=20, flood=8_000, megabytes=64, slow=3)


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
    run = folder / f"run-{redaction}"
    command = [sys.executable, "-m", "bench.recorder_process", f"http://127.0.0.1:{upstream.port}", str(run), redaction]
    with _child(command, told=True) as (process, line):
        yield Target(redaction, int(json.loads(line)["url"].rpartition(":")[2]), process.pid)


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


def _ratio(a: list[float], b: list[float]) -> float:
    return statistics.median(x / y for x, y in zip(a, b, strict=True))


def speed(sizes: Sizes) -> list[Bar]:
    """Latency, first event, gaps, flood and CPU: every target in each round."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        upstream = stack.enter_context(emitter())
        targets = [upstream, stack.enter_context(mitmdump(upstream, folder))]
        targets += [stack.enter_context(recorder(upstream, folder, redaction)) for redaction in ("off", "on")]
        for target in targets:
            _paced(target, sizes._replace(seconds=0.5))
        paced = _rounds(_paced, targets, sizes)
        firsts = _rounds(_first, targets, sizes)
        floods = _rounds(_flood, targets, sizes)
    return [bar for name in ("off", "on") for bar in _speed_bars(name, paced, firsts, floods)]


def _rounds[T](measure, targets: list[Target], sizes: Sizes) -> dict[str, list[T]]:
    """Rounds of every target in turn, so that drift of the machine hits all alike."""
    taken: dict[str, list[T]] = {target.name: [] for target in targets}
    for _ in range(sizes.rounds):
        for target in targets:
            taken[target.name].append(measure(target, sizes))
    return taken


def _speed_bars(name: str, paced, firsts, floods) -> list[Bar]:
    told = f"recorder, redaction {name}"
    latency = [mine.latency - bare.latency for mine, bare in zip(paced[name], paced["direct"], strict=True)]
    first = [mine - bare for mine, bare in zip(firsts[name], firsts["direct"], strict=True)]
    rate, cpu = (
        _ratio([getattr(one, of) for one in floods[name]], [getattr(one, of) for one in floods["mitmdump"]])
        for of in ("rate", "cpu")
    )
    return [
        Bar(f"{told}: added latency per event, p50, {STREAMS} x {RATE} events/s", statistics.median(latency), 0.35, "ms"),
        Bar(f"{told}: first event, p50, against direct", statistics.median(first), 15, "ms"),
        Bar(f"{told}: change of gaps between events, p50", statistics.median(one.gap for one in paced[name]), 0.1, "ms"),
        Bar(f"{told}: flood, events/s, against bare mitmdump", rate, 0.9 if name == "off" else 0.8, "x", least=True),
        Bar(f"{told}: flood, CPU, against bare mitmdump", cpu, 1.2 if name == "off" else 1.35, "x"),
    ]


def memory(sizes: Sizes) -> list[Bar]:
    """Peak memory for a large stream and for a slow reader, against an idle mitmdump."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        upstream = stack.enter_context(emitter())
        idle = stack.enter_context(mitmdump(upstream, folder)).peak()
        bars = []
        for what, drive in (("a stream of", _large), ("a slow reader of", _slow)):
            for redaction in ("off", "on"):
                with tempfile.TemporaryDirectory() as place, recorder(upstream, Path(place), redaction) as target:
                    drive(target, sizes)
                    ratio = target.peak() / idle
                told = f"recorder, redaction {redaction}: peak memory, {what} {sizes.megabytes} MB, against idle mitmdump"
                bars.append(Bar(told, ratio, 1.15, "x"))
    return bars


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
