"""The mapping fuzz target: a minute finds nothing, and a planted fault is found at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from harness.mapping import nested, paths, spot, walk
from harness.mapping.engine import Mapper
from harness.mapping.load import load
from tests.fuzz.fuzz_mapping import Fault, hunt


def skips_an_escape(patch: pytest.MonkeyPatch) -> None:
    """Text whose braces are all escaped is not opened."""
    for module in (walk, paths):
        patch.setattr(module, "worth", lambda text: "{" in text or "[" in text)


def skips_a_string_level(patch: pytest.MonkeyPatch) -> None:
    """A string inside a string's JSON is not opened."""
    whole = nested.whole

    def once(text: str) -> Any:
        value = whole(text)
        return nested.NO if isinstance(value, str) else value

    patch.setattr(walk, "whole", once)


def trusts_markers_over_escapes(patch: pytest.MonkeyPatch) -> None:
    """A text without a marker is passed over, though an escape may hide one."""
    patch.setattr(walk, "held_by", lambda text, markers: any(marker in text for marker in markers or ()))


def forgets_to_escape_pointers(patch: pytest.MonkeyPatch) -> None:
    """`/` and `~` in names are put into pointers as they are."""
    patch.setattr(spot, "child", lambda pointer, step: f"{pointer}/{step}")


def reads_prose_only_to_its_first_value(patch: pytest.MonkeyPatch) -> None:
    """Text around JSON hides it."""
    patch.setattr(walk, "embedded", lambda text: [])


def tells_what_is_inside_again(patch: pytest.MonkeyPatch) -> None:
    """Interrupts inside a taken node are told again."""
    patch.setattr(walk, "QUIET", 0)


FAULTS: list[Callable[[pytest.MonkeyPatch], None]] = [
    skips_an_escape, skips_a_string_level, trusts_markers_over_escapes, forgets_to_escape_pointers,
    reads_prose_only_to_its_first_value, tells_what_is_inside_again,
]  # fmt: skip


@pytest.mark.parametrize("plant", FAULTS)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    found = hunt(Mapper(load()), seconds=30, seed=1)
    assert isinstance(found, Fault)
    assert found.tries < 5_000


@pytest.mark.parametrize(
    "lost", ['"_stream', "interrupt", '"runtime.', "versatile-delegate-", "InteractionOutput"]
)
def test_a_lost_marker_is_found(lost: str) -> None:
    mapper = Mapper(load())
    assert mapper.markers is not None
    kept = tuple(marker for marker in mapper.markers if not marker.decode().startswith(lost))
    assert len(kept) < len(mapper.markers)
    mapper.markers = kept
    found = hunt(mapper, seconds=30, seed=2)
    assert isinstance(found, Fault)
    assert found.what == "no marker stands in the frame"


def test_two_seconds_of_fuzzing_find_nothing() -> None:
    found = hunt(Mapper(load()), seconds=2, seed=42)
    assert not isinstance(found, Fault), found


@pytest.mark.slow
def test_a_minute_of_fuzzing_finds_nothing() -> None:
    seconds = float(os.environ.get("HARNESS_FUZZ_SECONDS", "60"))
    found = hunt(Mapper(load()), seconds=seconds, seed=20260811)
    assert not isinstance(found, Fault), found
    assert found > 1_000
