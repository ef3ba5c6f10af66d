"""Drafts of waivers for what is red: everything that the report knows, `TODO` for what people decide."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from harness.waivers import TODO

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from harness.model.finding import Finding
    from harness.model.verdict import Report

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_SEEN = 200
_INVISIBLE = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ufffe\uffff\ud800-\udfff]"
)


class Draft(NamedTuple):
    """One waiver to be: a rule, where it was broken, how often, and the first message."""

    rule: str
    scope: tuple[tuple[str, str], ...]
    findings: int
    message: str


def drafts(report: Report, breaking: Collection[str]) -> list[Draft]:
    """One draft for each rule and scope of standing, new findings of a `breaking` severity."""
    made: dict[tuple[str, tuple[tuple[str, str], ...]], Draft] = {}
    for finding, scope in _red(report, breaking):
        key = (finding.rule, scope)
        before = made.get(key, Draft(finding.rule, scope, 0, finding.message))
        made[key] = before._replace(findings=before.findings + 1)
    return list(made.values())


def _red(report: Report, breaking: Collection[str]) -> Iterator[tuple[Finding, tuple[tuple[str, str], ...]]]:
    places = {one.source: _scope(one.topology, one.scenario, one.leg) for one in report.rounds}
    for one in report.rounds:
        for finding in one.findings:
            if _counts(finding, breaking):
                yield finding, places[one.source]
    for group in report.findings:
        scope = next((places[source] for source in group.rounds if source in places), None)
        if scope and _counts(group.finding, breaking):
            yield group.finding, scope


def _counts(finding: Finding, breaking: Collection[str]) -> bool:
    own = finding.rule.startswith("WAIV")
    return finding.severity in breaking and finding.waived is None and not finding.known and not own


def _scope(topology: str | None, scenario: str, leg: str) -> tuple[tuple[str, str], ...]:
    made = [("topology", topology or ""), ("scenario", scenario), ("leg", "" if leg == "client" else leg)]
    return tuple((name, value) for name, value in made if value)


def text(made: Sequence[Draft], expires: str) -> str:
    """The file: valid for `harness schema waivers`, refused until every TODO is replaced."""
    lines = [
        "# Drafted by `harness check --write-waivers`. A waiver accepts a finding until its last day.",
        f"# Replace every {TODO}; narrow or widen the scopes; delete what shall be mended instead.",
        "version: 1",
        "waivers:",
    ]
    used: set[str] = set()
    for one in made:
        lines += _entry(one, _id(one, used), expires)
    return "\n".join(lines) + "\n"


def _entry(one: Draft, name: str, expires: str) -> Iterator[str]:
    scope = ", ".join(f"{key}: {_scalar(value)}" for key, value in one.scope)
    seen = one.message if len(one.message) <= _SEEN else one.message[:_SEEN] + "..."
    yield f"  - id: {name}"
    yield f"    rule: {one.rule}  # found {one.findings} times"
    yield f"    # the first: {_quoted(seen)}"
    yield f"    scope: {{{scope}}}"
    yield f"    reason: {TODO} why this is accepted for now"
    yield f"    issue: {TODO} link to the issue that will end it"
    yield f"    owner: {TODO} who answers for it"
    yield f"    expires: {expires}"


def _scalar(value: str) -> str:
    """A YAML scalar that is read as this text, whatever stands in it."""
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return _quoted(value)


def _quoted(text: str) -> str:
    """In double quotes, as JSON and YAML both read it; what is invisible is spelled out."""
    line = json.dumps(text, ensure_ascii=False)
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def _id(one: Draft, used: set[str]) -> str:
    words = "-".join((one.rule, *(value for _, value in one.scope))).lower()
    base = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:70]
    name, number = base, 1
    while name in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name)
    return name
