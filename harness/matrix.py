"""The matrix: a row a topology (or scenario), what the client saw in it, and what was found.

Calls are counted, not statements: the same task and toolCallId, shown twice or on two
channels, is one call of each exposure it had. Rounds, events and outcomes are the client's: what
happened behind the entry agent is evidence. Findings count on every leg. Rank 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.verdict import OUTCOMES, Row
from harness.topologies import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.model.interaction import Interaction
    from harness.model.topology import Topology
    from harness.model.verdict import Round

CLIENT = "client"


def matrix(rounds: Sequence[Round], known: Sequence[Topology]) -> tuple[Row, ...]:
    """Rows of topologies by name, then of scenarios without one."""
    groups: dict[tuple[bool, str], list[Round]] = {}
    for round in rounds:
        key = (round.topology is None, round.topology or round.scenario)
        groups.setdefault(key, []).append(round)
    return tuple(_row(key, groups[key], known) for key in sorted(groups))


def _row(key: tuple[bool, str], rounds: Sequence[Round], known: Sequence[Topology]) -> Row:
    alone, name = key
    topology = None if alone else named(known, name)
    seen = [round for round in rounds if round.leg == CLIENT] or rounds
    outcomes = {outcome: sum(round.outcome == outcome for round in seen) for outcome in OUTCOMES}
    findings = [finding for round in rounds for finding in round.findings]
    standing = [finding.severity for finding in findings if finding.waived is None]
    return Row(
        topology=None if alone else name,
        kind=topology.kind if topology else None,
        scenario=name if alone else None,
        rounds=len(seen),
        events=sum(round.events for round in seen),
        outcomes={outcome: count for outcome, count in outcomes.items() if count},
        native=_calls(seen, "native"),
        masked=_calls(seen, "masked"),
        leaked=_calls(seen, "leaked"),
        declared=_calls(seen, "declared"),
        errors=standing.count("error"),
        warnings=standing.count("warning"),
        infos=standing.count("info"),
        waived=len(findings) - len(standing),
    )


def _calls(rounds: Sequence[Round], exposure: str) -> int:
    calls: set[tuple[object, ...]] = set()
    for round in rounds:
        for interaction in round.interactions:
            if interaction.exposure == exposure:
                calls.add(_call(round, interaction))
    return len(calls)


def _call(round: Round, interaction: Interaction) -> tuple[object, ...]:
    """Task and toolCallId; without a toolCallId the place in the round stands for it."""
    if interaction.tool_call_id is not None:
        return interaction.task_id or round.source, interaction.tool_call_id
    first = interaction.sightings[0]
    return round.source, round.round, first.interrupt_id or first.place
