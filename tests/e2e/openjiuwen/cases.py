"""What is tried on the real system, and what must come out: one row a scenario file.

The numbers come from the seed (section 7: the kind decides, concurrency does not) and from the facts about the
recorded streams of this package (openjiuwen.md 7), not from a run.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PACKAGE = "openjiuwen"
SEARCH, RESEARCH, ANSWER, FAIL = "single", "research?calls=3", "plain", "fail"
"""Scripts of the model."""
LOOP, PLAIN = "loop", "plain"
FORWARD, COORDINATE, RAW = "forward", "coordinate", "raw"
MIRROR, TOP, TASK = "controller_output", "top-level", "task"
"""Where on the content channel a delegation stands: in the loop's copy, as an interaction of its own, and in the
task that a later round opens with."""


class Case(NamedTuple):
    """One scenario and its outcome."""

    file: str
    """Stem of the scenario file; the scenario is called `openjiuwen-<file>`."""
    loop: str
    model: str
    delivers: str
    """What the handler of the entry agent does: FORWARD, COORDINATE or RAW."""
    outcomes: tuple[str, ...]
    """Of each round."""
    leaked: tuple[int, ...]
    """Delegations that the client sees in each round, all on the content channel."""
    seen_in: tuple[str, ...]
    """Where each of them stands."""
    calls: int
    """Remote calls that were recorded."""
    findings: dict[str, int]
    """Errors and warnings by rule."""

    @property
    def name(self) -> str:
        """The scenario's name."""
        return f"{PACKAGE}-{self.file}"

    @property
    def path(self) -> Path:
        """The scenario file."""
        return HERE / f"{self.file}.scenario.yaml"

    @property
    def entry(self) -> str:
        """What OPENJIUWEN_ENTRY is for it."""
        return f"{self.loop}:{self.delivers}:{self.model}"

    @property
    def exit(self) -> int:
        """The exit code of `harness run`."""
        return 1 if self.findings else 0


def _stock(file: str, loop: str, model: str, leaked: int, *seen_in: str) -> Case:
    """Nobody carries the delegations out: the client is asked."""
    found = {"LEAK101": leaked, "DEL101": 1}
    return Case(file, loop, model, FORWARD, ("INTERACTION",), (leaked,), seen_in, 0, found)


def _coordinated(file: str, loop: str, model: str, leaked: int, calls: int, *seen_in: str) -> Case:
    """Delegations are carried out: the client is to see none."""
    found = {"LEAK101": leaked} if leaked else {}
    return Case(file, loop, model, COORDINATE, ("COMPLETED",), (leaked,), seen_in, calls, found)


def _failing(file: str, loop: str, model: str, delivers: str, outcome: str, rule: str) -> Case:
    """The agent fails, and its failure is not told as FAILED."""
    return Case(file, loop, model, delivers, (outcome,), (0,), (), 0, {rule: 1, "SCN101": 1})


CASES = (
    _stock("stock-loop-three", LOOP, RESEARCH, 3, MIRROR, TOP),
    _stock("stock-loop-one", LOOP, SEARCH, 1, MIRROR, TOP),
    _stock("stock-plain-three", PLAIN, RESEARCH, 3, TOP),
    _stock("stock-plain-one", PLAIN, SEARCH, 1, TOP),
    _coordinated("coordinated-loop-three", LOOP, RESEARCH, 3, 4, MIRROR),
    _coordinated("coordinated-loop-one", LOOP, SEARCH, 1, 1, MIRROR),
    _coordinated("coordinated-plain-three", PLAIN, RESEARCH, 0, 4),
    _coordinated("coordinated-plain-one", PLAIN, SEARCH, 0, 1),
    Case(
        "stock-loop-answered", LOOP, SEARCH, FORWARD, ("INTERACTION", "COMPLETED"), (1, 1), (MIRROR, TOP, TASK),
        0, {"LEAK101": 2, "DEL101": 1},
    ),
    _failing("failing-loop", LOOP, FAIL, FORWARD, "COMPLETED", "END503"),
    _failing("failing-plain", PLAIN, FAIL, FORWARD, "PROTOCOL_ERROR", "END504"),
    _failing("raw-loop", LOOP, ANSWER, RAW, "PROTOCOL_ERROR", "END504"),
)  # fmt: skip

KEPT = ("stock-loop-three", "stock-loop-one", "stock-plain-three", "stock-plain-one",
        "coordinated-loop-three", "coordinated-plain-one", "stock-loop-answered")  # fmt: skip
"""The runs whose captures are kept as golden ones."""
