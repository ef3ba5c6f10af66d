"""What the name of a capture tells: scenario, protocol, round, leg (semantics section 1)."""

import re
from typing import NamedTuple

PACKED = (".gz", ".zst")
MUST = (".sse", ".body", ".log", ".jsonl", ".har", ".mitm")
"""Files of a folder that must be captures."""

BESIDE = ("OTHER", "LLM")
"""Protocols that the recorder gives to exchanges that are no rounds: agent cards, health checks, calls of
the model. They are evidence, and not judged."""

_PATTERN = re.compile(
    r"(?P<scenario>.+?)(?:-(?P<protocol>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*))?-r(?P<round>\d{1,9})"
    r"(?:-tc(?:\d{1,9}|-[^.]{1,8}))?(?:\.(?P<leg>[^.]+)(?:\.\d+)?)?\Z",
    re.DOTALL,
)


class Name(NamedTuple):
    """The parts of a capture's name."""

    scenario: str
    protocol: str | None = None
    round: int = 1
    leg: str = "client"


def split(name: str) -> tuple[str, str]:
    """Stem and extension of a file name, a packing's extension left out of both."""
    for packed in PACKED:
        if name.endswith(packed) and len(name) > len(packed):
            name = name[: -len(packed)]
            break
    if name.endswith(".request.json"):
        return name[: -len(".request.json")], ".request.json"
    stem, dot, extension = name.rpartition(".")
    return (stem, dot + extension) if stem else (name, "")


def parse(stem: str) -> Name:
    """Read `<scenario>-<PROTOCOL>-r<N>[-tc..][.leg[.k]]`; any other stem is a scenario."""
    match = _PATTERN.match(stem)
    if match is None:
        return Name(stem)
    protocol, round_ = match["protocol"], int(match["round"])
    leg = match["leg"] or "client"
    if protocol is None:
        return Name(stem, None, round_, leg)
    return Name(match["scenario"], protocol, round_, leg)
