"""Rules over several rounds (`registry.ACROSS`, `registry.BOTH`), judged when all rounds are known.

Rounds may have been judged in other processes: what comes here are their facts. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.model.finding import NotChecked
from harness.model.verdict import Group
from harness.rules.compare import Comparison
from harness.rules.engine import on_leg
from harness.rules.found import Found, settle
from harness.rules.registry import CODES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.model.finding import Finding
    from harness.model.interaction import Place
    from harness.model.verdict import Round
    from harness.rules.contracts import Contract
    from harness.rules.engine import Selection
    from harness.rules.facts import RoundFacts


class Compared(NamedTuple):
    """What comparing adds: to single rounds (by index), and to the report."""

    findings: dict[int, list[Finding]]
    lacking: dict[int, list[NotChecked]]
    groups: tuple[Group, ...]
    not_checked: tuple[NotChecked, ...]
    checked: dict[int, set[str]]
    """Rules that a round could not check and the comparison could."""


def compare(selection: Selection, facts: Sequence[RoundFacts]) -> Compared:
    """Judge the selection's rules over several rounds; indices of the answer are those of `facts`."""
    compared = Compared({}, {}, (), (), {})
    for rule in selection.across:
        if not issubclass(rule, Comparison):
            raise TypeError(f"{rule.code} is listed as a comparison and is none")
        chosen = [index for index, one in enumerate(facts) if _is_judged(rule, one)]
        told = _Told(selection.contract, rule, facts, chosen)
        rule.compare([facts[index] for index in chosen], told)
        compared = told.added_to(compared)
    return compared


def second(selection: Selection) -> frozenset[str]:
    """What the selection's comparisons want from a second look at the captures."""
    wanted = (rule.second for rule in selection.across if issubclass(rule, Comparison))
    return frozenset[str]().union(*wanted)


def append(
    round: Round, findings: Sequence[Finding], lacking: Sequence[NotChecked], checked: Collection[str] = ()
) -> Round:
    """`round` with what the comparison says of it, in the report's order; `checked` is lacking no more."""
    if not findings and not lacking and not checked:
        return round
    order = {code: number for number, code in enumerate(CODES)}
    reasons = {entry.rule: entry for entry in (*round.not_checked, *lacking) if entry.rule not in checked}
    not_checked = sorted(reasons.values(), key=lambda entry: order[entry.rule])
    settled = settle((*round.findings, *findings))
    return round._replace(findings=tuple(settled), not_checked=tuple(not_checked))


def _is_judged(rule: type[Comparison], one: RoundFacts) -> bool:
    """The rule's leg and versions, and an A2A event at all."""
    if not on_leg(rule, one.leg) or not (one.recognised or rule.also_refused):
        return False
    return one.dialect is None or one.dialect in rule.versions


class _Told:
    """Takes what one rule says; its indices are into `chosen`, those of the answer into all facts."""

    def __init__(
        self, contract: Contract, rule: type[Comparison], facts: Sequence[RoundFacts], chosen: Sequence[int]
    ) -> None:
        self._contract = contract
        self._rule = rule
        self._facts = facts
        self._chosen = chosen
        self._found: dict[int, Found] = {}
        self._lacking: dict[int, str] = {}
        self._checked: set[int] = set()
        self._never: str | None = None
        self._groups: list[Group] = []

    def breach(
        self, round: int, message: str, place: Place, *, cause: object = None, names: tuple[str, ...] = ()
    ) -> None:
        index = self._chosen[round]
        found = self._found.setdefault(index, Found(self._contract))
        found(self._rule, message, place, cause, None, names)

    def between(
        self, rounds: Sequence[int], message: str, place: Place, *, cause: object, names: tuple[str, ...] = ()
    ) -> None:
        found = Found(self._contract)
        found(self._rule, message, place, cause, None, names)
        sources = tuple(dict.fromkeys(self._facts[self._chosen[round]].source for round in rounds))
        self._groups.extend(Group(finding, sources) for finding in found.findings(None))

    def lacks(self, round: int | None, reason: str) -> None:
        if round is None:
            self._never = reason
        else:
            self._lacking[self._chosen[round]] = reason

    def checks(self, round: int) -> None:
        self._checked.add(self._chosen[round])

    def added_to(self, compared: Compared) -> Compared:
        """`compared` and what this rule adds to it."""
        for index, found in self._found.items():
            made = found.findings(self._facts[index].dialect)
            compared.findings.setdefault(index, []).extend(made)
        for index, reason in self._lacking.items():
            compared.lacking.setdefault(index, []).append(NotChecked(self._rule.code, reason))
        for index in self._checked:
            compared.checked.setdefault(index, set()).add(self._rule.code)
        never = () if self._never is None else (NotChecked(self._rule.code, self._never),)
        return compared._replace(
            groups=(*compared.groups, *self._groups), not_checked=(*compared.not_checked, *never)
        )
