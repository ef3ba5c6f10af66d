"""Scenarios: what is sent in each round, and what must then be seen. The YAML of it: `harness.scenario`."""

from typing import Literal, NamedTuple

from harness.model.interaction import Exposure, Kind
from harness.model.verdict import Outcome


class Part(NamedTuple):
    """One part of a message that is sent: exactly one of `text`, `data` (JSON text), `url`."""

    text: str | None = None
    data: str | None = None
    url: str | None = None
    answers: str | None = None
    """The question that this part answers: a toolCallId, or the toolName of the only call of that name."""


class Wanted(NamedTuple):
    """Interactions that a round must show: so many of this kind and exposure."""

    kind: Kind
    exposure: Exposure
    times: int = 1
    channel: Literal["control", "content"] | None = None
    """None: on whichever."""
    tool: str | None = None


class Expect(NamedTuple):
    """The right behaviour in one round; None where the scenario says nothing of it."""

    outcome: Outcome | None = None
    interactions: tuple[Wanted, ...] | None = None
    """All of the round, no more and no fewer; `()`: none. Declared ones only where one is named."""
    has: tuple[str, ...] = ()
    """Texts that the client must be shown."""
    lacks: tuple[str, ...] = ()
    """Texts that the client must not be shown, on any channel, in any part."""
    order: tuple[str, ...] = ()
    """Texts that the client is shown in this order."""
    calls: tuple[str, ...] = ()
    """Remote agents in the order in which the round calls them."""
    concurrent: int | None = None
    """So many remote calls are open at the same time."""


class ScenarioRound(NamedTuple):
    """One request and what its answer must be. Rounds are numbered from 1 in the order of the file."""

    number: int
    parts: tuple[Part, ...]
    opens: bool
    """The message opens a task; else it continues the task of the round before."""
    during: int | None = None
    """Sent while that round is still running, as soon as its stream shows that the agent works."""
    steer: bool = False
    """An explicit steering text: it must reach the model (STEER102)."""
    cancel_after_s: float | None = None
    """CancelTask is sent so long after the request."""
    timeout_s: float | None = None
    """None: the scenario's."""
    expect: Expect = Expect()
    xfail: str | None = None
    """Why the round is expected to break the contract, for the pytest plugin: strict, so that a round
    that no longer does is red. `harness check` and `harness run` do not read it."""


class Known(NamedTuple):
    """The findings (rule, how many) that a set of defects must give here, no more and no fewer."""

    defects: str
    """Name of a set, or names of defects joined with `+`, sorted."""
    findings: tuple[tuple[str, int], ...]


class Scenario(NamedTuple):
    """One named conversation."""

    name: str
    file: str
    line: int
    topology: str
    rounds: tuple[ScenarioRound, ...]
    contract: str | None = None
    tags: tuple[str, ...] = ()
    timeout_s: float = 60.0
    retries: int = 0
    """How often a round is sent again when its connection is refused or it gets HTTP 429, 502, 503, 504."""
    known: tuple[Known, ...] = ()
    play: tuple[tuple[str, object], ...] = ()
    """How the testbed plays it (`harness.testbed.plan.Plan`); other systems do not read it."""
