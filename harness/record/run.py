"""The run folder: its name, `run.json`, and what is missing in it.

`run.json` is written when the recorder starts and when it ends; `ended` null is a recorder that
died. Nothing here raises where the disk does: a run that can not be written is incomplete.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import harness
from harness.capture.journal import VERSION
from harness.capture.store import write_run
from harness.record.assign import is_round

if TYPE_CHECKING:
    from harness.capture.naming import Name
    from harness.record.assign import Where
    from harness.record.clean import Clean
    from harness.record.feed import Feed
    from harness.record.settings import Settings


class Clock:
    """Nanoseconds since 1970 that never go back."""

    def __init__(self) -> None:
        self._base = time.time_ns() - time.monotonic_ns()

    def __call__(self) -> int:
        return self._base + time.monotonic_ns()


class Entry(NamedTuple):
    """One exchange in `run.json`."""

    stem: str
    where: Where
    ending: str


def new_run(captures: str) -> str:
    """The path of a run folder below `captures` that does not exist yet; it is not made."""
    name = os.path.join(captures, time.strftime("run-%Y%m%d-%H%M%S"))
    path, number = name, 1
    while os.path.lexists(path):
        number += 1
        path = f"{name}-{number}"
    return path


class Run:
    """What is known of the run; exchanges and flaws are added as they come."""

    def __init__(self, settings: Settings, clean: Clean) -> None:
        self.clean = clean
        self.folder = settings.run_dir
        self.leaves_out_other = settings.leave_out_other
        self.clock = Clock()
        self.entries: list[Entry] = []
        self.cards: list[dict[str, Any]] = []
        self.tunnelled: dict[str, int] = {}
        self.warnings: dict[str, None] = {}
        self.begun = 0
        self.again: set[tuple[str, int]] = set()
        """Scenario and number of rounds that were sent more than once."""
        self.calls: dict[Name, int] = {}
        """The next number of each name that exchanges had."""
        self.feed: Feed | None = None
        self.facts: dict[str, Any] = {}
        self._settings = settings
        self._started = _now()
        self._incomplete: dict[str, int] = {}

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Why the run is not whole, each reason once."""
        return tuple(
            reason if times == 1 else f"{reason} ({times} times)"
            for reason, times in self._incomplete.items()
        )

    def lacks(self, reason: str) -> None:
        """Something is missing from the run folder."""
        reason = self.clean.text(reason)
        self._incomplete[reason] = self._incomplete.get(reason, 0) + 1

    def warn(self, text: str) -> None:
        """Something that a user should know."""
        self.warnings[self.clean.text(text)] = None

    def count_unassigned(self) -> None:
        """Tell how many exchanges belong to no round."""
        legs = [one.where.leg for one in self.entries if one.where.unassigned]
        for leg in dict.fromkeys(legs):
            self.warn(
                f"leg {leg}: {legs.count(leg)} exchanges could not be assigned to a round and are round 0: "
                "no id, no trace, and not one conversation alone was open"
            )

    def open(self) -> None:
        """Make the folder and a first `run.json`."""
        try:
            self._make()
        except OSError as error:
            self.lacks(f"{self.folder} can not be made: {error.strerror}")
            return
        self._write(None)

    def _make(self) -> None:
        if not self._settings.own:
            os.makedirs(self.folder, exist_ok=True)
            return
        os.makedirs(os.path.dirname(self.folder) or ".", exist_ok=True)
        path, number = self.folder, 1
        while True:
            try:
                os.mkdir(self.folder)
            except FileExistsError:
                number += 1
                self.folder = f"{path}-{number}"
            else:
                return

    def close(self) -> None:
        """Write the last `run.json`."""
        self._write(_now())

    def _write(self, ended: str | None) -> None:
        try:
            write_run(self.folder, self._all(ended))
        except OSError as error:
            self.lacks(f"run.json can not be written: {error.strerror}")
            self._overwrite(ended)

    def _overwrite(self, ended: str | None) -> None:
        """On a full disk: the most important, in the place that the first `run.json` takes already."""
        path = os.path.join(self.folder, "run.json")
        facts = {"run": VERSION, "started": self._started, "ended": ended, "incomplete": self.incomplete[:3]}
        try:
            with open(path, "r+b") as file:
                file.write(json.dumps(facts).encode() + b"\n")
                file.truncate()
            with suppress(FileNotFoundError):
                os.unlink(path + ".new")
        except OSError as error:
            self.lacks(f"nor can it be changed: {error.strerror}")

    def _retried(self) -> list[str]:
        """Requests of the client that were sent again: all but the last of each round."""
        stems: list[str] = []
        for scenario, number in sorted(self.again):
            sent = [one for one in self.entries if is_round(one.where) and one.where[0] == scenario]
            sent = [one for one in sent if one.where.round == number]
            stems += sorted((one.stem for one in sent), key=_call)[:-1]
        return stems

    def _all(self, ended: str | None) -> dict[str, Any]:
        settings = self._settings
        topology = settings.topology
        return {
            "id": os.path.basename(os.path.normpath(self.folder)),
            "started": self._started,
            "ended": ended,
            "tool": f"harness {harness.__version__}",
            "system": topology.entry if topology else None,
            "topology": topology.name if topology else None,
            "scenarios": sorted({one.where.scenario for one in self.entries if one.where.round}),
            "contract": settings.contract,
            "redaction": self.clean.facts,
            "identity": settings.identity,
            "cards": self.clean.value(self.cards),
            "tunnelled": self.tunnelled,
            "exchanges": [_entry(one) for one in self.entries],
            "retried": self._retried(),
            "incomplete": list(self.incomplete),
            "warnings": list(self.warnings),
            **self.clean.value(dict(settings.facts)),
            **self.facts,
        }


def _entry(one: Entry) -> dict[str, Any]:
    where = one.where
    return {
        "stem": one.stem,
        "leg": where.leg,
        "protocol": where.protocol,
        "scenario": where.scenario,
        "round": where.round,
        "ending": one.ending,
        "unassigned": where.unassigned,
    }


def _call(stem: str) -> int:
    """The number of a call with the same name: 1, or what the stem ends with."""
    last = stem.rpartition(".")[2]
    return int(last) if last.isdecimal() else 1


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
