"""Faults by their names: sets, single ones, and what they are called together."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.live.defects import asked
from harness.testbed.defects import SETS


@pytest.mark.parametrize(
    ("names", "set_name", "label"),
    [
        ((), "fixed", "fixed"),
        ((), "as-reported", "as-reported"),
        (("wrong-ids",), "fixed", "wrong-ids"),
        (("wrong-ids", "masking-off", "wrong-ids"), "fixed", "masking-off+wrong-ids"),
        (tuple(SETS["as-reported"]), "fixed", "as-reported"),
        (tuple(SETS["as-reported"])[:1], "as-reported", "as-reported"),
        (("wrong-ids",), "as-reported", "+".join(sorted(SETS["as-reported"] | {"wrong-ids"}))),
    ],
)
def test_what_they_are_called_together(names: tuple[str, ...], set_name: str, label: str) -> None:
    assert asked(names, set_name) == (SETS[set_name].union(names), label)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match=r"--defect x: no such defect; defects are .*wrong-ids"):
        asked(("x",), "fixed")
    with pytest.raises(UsageError, match="--set x: no such set of defects; sets are fixed, as-reported"):
        asked((), "x")
