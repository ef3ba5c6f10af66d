"""How one conversation is played: script, agent kind, size and the faults that are switched on."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import urlencode

from harness.errors import ScenarioError
from harness.testbed.defects import SETS, named
from harness.testbed.model.scripts import SCRIPTS

type Generation = Literal["G1", "G2", "G3"]
type Spelling = Literal["java", "python"]
type EntryKind = Literal["deepagent", "plan-agent", "workflow", "react"]

GENERATIONS: tuple[str, ...] = get_args(Generation.__value__)
SPELLINGS: tuple[str, ...] = get_args(Spelling.__value__)
KINDS: tuple[str, ...] = get_args(EntryKind.__value__)
LIMITS = {
    "calls": (1, 64),
    "asks": (0, 64),
    "questions": (0, 64),
    "tokens": (0, 1_000_000),
    "status": (400, 599),
}
"""Smallest and largest value of each whole number."""
LONGEST_PACE_S = 60


class Plan(NamedTuple):
    """One conversation of the testbed; child conversations (their contextId begins with its) follow it."""

    script: str = "plain"
    """Name of a script of the model server (`harness.testbed.model.scripts`)."""
    kind: str | None = None
    """Kind of the entry agent; None: the kind that the topology gives it."""
    generation: str = "G2"
    """Generation of the Java chunk mapper."""
    calls: int = 3
    """Remote calls in a turn, or one after the other, where the script asks for a number of them."""
    asks: int = 2
    """Questions of a remote agent before it answers, in scripts with remote questions."""
    questions: int = 14
    """Questions of the workflow, one a round."""
    tokens: int = 12
    """Token chunks (llm_reasoning, llm_output) of the entry agent from text to answer, about."""
    pace: float = 0.0
    """Seconds between two token chunks of the model."""
    keep_open: bool = False
    """Stay open after INPUT_REQUIRED, as the Java SDK 1.0.0 does."""
    core: str = "java"
    """Spelling of interactions and mirrors: `java`, or `python` (snake_case)."""
    status: int = 500
    """HTTP status with which the model fails, in the script `fail`."""
    defects: frozenset[str] = frozenset()
    """Names of the faults that are switched on (`harness.testbed.defects`)."""

    @staticmethod
    def of(mapping: Mapping[str, object], *, file: str | None = None, line: int | None = None) -> "Plan":
        """The plan that a scenario's `testbed:` asks for; ScenarioError names the key and what it may be."""
        try:
            values: dict[str, Any] = {key: _value(key, value) for key, value in mapping.items()}
        except _Wrong as wrong:
            raise ScenarioError(
                wrong.what, file=file, line=line, path=f"$.testbed.{wrong.key}", mend=wrong.mend
            ) from None
        return Plan(**values)

    def model(self, script: str) -> str:
        """The model's name for `script` under this plan: `research?calls=3&tokens=12`."""
        numbers = {"calls": self.calls, "asks": self.asks, "questions": self.questions, "tokens": self.tokens}
        extra = {"status": self.status, "pace": self.pace, "order": self._order}
        return f"{script}?{urlencode(numbers | {key: value for key, value in extra.items() if value})}"

    @property
    def remote(self) -> "Plan":
        """The conversation at a remote agent: short, and without faults, which are the entry agent's."""
        return self._replace(tokens=min(self.tokens, 12), kind=None, defects=frozenset())

    @property
    def _order(self) -> str | None:
        return "reversed" if "delegation-order-lost" in self.defects else None


class _Wrong(Exception):
    def __init__(self, key: str, what: str, mend: str) -> None:
        self.key, self.what, self.mend = key, what, mend


def _value(key: str, value: object) -> object:
    if key not in Plan._fields:
        raise _Wrong(key, f"the testbed knows no {key!r}", f"use one of {', '.join(Plan._fields)}")
    if key in LIMITS:
        return _whole(key, value, *LIMITS[key])
    if key in CHOICES:
        return _choice(key, value, CHOICES[key])
    return READERS[key](key, value)


def _whole(key: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise _Wrong(key, f"{value!r} is not allowed", f"give a whole number from {least} to {most}")
    return value


def _choice(key: str, value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise _Wrong(key, f"{value!r} is not allowed", f"use one of {', '.join(choices)}")
    return str(value)


def _seconds(key: str, value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= LONGEST_PACE_S:
        raise _Wrong(key, f"{value!r} is not allowed", f"give seconds from 0 to {LONGEST_PACE_S}")
    return float(value)


def _switch(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(key, f"{value!r} is not allowed", "use true or false")
    return value


def _defects(key: str, value: object) -> frozenset[str]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple, set, frozenset)):
        raise _Wrong(key, f"{value!r} is not allowed", "give a name or a list of names")
    unknown = sorted(str(name) for name in names if str(name) not in SETS and named(str(name)) is None)
    if unknown:
        raise _Wrong(key, f"no defect is called {unknown[0]!r}", "`harness.testbed.defects` lists the names")
    return frozenset().union(*(SETS.get(str(name), frozenset({str(name)})) for name in names))


CHOICES = {"kind": KINDS, "generation": GENERATIONS, "core": SPELLINGS, "script": tuple(SCRIPTS)}
READERS = {"pace": _seconds, "keep_open": _switch, "defects": _defects}
