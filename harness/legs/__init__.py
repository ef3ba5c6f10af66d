"""Several legs of one run, put together: conversations with their model calls and remote calls, judged.

A second look at the captures of a run folder, behind the judging of single rounds. It costs one
look at the captures' legs where there is nothing but the client's and no scenario. Parts: `cast`
(which round is which of the scenario), `gather`, `remote`, `shown`. Rank 4, part of `pipeline`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.kit import Kit, Options
    from harness.model.capture import Capture
    from harness.model.verdict import Round
    from harness.rounds import Judged
    from harness.rules.across import Compared
    from harness.rules.legs import Conversation


def judged(
    compared: Compared, rounds: Sequence[Judged], captures: Sequence[Capture], kit: Kit, options: Options
) -> Compared:
    """`compared`, and what the rules over legs say."""
    rules = kit.selection.legs
    if not rules:
        return compared
    from harness.rules import over

    if not options.scenarios and all(capture.leg == "client" for capture in captures):
        return compared._replace(not_checked=(*compared.not_checked, *over.none(rules)))
    from harness.legs.gather import gather

    contract = kit.selection.contract
    talks = gather(rounds, captures, kit, options)
    first = [rule for rule in rules if not over.over(rule).counts]
    compared = over.joined(compared, over.judge(contract, first, talks))
    last = [rule for rule in rules if over.over(rule).counts]
    if last and any(talk.plan for talk in talks):
        planned = [talk for talk in talks if talk.plan]
        of: dict[tuple[str, str], list[int]] = {}
        for index, one in enumerate(rounds):
            of.setdefault((one.facts.group, one.facts.scenario), []).append(index)
        talks = [_counted(talk, compared, rounds, of.get(talk[:2], ())) for talk in planned]
        compared = over.joined(compared, over.judge(contract, last, talks))
    return compared


def _counted(
    talk: Conversation, compared: Compared, judged: Sequence[Judged], own: Sequence[int]
) -> Conversation:
    """`talk` with the errors and warnings of its rounds, on all its legs."""
    from harness.rules.across import append

    counts: dict[str, int] = {}
    sources = {judged[index].round.source for index in own}
    for index in own:
        _count(append(judged[index].round, compared.findings.get(index, ()), ()), counts)
    for group in compared.groups:
        if group.finding.severity != "info" and sources.intersection(group.rounds):
            counts[group.finding.rule] = counts.get(group.finding.rule, 0) + 1
    return talk._replace(counted=counts)


def _count(round: Round, counts: dict[str, int]) -> None:
    for finding in round.findings:
        if finding.severity != "info":
            counts[finding.rule] = counts.get(finding.rule, 0) + 1


def expected(captures: Sequence[Capture], options: Options) -> list[Capture]:
    """`captures`, each with the outcome that a scenario expects of it."""
    if not options.scenarios:
        return list(captures)
    from harness.legs.cast import role

    made: list[Capture] = []
    for capture in captures:
        wanted = role(capture, capture.round, options.scenarios)
        made.append(capture._replace(expected=wanted.expect.outcome) if wanted else capture)
    return made
