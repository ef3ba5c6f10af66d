"""Which run it is: the id and the start that `run.json` tells, or that the folder's name tells."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.capture.store import read_run
from harness.history.when import moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_NAMED = re.compile(r"run-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})(?:-\d+)?")


class RunFacts(NamedTuple):
    """One run. Times are UTC, as `harness.history.when` writes them."""

    run: str
    started: str
    ended: str | None = None
    sut: str | None = None
    defects: str | None = None
    marks: str = ""
    """What else `run.json` has that no other run has."""

    @property
    def key(self) -> str:
        """The same for the same run, whoever asks."""
        import hashlib

        text = "\n".join((self.run, self.started, self.marks))
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def run_of(folder: str) -> RunFacts | None:
    """The run that a folder holds; None where neither `run.json` nor its name says so.

    The time in a name has no zone and is taken for UTC. Raises `CaptureError` for a `run.json`
    that can not be read.
    """
    facts = read_run(folder)
    name = os.path.basename(os.path.normpath(os.path.abspath(folder)))
    named = _by_name(name)
    if facts is None:
        return None if named is None else RunFacts(name, named)
    started = _moment(facts.get("started")) or named
    if started is None:
        return None
    run = _text(facts.get("id")) or name
    return RunFacts(
        run,
        started,
        _moment(facts.get("ended")),
        _text(facts.get("sut")),
        _text(facts.get("defects")),
        _marks(facts),
    )


def is_run(folder: str) -> bool:
    """Does a folder look like a run?"""
    if os.path.isfile(os.path.join(folder, "run.json")):
        return True
    return os.path.isdir(folder) and _by_name(os.path.basename(os.path.abspath(folder))) is not None


def runs_below(paths: Sequence[str]) -> Iterator[str]:
    """The run folders at and below `paths`, sorted; a run folder is not searched for others."""
    for path in paths:
        if is_run(path):
            yield path
            continue
        for folder, below, _ in os.walk(path):
            below.sort()
            for name in [one for one in below if is_run(os.path.join(folder, one))]:
                below.remove(name)
                yield os.path.join(folder, name)


def _marks(facts: Mapping[str, Any]) -> str:
    """Two recorders that begin in the same second have other conversations, addresses or pseudonyms."""
    import json

    talks = facts.get("conversations")
    ids = [str(one) for one in talks.values()] if isinstance(talks, dict) else []
    return json.dumps([ids, facts.get("legs"), facts.get("redaction")], sort_keys=True)


def _by_name(name: str) -> str | None:
    found = _NAMED.fullmatch(name)
    return moment("{}-{}-{}T{}:{}:{}".format(*found.groups())) if found else None


def _moment(value: Any) -> str | None:
    return moment(value) if isinstance(value, str) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
