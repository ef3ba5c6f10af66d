"""Waivers and baselines: findings that are known and accepted, and what became of them."""

from typing import NamedTuple

from harness.model.finding import Severity


class Scope(NamedTuple):
    """Where a waiver holds: every member that is not None must be that of the finding."""

    topology: str | None = None
    scenario: str | None = None
    round: int | None = None
    leg: str | None = None
    kind: str | None = None
    """Kind of the interaction in which the finding stands."""
    shape: str | None = None
    """Id of the mapping clause that read that interaction."""
    agent: str | None = None
    """Agent that the interaction names."""


class Waiver(NamedTuple):
    """An accepted finding: who accepts it, why, and until when."""

    id: str
    rule: str
    scope: Scope
    reason: str
    issue: str
    """Link to the issue that will end it; http or https."""
    owner: str
    expires: str
    """The last day on which it holds, `YYYY-MM-DD`."""
    file: str
    line: int


class Gone(NamedTuple):
    """A finding of a baseline that is not there any more."""

    rule: str
    slug: str
    severity: Severity
    message: str
    topology: str | None
    scenario: str | None
    round: int | None
    leg: str | None


class Baseline(NamedTuple):
    """How a report compares with an older one: findings by whether the older one had them."""

    file: str
    new: int
    """Standing errors and warnings that the older report did not have."""
    known: int
    """Standing errors and warnings that it had."""
    fixed: tuple[Gone, ...]
    """Its errors and warnings that are gone, though their round and rule were judged again."""
    unjudged: int
    """Its errors and warnings whose round or rule was not judged this time: neither known nor fixed."""
