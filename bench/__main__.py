"""`python -m bench [--quick] [--write]`: every bar of the commands that exist, measured side by side.

One function for each group of bars; those of the recorder are in `bench.recorder`.
"""

from __future__ import annotations

import argparse
import compileall
import datetime
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from bench import gate, history, recorder
from bench.bar import Bar
from bench.material import write_stream
from bench.measure import in_turn, ratio

HARNESS = str(Path(sys.executable).with_name("harness"))
ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "RESULTS.md"
BROKEN = (1,)


def _check(path: Path, *more: str) -> tuple[list[str], tuple[int, ...]]:
    return [HARNESS, "check", "--json", *more, str(path)], BROKEN


def one_big(folder: Path, runs: int) -> list[Bar]:
    """One capture of 100k events: all rules, contract rules only, memory."""
    big = folder / "big.sse"
    write_stream(big, 100_000)
    taken = in_turn(
        {
            "loop": ([sys.executable, str(Path(__file__).with_name("orjson_loop.py")), str(big)], (0,)),
            "grep": (["grep", "-c", "__interaction__", str(big)], (0,)),
            "all": _check(big),
            "only": _check(big, "--only", "LEAK,MASK,BIND"),
        },
        runs,
    )
    every, only, loop = taken["all"], taken["only"], taken["loop"]
    return [
        Bar("`check`, all rules, 100k events, against an `orjson.loads` loop", ratio(every, loop), 1.2, "x"),
        Bar("`check --only LEAK,MASK,BIND`, against that loop", ratio(only, loop), 0.25, "x"),
        Bar("`check --only LEAK,MASK,BIND`, against `grep -c`", ratio(only, taken["grep"]), 5.5, "x"),
        Bar("peak memory of `check`, 100k events (49 MB)", taken["all"].peak, 100, "MB"),
    ]


def huge(folder: Path) -> list[Bar]:
    """Ten times the size: memory must not grow with it."""
    path = folder / "huge.sse"
    write_stream(path, 1_000_000)
    taken = in_turn({"all": _check(path), "only": _check(path, "--only", "LEAK,MASK,BIND")}, 1)
    path.unlink()
    return [
        Bar("peak memory of `check`, 1M events (490 MB)", taken["all"].peak, 100, "MB"),
        Bar("peak memory of `check --only LEAK,MASK,BIND`, 1M events", taken["only"].peak, 100, "MB"),
    ]


def many(folder: Path, runs: int) -> list[Bar]:
    """1,000 captures of 4k events, contract rules, two processes."""
    many_dir = folder / "many"
    many_dir.mkdir()
    write_stream(folder / "one.sse", 4_000)
    for number in range(1_000):
        shutil.copyfile(folder / "one.sse", many_dir / f"DA-{number:04d}-A2A_STREAM-r1.client.sse")
    taken = in_turn({"many": _check(many_dir, "--only", "LEAK,MASK,BIND,SYM,END,RES", "--jobs", "2")}, runs)
    shutil.rmtree(many_dir)
    return [Bar("1,000 captures of 4k events, contract rules, `--jobs 2`", taken["many"].wall, 2.5, "s")]


def compared(folder: Path, runs: int) -> list[Bar]:
    """Two captures against each other: 4k events each for time, 100k each for memory."""
    pairs = {}
    for events in (4_000, 100_000):
        for seed in (1, 2):
            write_stream(folder / f"diff-{events}-{seed}.sse", events, seed)
        paths = [str(folder / f"diff-{events}-{seed}.sse") for seed in (1, 2)]
        pairs[events] = ([HARNESS, "diff", "--json", *paths], (0,))
    small = in_turn({"small": pairs[4_000]}, runs)["small"]
    large = in_turn({"large": pairs[100_000]}, 1)["large"]
    return [
        Bar("`diff` of two captures of 4k events", small.wall, 1, "s"),
        Bar("peak memory of `diff`, two captures of 100k events (98 MB)", large.peak, 100, "MB"),
    ]


def start_up(folder: Path, runs: int) -> list[Bar]:
    """`--help`, and one capture of 4k events, against an empty Python."""
    small = folder / "small.sse"
    write_stream(small, 4_000)
    taken = in_turn(
        {
            "pass": ([sys.executable, "-c", "pass"], (0,)),
            "help": ([HARNESS, "--help"], (0,)),
            "small": ([HARNESS, "check", str(small)], BROKEN),
        },
        runs,
    )
    return [
        Bar("`harness --help`, against `python -c pass`", ratio(taken["help"], taken["pass"]), 4, "x"),
        Bar("`check` of 4k events, against `python -c pass`", ratio(taken["small"], taken["pass"]), 15, "x"),
    ]


def _machine() -> str:
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}, Python {platform.python_version()}"


def main() -> int:
    """Measure, print, and with `--write` keep the figures in RESULTS.md. Exit 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="bench", description=main.__doc__)
    parser.add_argument("--runs", type=int, default=9, help="counted runs of each command (default 9)")
    parser.add_argument("--quick", action="store_true", help="3 runs, without the 490 MB and 2 GB")
    parser.add_argument("--write", action="store_true", help="write bench/RESULTS.md")
    asked = parser.parse_args()
    runs = 3 if asked.quick else asked.runs
    compileall.compile_dir(ROOT / "harness", quiet=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bars = one_big(folder, runs) + start_up(folder, runs)
        if not asked.quick:
            bars += huge(folder) + many(folder, max(3, runs // 2))
        bars += compared(folder, runs) + gate.bars(folder, runs)
        bars += history.bars(folder, runs)  # last: the system counts our own memory into our children's peak
    bars += recorder.bars(asked.quick)
    head = f"{datetime.date.today()}, {_machine()}, medians of {runs} runs in turn, whole processes"
    table = "\n".join(["| what | measured | bar | |", "|---|---|---|---|", *(bar.line() for bar in bars)])
    print(f"{head}\n\n{table}")
    if asked.write:
        page = f"# Last figures\n\n{head}. `make bench` prints them anew.\n\n{table}\n"
        RESULTS.write_text(page, encoding="utf-8")
    return 0 if all(bar.kept for bar in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
