"""Single values of a report as members of the page's data. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.model.verdict import OUTCOMES
from harness.report.entries import look, undecided
from harness.report.reasons import REASONS_ZH, TITLES_ZH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.capture import Unread
    from harness.model.finding import Finding
    from harness.model.interaction import Interaction, Place
    from harness.model.verdict import Report, Round, Row
    from harness.model.waiver import Waiver
    from harness.report.entries import Entry

MESSAGE = 1200
"""Characters of a finding's message."""
NAME = 200
REASONS = 300
FIXED = 200


def cut(text: str | None, most: int) -> str | None:
    """`text` in at most `most` characters."""
    return text if text is None or len(text) <= most else text[:most] + "…"


def place(one: Place) -> list[Any]:
    """Frame, pointer, begin and end of the bytes."""
    start, end = one.span or (None, None)
    return [one.event, cut(one.pointer, 2000), start, end]


def finding(entry: Entry, mark: str) -> dict[str, Any]:
    """A finding, as far as it stands alone. `mark` is its fingerprint."""
    one = entry.finding
    return {
        "id": mark[:12],
        "rule": one.rule,
        "severity": one.severity,
        "message": cut(one.message, MESSAGE),
        "times": one.times,
        "source": cut(entry.source, 1000),
        "place": place(one.place),
        "also": [place(each) for each in one.also],
        "names": [cut(name, NAME) for name in one.names[:12]],
        "waived": one.waived,
        "known": one.known,
        "look": [cut(command, 1200) for command in look(entry)],
        "across": entry.round is None,
    }


def interaction(one: Interaction) -> dict[str, Any]:
    """An interaction with its first sightings."""
    return {
        "kind": one.kind,
        "channel": one.channel,
        "exposure": one.exposure,
        "call": cut(one.tool_call_id, NAME),
        "tool": cut(one.tool_name, NAME),
        "agent": cut(one.agent, NAME),
        "prompt": cut(one.prompt, 300),
        "shape": one.shape,
        "at": [place(seen.place) for seen in one.sightings[:3]],
        "times": len(one.sightings),
    }


def round_(one: Round) -> dict[str, Any]:
    """A round without its interactions and findings."""
    return {
        "source": cut(one.source, 1000),
        "scenario": cut(one.scenario, NAME),
        "topology": cut(one.topology, NAME),
        "protocol": one.protocol,
        "round": one.round,
        "leg": cut(one.leg, NAME),
        "dialect": one.dialect,
        "binding": one.binding,
        "status": one.http_status,
        "events": one.events,
        "ending": one.ending,
        "outcome": one.outcome,
        "unread": len(one.unread),
        "undecided": undecided(one),
    }


def row(one: Row) -> dict[str, Any]:
    """A row of the matrix; `name` is what its findings and rounds are filtered by."""
    members = one._asdict()
    del members["topology"], members["scenario"]
    members["outcomes"] = [[name, one.outcomes[name]] for name in OUTCOMES if one.outcomes.get(name)]
    return {**members, "name": called(one.topology or one.scenario or "?")}


def called(name: str) -> str:
    """A topology's name, as all parts of the page give it."""
    return cut(name, NAME) or ""


def rules(found: Iterable[Finding]) -> dict[str, Any]:
    """Why each rule matters, in both languages; only rules of which something was found."""
    made: dict[str, Any] = {}
    for one in found:
        if one.rule not in made:
            chinese = REASONS_ZH.get(one.rule, one.why)
            made[one.rule] = {
                "slug": one.slug,
                "en": one.why,
                "zh": chinese,
                "title_zh": TITLES_ZH.get(one.rule, ""),
            }
    return made


def not_checked(report: Report) -> list[Any]:
    """Reason, rules, and in how many rounds; 0: across rounds."""
    reasons: dict[str, tuple[set[str], int]] = {}
    for listed, step in [(one.not_checked, 1) for one in report.rounds] + [(report.not_checked, 0)]:
        by_reason: dict[str, set[str]] = {}
        for each in listed:
            by_reason.setdefault(each.reason, set()).add(each.rule)
        for reason, codes in by_reason.items():
            known, rounds = reasons.get(reason, (set(), 0))
            reasons[reason] = known | codes, rounds + step
    return [[cut(reason, 400), sorted(codes), rounds] for reason, (codes, rounds) in reasons.items()][
        :REASONS
    ]


def unread(one: Unread) -> list[Any]:
    """A place that could not be read, and why."""
    return [cut(one.source, 400), cut(one.reason, 400), [*one.span] if one.span else None]


def waiver(one: Waiver) -> dict[str, Any]:
    """A waiver: what it accepts, why, who, until when."""
    return {
        "id": one.id,
        "rule": one.rule,
        "reason": cut(one.reason, MESSAGE),
        "issue": cut(one.issue, NAME),
        "owner": cut(one.owner, NAME),
        "expires": one.expires,
    }


def baseline(report: Report) -> dict[str, Any] | None:
    """How the report compares with an older one."""
    one = report.baseline
    if one is None:
        return None
    fixed = [[gone.rule, gone.scenario, gone.round, cut(gone.message, 400)] for gone in one.fixed[:FIXED]]
    return {
        "file": one.file,
        "new": one.new,
        "known": one.known,
        "unjudged": one.unjudged,
        "fixed": fixed,
        "fixed_all": len(one.fixed),
    }
