"""The plugin's options, on the command line and, as `harness_*`, in the ini file.

What the command line says wins. Paths on the command line are relative to the current folder, those
of the ini file to the folder of that file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import pytest

    from harness.model.scenario import Scenario

ENDING = ".scenario.yaml"
TESTBED = "testbed"
CAPTURES = "captures"
CONTRACT = "masked"


class Option(NamedTuple):
    """One option and its ini key."""

    name: str
    kind: Literal["word", "words", "path", "paths", "flag", "number"]
    metavar: str
    help: str

    @property
    def dest(self) -> str:
        """The name of its value; also the ini key."""
        return "harness_" + self.name.replace("-", "_").removeprefix("harness_")


OPTIONS: tuple[Option, ...] = (
    Option("sut", "path", "testbed|FILE", "the system that scenarios are driven against (testbed)"),
    Option("run", "path", "DIR", "judge what was recorded there instead of driving a system"),
    Option("contract", "word", "NAME|FILE", "contract of all scenarios, instead of their own (masked)"),
    Option("set", "word", "NAME", "the testbed's defects: fixed (none) or as-reported"),
    Option("defect", "words", "NAME", "one more defect of the testbed; may be repeated"),
    Option("captures", "path", "DIR", "where the run folder is made (captures)"),
    Option("waivers", "path", "FILE", "accepted findings (scenarios/waivers.yaml, where it exists)"),
    Option("topologies", "path", "FILE", "topologies, instead of the shipped ones"),
    Option("mapping", "paths", "FILE", "a mapping of further shapes; may be repeated"),
    Option("fail-on", "word", "error|warning", "the mildest finding that breaks the contract (error)"),
    Option("harness-jobs", "number", "N", "conversations, or processes that judge a --run, at the same time"),
    Option("allow-missing-captures", "flag", "", "a scenario without a capture is skipped and not red"),
    Option("allow-unnamed-captures", "flag", "", "a capture that no scenario names is told and not red"),
    Option(
        "update-golden", "flag", "", "show what differs from the golden runs and write them anew; not in CI"
    ),
)

_INI = {
    "word": "string",
    "path": "string",
    "number": "string",
    "words": "args",
    "paths": "args",
    "flag": "bool",
}


class Choices(NamedTuple):
    """What the user chose; None: nothing."""

    sut: str | None
    run: str | None
    contract: str | None
    set: str | None
    defect: tuple[str, ...]
    captures: str
    waivers: str | None
    topologies: str | None
    mapping: tuple[str, ...]
    fail_on: str
    jobs: int | None
    allow_missing_captures: bool
    allow_unnamed_captures: bool
    update_golden: bool
    strict: bool

    @property
    def breaking(self) -> frozenset[str]:
        """Severities that break the contract."""
        return frozenset({"error", "warning"} if self.strict or self.fail_on == "warning" else {"error"})

    def contract_of(self, scenario: Scenario) -> str:
        """The contract that a scenario is judged by, as the user named it."""
        return self.contract or scenario.contract or CONTRACT


def add(parser: pytest.Parser) -> None:
    """Declare all options and their ini keys."""
    group = parser.getgroup("harness", "scenarios of the A2A harness")
    for one in OPTIONS:
        actions: dict[str, dict[str, Any]] = {
            "flag": {"action": "store_true", "default": None},
            "words": {"action": "append", "metavar": one.metavar, "default": None},
            "paths": {"action": "append", "metavar": one.metavar, "default": None},
        }
        more = actions.get(one.kind, {"metavar": one.metavar, "default": None})
        group.addoption(f"--{one.name}", dest=one.dest, help=one.help, **more)
        parser.addini(one.dest, one.help, type=_INI[one.kind], default=None)  # type: ignore[arg-type]


def choices(config: pytest.Config) -> Choices:
    """What the command line says, else the ini file, else the default; raises `pytest.UsageError`."""
    said = {one.dest.removeprefix("harness_"): _value(config, one) for one in OPTIONS}
    lists = {name: tuple(said[name] or ()) for name in ("defect", "mapping")}
    flags = {
        one.dest.removeprefix("harness_"): bool(_value(config, one)) for one in OPTIONS if one.kind == "flag"
    }
    made = {**said, **lists, **flags, "strict": bool(config.getini("strict"))}
    if config.getoption("harness_run") is not None and config.getoption("harness_sut") is None:
        made["sut"] = None  # the ini file's: a run that is named on the command line wins
    elif config.getoption("harness_sut") is not None and config.getoption("harness_run") is None:
        made["run"] = None
    made["captures"] = made["captures"] or CAPTURES
    made["fail_on"] = _fail_on(made["fail_on"] or "error")
    made["jobs"] = _number(made["jobs"])
    return Choices(**{name: made[name] for name in Choices._fields})


def given(config: pytest.Config) -> bool:
    """Was any of them given? Then mistakes are told at once."""
    return any(_value(config, one) for one in OPTIONS)


def _value(config: pytest.Config, one: Option) -> Any:
    said = config.getoption(one.dest)
    if said is not None:
        return said
    value = config.getini(one.dest)
    if not value or one.kind not in ("path", "paths"):
        return value
    base = str(config.inipath.parent if config.inipath else config.rootpath)
    return shown(base, value) if one.kind == "path" else [shown(base, each) for each in value]


def shown(base: str, path: str) -> str:
    """A path of the ini file as one that can be opened, and read, from the current folder."""
    if path == TESTBED:
        return path
    whole = os.path.join(base, path)
    near = os.path.relpath(whole)
    return whole if near.startswith(os.pardir) else near


def _fail_on(word: str) -> str:
    if word not in ("error", "warning"):
        raise usage(f"--fail-on {word}: no severity that can break a contract; write error or warning")
    return word


def _number(text: str | None) -> int | None:
    if not text:
        return None
    if not str(text).isdecimal() or int(text) < 1:
        raise usage(f"--harness-jobs {text}: no number of conversations; write a whole number from 1 on")
    return int(text)


def usage(text: str) -> Exception:
    """What pytest tells in one line before it leaves."""
    import pytest

    return pytest.UsageError(text)
