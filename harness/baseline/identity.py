"""What makes a finding the same finding in another run: the cause, not the bytes or the ids. Rank 3.

Rule, topology, scenario, round, leg and cause. The cause is the interaction in which the
finding stands (kind, channel, exposure, agent, tool), else the message without what changes
from run to run: ids, times, numbers, quoted texts. Run folders and byte positions are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.model.finding import Finding
    from harness.model.interaction import Interaction, Place
    from harness.model.verdict import Group, Round

_LONGEST = 2000
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_.:/-]{0,79}")
_WORD = re.compile(r"(?<!\S)(?:HTTP \d{3}|-3\d{4})(?![\w.-])|(?<!\S)\S*\d\S*")
_HALF = re.compile("[\ud800-\udfff]")
_KEPT = re.compile(r"HTTP \d{3}|-3\d{4}")


class Spot(NamedTuple):
    """The round of a finding, as every run calls it."""

    topology: str | None
    scenario: str
    round: int
    leg: str


class Asked(NamedTuple):
    """What stays the same of an interaction."""

    kind: str
    channel: str
    exposure: str
    agent: str | None
    tool: str | None


type Identity = tuple[object, ...]


def of_round(one: Round) -> Iterable[tuple[Finding, Identity]]:
    """Each finding of a round with its identity."""
    asked = one.asked_at()
    where = spot(one)
    return [(each, identity(each.rule, where, _cause(each, asked))) for each in one.findings]


def of_group(one: Group, rounds: Mapping[str, Round]) -> Identity:
    """The identity of a finding of several rounds: the spots that it compares, each once."""
    where = spots(spot(rounds[source]) for source in one.rounds if source in rounds)
    return identity(one.finding.rule, where, said(one.finding.message, one.finding.names))


def spot(one: Round) -> Spot:
    """Where the round stands in every run."""
    topology = None if one.topology is None else _written(one.topology)
    return Spot(topology, _written(one.scenario), one.round, _written(one.leg))


def spots(some: Iterable[Spot]) -> tuple[Spot, ...]:
    """Spots in one order, each once."""
    return tuple(sorted(set(some), key=lambda one: (one.topology or "", one.scenario, one.round, one.leg)))


def identity(rule: str, where: object, cause: Iterable[str | None]) -> Identity:
    """Rule, place in the project, cause."""
    return rule, where, tuple(_written(each) if isinstance(each, str) else each for each in cause)


def _written(text: str) -> str:
    """A text as a report holds it: half a character outside of the BMP becomes U+FFFD there."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def said(message: str, names: Iterable[str]) -> tuple[str, ...]:
    """A message and names without what changes from run to run."""
    flat = _WORD.sub(_kept, _QUOTED.sub(_name, message[:_LONGEST]))
    return flat, *sorted({name for name in names if _NAME.fullmatch(name)})


def _cause(one: Finding, asked: Mapping[Place, Interaction]) -> Iterable[str | None]:
    found = asked.get(one.place)
    if found is None:
        return said(one.message, one.names)
    return Asked(found.kind, found.channel, found.exposure, found.agent, found.tool_name)


def _name(match: re.Match[str]) -> str:
    text = match[0][1:-1]
    return f"'{text}'" if _NAME.fullmatch(text) else "'...'"


def _kept(match: re.Match[str]) -> str:
    return match[0] if _KEPT.fullmatch(match[0]) else "#"
