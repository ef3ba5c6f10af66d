"""Headers as they stand in files: heads of curl and HTTP, our journals, mitmproxy's flows.

Text tells a header's name from a member's by its form only. Here the form is known: each
value is given with its place, so that it can be judged by the name of its header.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from harness.jsontext import read


class Header(NamedTuple):
    """A header and the place of its value (as it is written) in the bytes."""

    name: str
    value: str
    start: int
    end: int


_STATUS = re.compile(rb"(?:HTTP/\d(?:\.\d)? \d{3}|[A-Z]{3,10} \S+ HTTP/\d(?:\.\d)?)")
_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)")
_SIZED = re.compile(rb"(\d{1,4}):([!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}),(\d{1,6}):")


def in_head(raw: bytes, *, whole: bool) -> Iterator[Header]:
    """Of `curl -i` and of `.headers` files (`whole`: the file is a head, whatever it begins with)."""
    if not whole and not _STATUS.match(raw):
        return
    at = 0
    for line in raw.split(b"\n"):
        found = _LINE.match(line)
        if found:
            value = str(found[2], "utf-8", "surrogateescape")
            yield Header(str(found[1], "ascii"), value, at + found.start(2), at + found.end(2))
        elif not line.strip() and not whole:
            return
        at += len(line) + 1


def in_journal(line: bytes) -> Iterator[Header]:
    """Of a line of a journal: `"headers":[["name","value"], ...]`."""
    if b'"headers"' not in line:
        return
    value = read(str(line, "utf-8", "surrogateescape"))
    pairs = value.get("headers") if isinstance(value, dict) else None
    at = 0
    for pair in pairs if isinstance(pairs, list) else ():
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)):
            continue
        written = json.dumps(pair[1])[1:-1].encode("ascii")
        start = line.find(b'"' + written + b'"', at)
        if start >= 0:
            at = start + 1 + len(written)
            yield Header(pair[0], pair[1], start + 1, at)


def in_flows(raw: bytes) -> Iterator[Header]:
    """Of mitmproxy's flow files: `13:Authorization,10:Bearer abc,`."""
    for found in _SIZED.finditer(raw):
        if int(found[1]) == len(found[2]):
            end = found.end() + int(found[3])
            if raw[end : end + 1] == b",":
                value = str(raw[found.end() : end], "utf-8", "surrogateescape")
                yield Header(str(found[2], "ascii"), value, found.end(), end)
