"""The table of defects holds together."""

from __future__ import annotations

import pytest

from harness.rules.registry import CODES
from harness.testbed.defects import ANY, DEFECTS, LOOP, SETS, named
from harness.testbed.plan import GENERATIONS


def test_names_are_unique():
    assert len({one.name for one in DEFECTS}) == len(DEFECTS)


@pytest.mark.parametrize("one", DEFECTS, ids=lambda one: one.name)
def test_each_defect_is_described(one):
    assert one.breaks.endswith(".")
    assert one.source
    assert one.found
    assert one.kinds in (ANY, LOOP)
    assert set(one.generations) <= set(GENERATIONS)
    assert set(one.found) <= set(CODES)
    assert all(number > 0 for number in one.found.values())


def test_the_sets():
    """Seed 000 reports the V2 mirror, seed 001 both forms of pollution; neither reports more."""
    assert SETS["fixed"] == frozenset()
    assert SETS["as-reported"] == {"mirror-v2", "steering-interaction", "steering-interrupt"}
    assert all(named(name) for names in SETS.values() for name in names)


def test_only_the_task_loop_can_mirror_and_pollute():
    """Seed 000, section 7; seed 001, section 3."""
    loop = {one.name for one in DEFECTS if one.kinds == LOOP}
    assert loop == {
        "mirror-v1", "mirror-v2", "mirror-final", "mirror-python", "steering-interaction", "steering-interrupt",
    }  # fmt: skip


def test_no_defect_has_an_unknown_name():
    assert named("nothing") is None
