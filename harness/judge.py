"""The verdict: exactly one outcome a round, and what all rounds together are worth.

Knows the stream's memory, the capture's ending and nothing of rules: the order of
`outcome` is the law, the first that holds is taken. Rank 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.event import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.a2a.request import Asked
    from harness.a2a.stream import Stream
    from harness.model.capture import Capture, Ending, Unread
    from harness.model.finding import Finding, NotChecked
    from harness.model.verdict import Group, Outcome, Round

_BY_STATE: dict[str, Outcome] = {
    "completed": "COMPLETED",
    "failed": "FAILED",
    "canceled": "CANCELED",
    "rejected": "REJECTED",
    "input-required": "INTERACTION",
    "auth-required": "AUTH_REQUIRED",
}
_CUT: frozenset[Ending] = frozenset({"upstream_cut", "refused"})
_OURS: frozenset[Ending] = frozenset({"client_left", "proxy_stopped", "timeout", "unsealed"})

CONTRACT_FAMILIES: frozenset[str] = frozenset(
    {"LEAK", "MASK", "BIND", "SYM", "END", "RES", "STEER", "DEL", "SCN"}
)
"""Families that a contract of this project, or a scenario, states. Others state the protocol."""


def outcome(
    stream: Stream,
    capture: Capture,
    *,
    recognised: int,
    body_empty: bool,
    asked: Asked | None = None,
) -> Outcome:
    """How the round ended: the first that holds (semantics, section 2).

    `recognised` counts A2A events and core chunks; `body_empty` is true of a body of no bytes
    or of comments only. An ending that our side made does not undo a state that was reached.
    """
    status = capture.head.status if capture.head is not None else None
    if status is not None and not 200 <= status < 300:
        return "HTTP_ERROR"
    if stream.terminal is not None:
        return _BY_STATE[stream.terminal.state or ""]
    if stream.message_only:
        return "COMPLETED"
    if stream.error is not None:
        return "PROTOCOL_ERROR"
    if stream.last_state in _BY_STATE and stream.last_state not in TERMINAL:
        return _BY_STATE[stream.last_state]
    if capture.ending in _CUT:
        return "TRANSPORT_ERROR"
    if capture.ending in _OURS or capture.told is not None:
        return "INCONCLUSIVE"
    if not recognised and not body_empty:
        return "INCONCLUSIVE"
    return "INCONCLUSIVE" if is_snapshot(stream, capture, asked) else "NO_TERMINAL"


def is_snapshot(stream: Stream, capture: Capture, asked: Asked | None = None) -> bool:
    """Is the body one Task as an answer, no stream? Its state is a snapshot, no end."""
    if stream.first is None or stream.first.kind != "task" or stream.recognised != 1:
        return False
    return capture.framing == "document" or (asked is not None and asked.streaming is False)


def undecided(outcome: Outcome, capture: Capture) -> bool:
    """Can the capture not tell how the round ended? Exit 3 where nothing is worse.

    A refused connection is a system that could not be reached, not a stream that was cut.
    """
    return outcome == "INCONCLUSIVE" or (outcome == "TRANSPORT_ERROR" and capture.ending == "refused")


def exit_code(
    rounds: Sequence[Round],
    findings: Sequence[Group] = (),
    not_checked: Sequence[NotChecked] = (),
    unread: Sequence[Unread] = (),
    *,
    not_captures: int = 0,
    fail_on: str = "error",
    strict: bool = False,
) -> int:
    """1 broken, 3 undecided, 0 holds: a proven breach beats an undecided round (section 6).

    2 and 4 are errors that are raised before there is a report. A round of `rounds` whose
    connection was refused is undecided as well. Waived findings count for nothing, known ones
    (of a baseline) break nothing; what could not be decided stays so, known or not.
    """
    counted = {"error", "warning"} if strict or fail_on == "warning" else {"error"}
    found = [*_standing(rounds), *(group.finding for group in findings if group.finding.waived is None)]
    if any(finding.severity in counted and not finding.known for finding in found):
        return 1
    if not rounds or unread or any(_open(round) for round in rounds):
        return 3
    if any(finding.rule == "LEAK105" for finding in found):
        return 3
    return 3 if strict and _untold(rounds, not_checked, not_captures) else 0


def _standing(rounds: Iterable[Round]) -> Iterable[Finding]:
    return (finding for round in rounds for finding in round.findings if finding.waived is None)


def _open(round: Round) -> bool:
    if round.outcome == "INCONCLUSIVE" or round.unread:
        return True
    return round.outcome == "TRANSPORT_ERROR" and round.ending == "refused"


def _untold(rounds: Sequence[Round], not_checked: Sequence[NotChecked], not_captures: int) -> bool:
    """What `--strict` does not let pass: unchecked contract rules, unclaimed files, unknown kinds."""
    if not_captures or any(i.kind == "unknown" for round in rounds for i in round.interactions):
        return True
    open_rules = [*not_checked, *(entry for round in rounds for entry in round.not_checked)]
    return any(entry.rule[:-3] in CONTRACT_FAMILIES for entry in open_rules)
