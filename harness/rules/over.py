"""Judges rules over legs: each conversation once, in the registry's order of rules. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.finding import NotChecked
from harness.model.verdict import Group
from harness.rules.across import Compared
from harness.rules.facts import NOWHERE
from harness.rules.found import Found
from harness.rules.legs import OverLegs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.interaction import Place
    from harness.rules.contracts import Contract
    from harness.rules.legs import Conversation, Seen
    from harness.rules.rule import Rule

UNRECORDED = "no call of the model and no remote call was recorded"


def none(rules: Sequence[type[Rule]]) -> tuple[NotChecked, ...]:
    """What is told of `rules` where there is nothing but the client's leg, and no scenario."""
    return tuple(NotChecked(rule.code, UNRECORDED) for rule in rules if not over(rule).planned)


def over(rule: type[Rule]) -> type[OverLegs]:
    """`rule`, which must be one over legs."""
    if not issubclass(rule, OverLegs):
        raise TypeError(f"{rule.code} is listed as a rule over legs and is none")
    return rule


def judge(contract: Contract, rules: Sequence[type[Rule]], talks: Sequence[Conversation]) -> Compared:
    """Judge `rules` on each conversation."""
    made = Compared({}, {}, (), (), {})
    for talk in talks:
        told: set[str] = set()
        for rule in map(over, rules):
            if rule.planned and talk.plan is None:
                continue
            tell = _Told(contract, rule, talk, told)
            rule.judge(talk, tell)
            made = tell.added_to(made)
    return made


def joined(first: Compared, second: Compared) -> Compared:
    """Both together."""
    for index, findings in second.findings.items():
        first.findings.setdefault(index, []).extend(findings)
    for index, lacking in second.lacking.items():
        first.lacking.setdefault(index, []).extend(lacking)
    return first._replace(
        groups=(*first.groups, *second.groups), not_checked=(*first.not_checked, *second.not_checked)
    )


class _Told:
    """Takes what one rule says of one conversation."""

    def __init__(self, contract: Contract, rule: type[Rule], talk: Conversation, told: set[str]) -> None:
        self._contract = contract
        self._rule = rule
        self._talk = talk
        self._codes = told
        self._found: dict[int, Found] = {}
        self._lacking: dict[int, dict[str, None]] = {}
        self._groups: list[Group] = []

    def breach(
        self,
        seen: Seen | None,
        message: str,
        *,
        cause: object = None,
        place: Place | None = None,
        names: tuple[str, ...] = (),
        snippet: str = "",
        sources: Sequence[str] = (),
    ) -> None:
        self._codes.add(self._rule.code)
        found = (
            Found(self._contract)
            if seen is None
            else self._found.setdefault(seen.position, Found(self._contract))
        )
        found(self._rule, message, place or NOWHERE, cause, None, names, None, snippet)
        if seen is None:
            named = tuple(sources) or tuple(one.round.source for one in self._talk.rounds)
            self._groups.extend(Group(finding, named) for finding in found.findings(None))

    def lacks(self, seen: Seen | None, reason: str) -> None:
        for one in self._talk.rounds if seen is None else (seen,):
            self._lacking.setdefault(one.position, {}).setdefault(reason)

    def told(self, code: str) -> bool:
        return code in self._codes

    def added_to(self, made: Compared) -> Compared:
        """`made` and what this rule adds to it."""
        dialects = {seen.position: seen.facts.dialect for seen in self._talk.rounds}
        for index, found in self._found.items():
            made.findings.setdefault(index, []).extend(found.findings(dialects[index]))
        for index, reasons in self._lacking.items():
            made.lacking.setdefault(index, []).append(NotChecked(self._rule.code, "; ".join(reasons)))
        return made._replace(groups=(*made.groups, *self._groups))
