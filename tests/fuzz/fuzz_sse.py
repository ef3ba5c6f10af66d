"""Fuzz the SSE decoder against a slow reading of WHATWG HTML 9.2.6, one character at a time.

    python -m tests.fuzz.fuzz_sse --seconds 60 --seed 1

The reference below shares nothing with the decoder: it works on text, keeps no spans and
knows no chunks. Exit status 1 and the input in hex where the two differ.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from harness.wire.sse import Decoder

GOLDEN = Path(__file__).parents[2] / "captures" / "golden"
TOKENS = [
    b"data", b"event", b"id", b"retry", b":", b": ", b":  ", b" ", b"\n", b"\n", b"\r", b"\r", b"\r\n", b"\r\n",
    b"\n\n", b"\r\n\r\n", b"\r\r", b"\xef\xbb\xbf", b"\xef", b"\0", b"\xe2\x80\xa8", b"\xc2\x85", b"\x0b", b"\x0c",
    b"\xff", b"\xe4\xbd", b"\xa0", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"x", b"{}", b'{"a":1}', b"-1", b"12", b"[DONE]",
    b"data:a\n\n", b"event:e\ndata:b\n\n", b"data:c\r\n\r\n", b"id:7\ndata:d\n\n", b":ping\r\n\r\n", b"Data:", b" data:",
]  # fmt: skip


class Told(NamedTuple):
    """What both sides must agree on."""

    data: str
    name: str
    last_id: str | None


def reference(body: bytes) -> tuple[list[Told], int | None]:
    """Events and reconnection time of `body`, by the letter and by the character."""
    text = body.decode("utf-8", "replace")
    if text[:1] == "\ufeff":
        text = text[1:]
    events: list[Told] = []
    data, name, last_id, retry = "", "", None, None
    line = ""
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char != "\r" and char != "\n":
            line += char
            continue
        if char == "\r" and at < len(text) and text[at] == "\n":
            at += 1
        if line == "":
            if data != "":
                events.append(Told(data[:-1] if data[-1] == "\n" else data, name, last_id))
            data, name = "", ""
            continue
        colon = line.find(":")
        if colon == 0:
            line = ""
            continue
        field = line if colon < 0 else line[:colon]
        value = "" if colon < 0 else line[colon + 1 :]
        if value[:1] == " ":
            value = value[1:]
        line = ""
        if field == "event":
            name = value
        elif field == "data":
            data += value + "\n"
        elif field == "id":
            if "\0" not in value:
                last_id = value
        elif field == "retry" and value != "" and all(c in "0123456789" for c in value):
            retry = int(value)
    return events, retry


def decoded(
    make: Callable[[], Decoder], chunks: list[bytes]
) -> tuple[list[Told], int | None, list[tuple[int, int]]]:
    """The decoder's answer in the same terms, and its spans."""
    decoder = make()
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    last, rest = decoder.finish()
    frames += last
    spans = [tuple(frame.span) for frame in frames] + [tuple(rest.span)]
    return [Told(f.data, f.name, f.last_id) for f in frames], decoder.retry, spans


def cut(body: bytes, pick: random.Random) -> list[bytes]:
    """`body` in pieces: whole, single bytes, or of random sizes."""
    way = pick.randrange(4)
    if way == 0:
        return [body]
    if way == 1:
        return [body[i : i + 1] for i in range(len(body))]
    cuts = sorted(pick.randrange(len(body) + 1) for _ in range(pick.randrange(1, 9)))
    return [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]


def bodies(pick: random.Random) -> Iterator[bytes]:
    """Endless: tokens thrown together, and recorded streams with bytes changed."""
    seeds = [path.read_bytes()[:4000] for path in sorted(GOLDEN.glob("*/*.sse"))[:20]]
    while True:
        if seeds and pick.randrange(4) == 0:
            yield mutated(pick.choice(seeds), pick)
        else:
            yield b"".join(pick.choice(TOKENS) for _ in range(pick.randrange(1, 40)))


def mutated(seed: bytes, pick: random.Random) -> bytes:
    body = bytearray(seed)
    for _ in range(pick.randrange(1, 12)):
        at = pick.randrange(len(body) + 1)
        body[at : at + pick.randrange(3)] = pick.choice(TOKENS)
    return bytes(body)


def differs(make: Callable[[], Decoder], body: bytes, chunks: list[bytes]) -> str | None:
    """How the decoder's answer is wrong, or None."""
    events, retry, spans = decoded(make, chunks)
    wanted, wanted_retry = reference(body)
    if events != wanted:
        return f"events {events!r}, wanted {wanted!r}"
    if retry != wanted_retry:
        return f"retry {retry!r}, wanted {wanted_retry!r}"
    borders = [0, *(end for _, end in spans)]
    if borders[-1] != len(body) or [start for start, _ in spans] != borders[:-1]:
        return f"spans {spans!r} do not tile {len(body)} bytes"
    whole = decoded(make, [body])[2]
    return None if whole == spans else f"spans {spans!r} for these chunks, {whole!r} for the whole"


class Fault(NamedTuple):
    """An input that shows a fault."""

    body: bytes
    chunks: list[bytes]
    what: str
    tries: int


def hunt(make: Callable[[], Decoder], seconds: float, seed: int = 0) -> Fault | int:
    """The first fault met within `seconds`, else the number of inputs tried."""
    pick = random.Random(seed)
    end = time.monotonic() + seconds
    tries = 0
    for body in bodies(pick):
        if time.monotonic() >= end:
            break
        tries += 1
        chunks = cut(body, pick)
        what = differs(make, body, chunks)
        if what is not None:
            return Fault(body, chunks, what, tries)
    return tries


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzz the SSE decoder")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    asked = parser.parse_args()
    found = hunt(Decoder, asked.seconds, asked.seed)
    if isinstance(found, int):
        print(f"{found} inputs, no fault (seed {asked.seed})")
        return 0
    print(f"fault after {found.tries} inputs (seed {asked.seed}): {found.what}")
    print(f"body {found.body.hex()}\nchunks {[chunk.hex() for chunk in found.chunks]}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
