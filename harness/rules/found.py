"""The collector: breaches in, findings out. One rule, one cause, one round: one finding.

A hundred thousand frames with one bad habit are one finding with a count and three places.
Severity is decided here and nowhere else. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.model.finding import Finding
from harness.rules import registry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from harness.model.event import Dialect
    from harness.model.finding import Severity
    from harness.model.interaction import Place
    from harness.rules.contracts import Contract
    from harness.rules.rule import Rule

MAX_CAUSES = 10_000
"""Causes kept apart for one rule in one round; what comes after them is counted as one."""
MAX_NAMES = 20
SNIPPET = 200
_MORE = object()
_RANK: dict[str, int] = {"off": 0, "info": 1, "warning": 2, "error": 3}


class Found:
    """Takes the breaches of one round (or of one comparison) as rules report them."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._entries: dict[tuple[Any, ...], _Entry] = {}
        self._causes: dict[str, int] = {}

    def __call__(
        self,
        rule: Rule | type[Rule],
        message: str,
        place: Place,
        cause: object = None,
        severity: str | None = None,
        names: tuple[str, ...] = (),
        tag: str | None = None,
        snippet: str = "",
    ) -> None:
        key = (rule.code, cause, severity, tag)
        entry = self._entries.get(key)
        if entry is None and self._causes.get(rule.code, 0) >= MAX_CAUSES:
            key = (rule.code, _MORE, severity, tag)
            entry = self._entries.get(key)
        if entry is not None:
            entry.again(place, names)
            return
        self._causes[rule.code] = self._causes.get(rule.code, 0) + 1
        kind = rule if isinstance(rule, type) else type(rule)
        self._entries[key] = _Entry(kind, message, place, severity, names, tag, snippet)

    def count(self, rule: Rule, cause: object, places: int) -> None:
        """`places` more of a breach that was found before, and has its three places."""
        entry = self._entries.get((rule.code, cause, None, None))
        if entry is not None:
            entry.count += places

    def findings(self, dialect: Dialect | None, without: Collection[str] = ()) -> list[Finding]:
        """All findings, in the order of their places, `without` those of some codes."""
        merged: dict[tuple[Any, ...], Finding] = {}
        for (code, cause, _, _), entry in self._entries.items():
            weight = weigh(self._contract, entry.rule, dialect, entry.severity, entry.tag)
            if weight is None or code in without:
                continue
            key = (code, cause, weight)
            made = entry.finding(weight)
            merged[key] = _joined(merged[key], made) if key in merged else made
        return settle(merged.values())


class _Entry:
    """One cause while it is counted."""

    __slots__ = ("also", "count", "message", "names", "place", "rule", "severity", "snippet", "tag")

    def __init__(
        self,
        rule: type[Rule],
        message: str,
        place: Place,
        severity: str | None,
        names: tuple[str, ...],
        tag: str | None,
        snippet: str,
    ) -> None:
        self.rule = rule
        self.message = message
        self.place = place
        self.severity = severity
        self.names = names
        self.tag = tag
        self.snippet = snippet
        self.count = 1
        self.also: tuple[Place, ...] = ()

    def again(self, place: Place, names: tuple[str, ...]) -> None:
        self.count += 1
        if len(self.also) < 2:
            self.also = (*self.also, place)
        if names != self.names:
            self.names = _united(self.names, names)

    def finding(self, severity: Severity) -> Finding:
        rule = self.rule
        return Finding(
            rule.code, rule.slug, severity, self.message, rule.why, self.place, self.count,
            self.also, self.names, self.snippet[:SNIPPET],
        )  # fmt: skip


def weigh(
    contract: Contract,
    rule: type[Rule],
    dialect: Dialect | None,
    milder: str | None = None,
    tag: str | None = None,
) -> Severity | None:
    """What a breach weighs: the contract's word, or the rule's own severity where it says `table`.

    A breach that the rule itself calls milder stays milder, and so does one whose `tag` the
    contract weighs. None: off.
    """
    word: str = contract.word(rule.code)
    weight = own(rule, dialect) if word == "table" else word
    for limit in (milder, contract.tags.get(rule.code, {}).get(tag or "")):
        if limit is not None and limit != "table" and _RANK[limit] < _RANK[weight]:
            weight = limit
    return None if weight == "off" else weight  # type: ignore[return-value]


def own(rule: type[Rule], dialect: Dialect | None) -> str:
    """The severity that the rule states for `dialect`; the mildest one where bytes can not tell.

    v0.2 and v0.3 frames look alike: what is called v0.3 gets the milder severity of both.
    """
    stated = rule.severity
    if isinstance(stated, str):
        return stated
    versions = ("v0.2", "v0.3") if dialect == "v0.3" else (dialect or "",)
    weights = [stated[version] for version in versions if version in stated] or list(stated.values())
    return min(weights, key=_RANK.__getitem__)


def settle(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in order, without protocol findings that a contract finding states as well.

    The contract rule is reported and names the other (semantics, section 4).
    """
    kept = sorted(findings, key=_order)
    for contract_rule, protocol_rule in registry.SHADOWS:
        codes = {finding.rule for finding in kept}
        if contract_rule in codes and protocol_rule in codes:
            kept = [
                finding._replace(names=_united(finding.names, (protocol_rule,)))
                if finding.rule == contract_rule
                else finding
                for finding in kept
                if finding.rule != protocol_rule
            ]
    return kept


def _order(finding: Finding) -> tuple[Any, ...]:
    place = finding.place
    return (place.event or 0, place.pointer or "", finding.rule, finding.message, finding.severity)


def _united(names: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*names, *more)))[:MAX_NAMES]


def _joined(first: Finding, second: Finding) -> Finding:
    also = (*first.also, second.place, *second.also)[:2]
    names = _united(first.names, second.names)
    return first._replace(times=first.times + second.times, also=also, names=names)
