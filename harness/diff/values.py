"""What a diff says: changes by rank, rows to be shown side by side, and what could not be decided."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from harness.model.interaction import Place

type Rank = Literal["contract", "shape", "text", "timing"]
"""How much a change matters: what is asked of a client and how a round ends, what events are
made of, what a model wrote, when it came."""
RANKS: tuple[Rank, ...] = get_args(Rank.__value__)

type Subject = Literal[
    "round",
    "outcome",
    "http_status",
    "interaction",
    "finding",
    "frame",
    "surface",
    "event",
    "member",
    "identity",
    "order",
    "text",
    "ending",
    "duration",
]
"""`frame`: a frame that shows an interaction which the other side lacks; `surface`: dialect or binding."""
type Operation = Literal["added", "removed", "changed", "reordered"]

NOWHERE = Place(None, None, None)


class Change(NamedTuple):
    """One difference. `before` is A's, `after` is B's; None where that side has nothing."""

    rank: Rank
    subject: Subject
    operation: Operation
    name: str
    """What changed: an interaction in words, a rule, a kind of event, a member's name."""
    before: str | None = None
    after: str | None = None
    a: Place = NOWHERE
    b: Place = NOWHERE
    times: int = 1
    """How many places show it."""


type Mark = Literal["equal", "added", "removed", "changed", "reordered", "skipped"]


class Row(NamedTuple):
    """One line of both sides. `times`: of `skipped`, how many units are left out."""

    mark: Mark
    rank: Rank | None
    a: str | None
    b: str | None
    event_a: int | None = None
    event_b: int | None = None
    times: int = 1


class Side(NamedTuple):
    """One of two rounds."""

    source: str
    outcome: str
    ending: str
    events: int


class Pair(NamedTuple):
    """Two rounds held against each other; one of them None where it is missing."""

    scenario: str
    round: int
    leg: str
    protocol: str | None
    topology: str | None
    a: Side | None
    b: Side | None
    changes: tuple[Change, ...] = ()
    rows: tuple[Row, ...] = ()
    undecided: tuple[str, ...] = ()
    """Why it can not be said that both are equal."""
    notes: tuple[str, ...] = ()
    """Where the comparison was coarser than usual, and why."""


class Undecided(NamedTuple):
    """A file that could not be read, so that nothing can be said of it."""

    source: str
    reason: str


class Difference(NamedTuple):
    """Everything that one `diff` has to say."""

    version: str
    contract: str
    a: str
    b: str
    exit: int
    pairs: tuple[Pair, ...]
    undecided: tuple[Undecided, ...] = ()

    def counts(self) -> dict[Rank, int]:
        """Changes by rank, all ranks named."""
        found = [change.rank for pair in self.pairs for change in pair.changes]
        return {rank: found.count(rank) for rank in RANKS}


def exit_code(pairs: tuple[Pair, ...], undecided: tuple[Undecided, ...], fail_on: Rank = "contract") -> int:
    """1: a change of `fail_on` or a graver rank; 3: undecided, or no round has both sides; else 0."""
    failing = RANKS[: RANKS.index(fail_on) + 1]
    if any(change.rank in failing for pair in pairs for change in pair.changes):
        return 1
    is_compared = any(pair.a and pair.b for pair in pairs)
    return 3 if undecided or not is_compared or any(pair.undecided for pair in pairs) else 0
