"""Verdicts: what became of each round, and the report over all of them."""

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from harness.model.capture import Ending, Unread
from harness.model.event import Binding, Dialect
from harness.model.finding import Finding, NotChecked
from harness.model.interaction import Interaction, Place

if TYPE_CHECKING:
    from harness.model.waiver import Baseline, Waiver

type Outcome = Literal[
    "INTERACTION",
    "COMPLETED",
    "FAILED",
    "CANCELED",
    "REJECTED",
    "AUTH_REQUIRED",
    "PROTOCOL_ERROR",
    "TRANSPORT_ERROR",
    "HTTP_ERROR",
    "NO_TERMINAL",
    "INCONCLUSIVE",
]
OUTCOMES: tuple[str, ...] = get_args(Outcome.__value__)


class Round(NamedTuple):
    """One round's verdict: exactly one outcome, the interactions, the findings."""

    source: str
    scenario: str
    topology: str | None
    protocol: str | None
    round: int
    leg: str
    dialect: Dialect | None
    binding: Binding | None
    http_status: int | None
    events: int
    """Frames of the round."""
    ending: Ending
    outcome: Outcome
    unread: tuple[Unread, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()

    def asked_at(self) -> dict[Place, Interaction]:
        """The interaction that stands at each place."""
        return {seen.place: asked for asked in self.interactions for seen in asked.sightings}


class Row(NamedTuple):
    """A row of the matrix: one topology, or one scenario where it has none."""

    topology: str | None
    kind: str | None
    scenario: str | None
    rounds: int
    events: int
    outcomes: dict[str, int]
    native: int
    masked: int
    leaked: int
    declared: int
    errors: int
    warnings: int
    infos: int
    waived: int


class Group(NamedTuple):
    """A finding of no single round, with the rounds that it compares."""

    finding: Finding
    rounds: tuple[str, ...]


class Report(NamedTuple):
    """Everything that one `check` has to say."""

    version: str
    contract: str
    exit: int
    rounds: tuple[Round, ...]
    findings: tuple[Group, ...]
    not_checked: tuple[NotChecked, ...]
    unread: tuple[Unread, ...]
    matrix: tuple[Row, ...]
    not_captures: int = 0
    """Files in folders that are not captures; they are counted, not judged."""
    waivers: "tuple[Waiver, ...]" = ()
    """All waivers that were read, whether they matched or not."""
    baseline: "Baseline | None" = None
    """None: nothing was compared."""
