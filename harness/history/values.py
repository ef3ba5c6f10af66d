"""The row that a run has in the index, and what is asked of many of them. Frozen values, no behaviour."""

from __future__ import annotations

from typing import Literal, NamedTuple

type State = Literal["broken", "waived", "clean", "unknown"]
"""What one run says of one rule in one topology; `docs/history.md` has the definition."""
type Course = Literal["steady", "new", "fixed", "flaky", "unknown"]
"""How the states of a window follow each other."""


class RoundRow(NamedTuple):
    """One judged round."""

    topology: str | None
    scenario: str
    round: int
    leg: str
    protocol: str | None
    outcome: str
    events: int
    bytes: int | None
    """Of the recorded body; None: not known."""
    seconds: float | None
    """From the request to the end of the answer, as the journal tells."""
    unread: int
    native: int
    masked: int
    leaked: int
    declared: int
    not_checked: tuple[str, ...]
    """Codes of rules that could not be checked."""


class FindingRow(NamedTuple):
    """One finding; of one that compares rounds, `topology` is that of the round in which it stands."""

    topology: str | None
    scenario: str | None
    round: int | None
    leg: str | None
    rule: str
    slug: str
    severity: str
    times: int
    """Places that show it."""
    waived: str | None
    """Id of the waiver that accepts it."""
    fingerprint: str
    """Equal for the same finding in another run, and in SARIF."""
    spots: tuple[str, ...]
    """The rounds that must be judged again before it can be called fixed."""


class Summary(NamedTuple):
    """One run, judged by one contract. Times are UTC, `YYYY-MM-DDTHH:MM:SSZ`."""

    key: str
    """Tells the run from every other, also from one of the same id that began in the same second."""
    run: str
    started: str
    ended: str | None
    contract: str
    version: str
    """Version of the harness that judged."""
    exit: int
    sut: str | None
    defects: str | None
    rules: tuple[str, ...]
    """Codes that were applied; empty: not known, so that nothing that is absent counts as fixed."""
    rounds: tuple[RoundRow, ...]
    findings: tuple[FindingRow, ...]


class Skipped(NamedTuple):
    """A file of the folder that is no part of the index, and why."""

    file: str
    reason: str


class Run(NamedTuple):
    """One run of the window."""

    run: str
    started: str
    seconds: float | None
    """From its start to its end."""
    version: str
    exit: int
    rounds: int
    events: int
    errors: int
    """Findings that no waiver accepts, of the topologies and rules that were asked for."""
    warnings: int
    waived: int


class When(NamedTuple):
    """A run as a moment."""

    run: str
    started: str


class Trend(NamedTuple):
    """One rule in one topology."""

    topology: str | None
    rule: str
    slug: str
    severity: str
    """The gravest that it had in the window, else ever."""
    course: Course
    now: State
    """The last state of the window that is not unknown."""
    first: When
    """The first run of the whole index that shows it."""
    last: When
    since: When | None
    """Where the streak began that stands now; None: it is clean now."""
    fixed: When | None
    """The first run behind `last` that is clean; None: it is not."""
    seen: int
    """Runs of the window that show it, waived or not ..."""
    known: int
    """... of so many that can tell."""
    states: tuple[State, ...]
    """One for each run of the window, the oldest first."""
    findings: tuple[int, ...]
    """How many findings each run has, the waived ones too."""


class Sizes(NamedTuple):
    """One topology: what each run of the window measured; None: the run does not have it."""

    topology: str | None
    runs: int
    rounds: tuple[int | None, ...]
    events: tuple[int | None, ...]
    bytes: tuple[int | None, ...]
    seconds: tuple[float | None, ...]
    """Durations of its rounds, added up."""
    leaked: tuple[int | None, ...]
    """Leaked interactions."""
    errors: tuple[int | None, ...]
    warnings: tuple[int | None, ...]


class Others(NamedTuple):
    """Runs that were judged by another contract."""

    contract: str
    runs: int


class History(NamedTuple):
    """The answer: what a window of runs shows."""

    contract: str
    runs: tuple[Run, ...]
    """The window, the oldest first."""
    before: int
    """Runs of the contract that are older than the window."""
    trends: tuple[Trend, ...]
    topologies: tuple[Sizes, ...]
    others: tuple[Others, ...]
    skipped: tuple[Skipped, ...]


class Question(NamedTuple):
    """What is asked."""

    contract: str | None = None
    """None: that of the newest run."""
    topology: str | None = None
    rules: tuple[str, ...] = ()
    since: str | None = None
    """A date, a time, or the id of a run: the window begins there."""
    last: int = 30
    """The window's runs at most: the newest."""
    infos: bool = False
    """Findings of severity info too."""
