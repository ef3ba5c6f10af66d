"""Recorded streams, damaged at random, held against each other: nothing raises, the laws of a diff hold.

A capture does not differ from itself, nor from itself with every UUID under another name; what is
said of A and B is said again the second time; and B against A fails where A against B does.

`python -m tests.fuzz.fuzz_diff --seconds 60 --seed N`
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from harness.comparing import diff
from harness.diff.values import Difference
from harness.kit import Options
from harness.report.diffjson import text
from tests.fuzz.fuzz_pipeline import GOLDEN, Damage

ENDINGS = (".sse", ".body", ".log", ".jsonl")
UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
GLUED = re.compile(rb"[0-9A-Za-z]" + UUID.pattern + rb"|" + UUID.pattern + rb"[0-9A-Za-z]")
"""A UUID that is a piece of a longer word is none."""


class Fault(NamedTuple):
    """Two captures of which something wrong is said."""

    law: str
    source: str
    a: bytes
    b: bytes
    tries: int


class Tried(NamedTuple):
    """Two damaged captures of one recording, with what stands before the ending of their names."""

    source: str
    a: bytes
    b: bytes


def material() -> list[Path]:
    """All golden captures."""
    return sorted(path for path in GOLDEN.rglob("*") if path.suffix in ENDINGS)


def tries(pick: random.Random) -> Iterator[Tried]:
    """Two damaged forms of one recording; now and then of two of them."""
    damage, paths = Damage(pick), material()
    while True:
        path = pick.choice(paths)
        other = pick.choice(paths) if pick.random() < 0.2 else path
        a, b = path.read_bytes(), other.read_bytes()
        yield Tried(path.name, damage.body(a) if pick.random() < 0.7 else a, damage.body(b))


def renamed(body: bytes, pick: random.Random) -> bytes:
    """Every UUID under another name, everywhere the same."""
    names: dict[bytes, bytes] = {}

    def name(found: re.Match[bytes]) -> bytes:
        return names.setdefault(found[0], str(uuid.UUID(int=pick.getrandbits(128))).encode())

    return UUID.sub(name, body)


class Laws:
    """Holds pairs of captures against each other in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def said(self, one: Tried) -> Difference:
        """What a diff says of both, by whatever names they have."""
        paths = [self._folder / side / one.source for side in "ab"]
        for path, body in zip(paths, one[1:], strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(body)
        found = diff(*map(str, paths), Options())
        for path in paths:
            path.unlink()
        return found

    def broken(self, one: Tried, pick: random.Random) -> tuple[str, Tried] | None:
        """The first law that does not hold, and the pair that shows it."""
        same = [("a capture differs from itself", one._replace(b=one.a))]
        if not GLUED.search(one.a):
            same.append(("other ids are a change", one._replace(b=renamed(one.a, pick))))
        for law, pair in same:
            found = self.said(pair)
            if found.counts() != dict.fromkeys(found.counts(), 0) or found.exit not in (0, 3):
                return law, pair
        found, back = self.said(one), self.said(Tried(one.source, one.b, one.a))
        if text(found) != text(self.said(one)):
            return "the second time another thing is said", one
        if found.exit != back.exit:
            return "it fails in one direction only", one
        if found.exit == 0 and any(pair.undecided for pair in found.pairs):
            return "what could not be decided is equal", one
        return None


def hunt(seconds: float, seed: int = 0) -> Fault | int:
    """The first fault met within `seconds`, else the number of pairs tried. Raises what a diff raises."""
    pick = random.Random(seed)
    end, done = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory(prefix="fuzz-diff-") as folder:
        laws = Laws(Path(folder))
        for one in tries(pick):
            if time.monotonic() >= end:
                break
            done += 1
            if broken := laws.broken(one, pick):
                law, shown = broken
                return Fault(law, shown.source, shown.a, shown.b, done)
    return done


def digest(most: int, seed: int) -> str:
    """Of all that is said of so many pairs: equal in every process."""
    told = sha256()
    with tempfile.TemporaryDirectory(prefix="fuzz-diff-") as folder:
        laws = Laws(Path(folder))
        for _, one in zip(range(most), tries(random.Random(seed)), strict=False):
            told.update(text(laws.said(one)).replace(folder, "").encode())
    return told.hexdigest()


def main() -> int:
    """Hunt, and tell what was found."""
    parser = argparse.ArgumentParser(description="fuzz the diff")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("--digest", type=int, metavar="N", help="print the digest of what is said of N pairs")
    asked = parser.parse_args()
    if asked.digest:
        print(digest(asked.digest, asked.seed))
        return 0
    found = hunt(asked.seconds, asked.seed)
    if isinstance(found, int):
        print(f"{found} pairs, no fault (seed {asked.seed})")
        return 0
    print(f"fault after {found.tries} pairs (seed {asked.seed}): {found.source}: {found.law}")
    print(f"a {found.a.hex()}\nb {found.b.hex()}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
