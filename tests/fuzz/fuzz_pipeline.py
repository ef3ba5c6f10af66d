"""Recorded streams, damaged at random, through the whole flow: nothing raises, all lanes agree.

`python -m tests.fuzz.fuzz_pipeline --seconds 60 --seed N`
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from harness.capture import Body, find
from harness.model.capture import Capture
from harness.pipeline import Kit, Options, judge_capture, load, report
from harness.report.json import text

GOLDEN = Path(__file__).parents[2] / "captures" / "golden"
CONTRACT_RULES = ("LEAK", "MASK", "BIND", "SYM", "END", "RES")
ODD: tuple[Any, ...] = (
    None, True, 1, -1.5, "", "x", [], {}, [[]], {"a": 1}, "\ud800", 10**30, {"": ""}, "__interaction__",
    {"type": "__interaction__"}, {"items": [1]}, "TASK_STATE_COMPLETED", {"_interrupt": 1},
)  # fmt: skip
NAMES = ("kind", "task_id", "error", "_interrupt", "state", "items")


class Fault(NamedTuple):
    """A damaged capture that two lanes judge differently."""

    source: str
    body: bytes
    tries: int


class Damage:
    """Changes bodies: bytes, JSON values, the order of lines."""

    def __init__(self, pick: random.Random) -> None:
        self._pick = pick

    def body(self, data: bytes) -> bytes:
        """`data` with a few changes."""
        if self._pick.random() < 0.3:
            return self._bytes(data)
        lines = [self._line(line) for line in data.split(b"\n")]
        if self._pick.random() < 0.1:
            self._pick.shuffle(lines)
        return b"\n".join(lines)

    def _bytes(self, data: bytes) -> bytes:
        changed = bytearray(data)
        for _ in range(self._pick.randint(1, 5)):
            if changed:
                changed[self._pick.randrange(len(changed))] = self._pick.randrange(256)
        return bytes(changed)

    def _line(self, line: bytes) -> bytes:
        at = line.find(b"{")
        if at < 0 or self._pick.random() < 0.5:
            return line
        try:
            value = json.loads(line[at:])
        except ValueError:
            return line
        ascii_only = self._pick.random() < 0.5
        told = json.dumps(self._value(value), ensure_ascii=ascii_only, separators=(",", ":"))
        return line[:at] + told.encode("utf-8", "surrogatepass")

    def _value(self, value: Any) -> Any:
        if self._pick.random() < 0.04:
            return self._pick.choice(ODD)
        if isinstance(value, dict):
            kept = ((name, held) for name, held in value.items() if self._pick.random() > 0.02)
            return {self._name(name, value): self._value(held) for name, held in kept}
        if isinstance(value, list):
            more = [self._pick.choice(ODD)] if self._pick.random() < 0.02 else []
            return [self._value(held) for held in value] + more
        return value

    def _name(self, name: str, beside: dict[str, Any]) -> str:
        return self._pick.choice((*beside, *NAMES)) if self._pick.random() < 0.01 else name


def kits() -> list[tuple[Kit, Kit]]:
    """With and without the fast lanes, for all rules and for the contract's."""
    return [
        (load(Options(only=only)), load(Options(only=only, lanes=False))) for only in ((), CONTRACT_RULES)
    ]


def agrees(capture: Capture, body: bytes, pairs: list[tuple[Kit, Kit]]) -> bool:
    """Judged the same in all lanes, and reported as JSON."""
    for fast, slow in pairs:
        judged = judge_capture(capture, fast, [body])
        json.loads(text(report(judged, fast, Options())))
        if capture.framing == "sse" and judged != judge_capture(capture, slow, [body]):
            return False
    return True


def hunt(seconds: float, seed: int = 0) -> Fault | int:
    """The first fault met within `seconds`, else the number of captures tried. Raises what the flow raises."""
    pick = random.Random(seed)
    damage, pairs = Damage(pick), kits()
    captures = find([str(GOLDEN)]).captures
    end, tries = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        tries += 1
        capture = pick.choice(captures)
        body = damage.body(b"".join(Body(capture).chunks()))
        if not agrees(capture, body, pairs):
            return Fault(capture.source, body, tries)
    return tries


def main() -> int:
    """Hunt, and tell what was found."""
    parser = argparse.ArgumentParser(description="fuzz the whole flow")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    asked = parser.parse_args()
    found = hunt(asked.seconds, asked.seed)
    if isinstance(found, int):
        print(f"{found} captures, no fault (seed {asked.seed})")
        return 0
    print(f"fault after {found.tries} captures (seed {asked.seed}): {found.source}")
    sys.stdout.buffer.write(found.body)
    return 1


if __name__ == "__main__":
    sys.exit(main())
