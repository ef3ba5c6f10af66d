"""The fuzz target of the diff: a minute finds nothing, and a planted fault is found at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from harness.diff import compare, events, ids, match, normal, units
from tests.fuzz.fuzz_diff import Fault, hunt


def looks_for_no_ids_in_texts(patch: pytest.MonkeyPatch) -> None:
    """An id inside a longer string is text."""
    patch.setattr(ids.Ids, "inside", lambda self, text: [])


def tells_ids_apart_by_their_values(patch: pytest.MonkeyPatch) -> None:
    """A member that holds an id is compared as it stands."""
    patch.setattr(normal.Normal, "_id", lambda self, value, name: value)


def loses_the_last_match(patch: pytest.MonkeyPatch) -> None:
    """The last equal event is no pair."""

    def fewer(a: Any, b: Any) -> match.Matches:
        found = match.match(a, b)
        if not found.equal:
            return found
        i, j = found.equal[-1]
        return found._replace(equal=found.equal[:-1], removed=[*found.removed, i], added=[*found.added, j])

    patch.setattr(events, "match", fewer)


def sees_outcomes_of_b_only(patch: pytest.MonkeyPatch) -> None:
    """An outcome that is no longer COMPLETED is told, the other way round it is not."""
    outcome = compare._outcome
    patch.setattr(compare, "_outcome", lambda a, b: outcome(a, b) if a.outcome == "COMPLETED" else iter(()))


def counts_on(patch: pytest.MonkeyPatch) -> None:
    """The label of an event depends on what was compared before."""
    numbers, label = count(), units._label
    patch.setattr(units, "_label", lambda event: f"{label(event)} {next(numbers)}")


FAULTS: list[Callable[[pytest.MonkeyPatch], None]] = [
    looks_for_no_ids_in_texts, tells_ids_apart_by_their_values, loses_the_last_match,
    sees_outcomes_of_b_only, counts_on,
]  # fmt: skip


@pytest.mark.parametrize("plant", FAULTS)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    found = hunt(seconds=60, seed=1)
    assert isinstance(found, Fault)
    assert found.tries < 500


def test_what_trips_over_a_peers_odd_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A status is an object, or so they say."""
    monkeypatch.setattr(units.Units, "_says_nothing", lambda self, event: not event.body["status"]["state"])
    with pytest.raises((KeyError, TypeError)):
        hunt(seconds=60, seed=1)


def test_two_seconds_of_fuzzing_find_nothing() -> None:
    found = hunt(seconds=2, seed=42)
    assert not isinstance(found, Fault), found


@pytest.mark.slow
def test_a_minute_of_fuzzing_finds_nothing() -> None:
    found = hunt(seconds=float(os.environ.get("HARNESS_FUZZ_SECONDS", "60")), seed=20260811)
    assert not isinstance(found, Fault), found
    assert found > 100


@pytest.mark.slow
def test_every_process_says_the_same(no_hang: None) -> None:
    """Hashes of texts differ from process to process; nothing that is said may follow them."""
    told = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "tests.fuzz.fuzz_diff", "--digest", "300", "--seed", "7"]
        told.append(subprocess.check_output(command, env={**os.environ, "PYTHONHASHSEED": seed}, text=True))
    assert told[0] == told[1] != ""
