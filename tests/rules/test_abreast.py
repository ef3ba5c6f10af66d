"""Where a stream joins another one, and whether both go on alike: on trails written as letters."""

from __future__ import annotations

from array import array

import pytest

from harness.rules.abreast import Meeting, common, meet
from harness.rules.task import TRUNCATED
from harness.rules.trail import Trail


def trail(shown: str, *, begins: int | None = 0, whole: bool = True, cumulative: bool = False) -> Trail:
    """One update a letter; capitals are chunks that change the artifacts, `begins` is what was there before."""
    states = [begins or 0]
    for letter in shown:
        states.append(states[-1] + 1 if letter.isupper() else states[-1])
    size = len(shown)
    return Trail(
        array("Q", map(ord, shown)), array("Q", states), array("Q", range(2, size + 2)),
        array("Q", range(size)), array("Q", [1] * size), snapshot=begins is not None, whole=whole,
        cumulative=cumulative,
    )  # fmt: skip


WHOLE = trail("wABCDe")
"""A stream from its task's beginning to the end."""


def met(late: Trail, early: Trail = WHOLE, **more: bool) -> Meeting:
    return meet(late, early, **{"complete": early.whole, "known": True, **more})


@pytest.mark.parametrize(
    ("late", "same", "joined", "off"),
    [
        (trail("CDe", begins=2), True, True, None),
        (trail("wABCDe"), True, True, None),
        (trail("ABCDe"), True, True, None),
        (trail("CD", begins=2, whole=False), True, True, None),
        (trail("e", begins=4), True, True, None),
        (trail("De", begins=2), True, False, 1),
        (trail("e", begins=2), True, False, 2),
        (trail("BCDe", begins=2), True, False, -1),
        (trail("CDe", begins=17), True, False, None),
        (trail("Ce", begins=2), False, True, None),
        (trail("DCe", begins=2), False, None, None),
        (trail("XYe", begins=2), False, None, None),
        (trail("CDXe", begins=2), False, True, None),
    ],
)
def test_a_stream_that_joins(late: Trail, same: bool, joined: bool | None, off: int | None) -> None:
    found = met(late)
    assert (found.same, found.joined, found.off) == (same, joined, off)


def test_where_two_streams_part() -> None:
    found = met(trail("CXe", begins=2))
    assert (found.late, found.early) == (1, 4)


@pytest.mark.parametrize(
    ("late", "early"),
    [
        (trail("CDe", begins=2), trail("wAB", whole=False)),
        (trail("De", begins=3), trail("wAB", whole=False)),
        (trail("", begins=2), WHOLE),
    ],
)
def test_streams_that_do_not_overlap_are_not_told_apart(late: Trail, early: Trail) -> None:
    found = met(late, early)
    assert (found.same, found.joined) == (None, None)
    assert found.reason


def test_a_stream_that_broke_off_is_compared_as_far_as_it_went() -> None:
    assert met(trail("BCDe", begins=1), trail("wABC", whole=False))[:2] == (True, True)
    assert met(trail("CDe", begins=1), trail("wABC", whole=False))[:2] == (True, False)
    assert met(trail("XCDe", begins=1), trail("wABC", whole=False)).same is False


def test_of_two_that_joined_the_later_one_has_its_place_in_the_earlier() -> None:
    early = trail("BCDe", begins=1)
    assert met(trail("De", begins=3), early, complete=False)[:2] == (True, True)
    assert met(trail("Ce", begins=2), early, complete=False).same is False
    assert met(trail("ABCDe"), early, complete=False)[:2] == (None, None), "it joined before the other one"


@pytest.mark.parametrize(
    ("late", "complete", "same"),
    [("CDe", True, True), ("CDe", False, True), ("CXe", True, False), ("CXe", False, None)],
)
def test_a_later_turn_has_no_snapshot_and_only_its_order_counts(
    late: str, complete: bool, same: bool | None
) -> None:
    found = met(trail(late, begins=None), complete=complete)
    assert (found.same, found.joined) == (same, None)
    assert found.reason


def test_chunks_that_repeat_the_text_prove_no_gap() -> None:
    found = met(trail("De", begins=2, cumulative=True))
    assert (found.same, found.joined) == (True, None)


def test_what_is_truncated_is_told() -> None:
    cut = WHOLE._replace(truncated=True)
    assert met(cut) == met(trail("CDe", begins=2), cut) == Meeting(reason=TRUNCATED)


def test_equal_updates_make_no_trouble() -> None:
    """A token that comes again and again fits in many places; the artifacts say which is meant."""
    tokens = trail("A" * 500 + "e")
    assert met(trail("A" * 200 + "e", begins=300), tokens)[:2] == (True, True)
    assert met(trail("A" * 199 + "e", begins=300), tokens).off == 1
    assert met(trail("A" * 201 + "e", begins=300), tokens).off == -1


def test_how_far_the_beginnings_agree() -> None:
    assert list(common([1, 1, 2], [1, 1, 1, 2, 3, 1, 1, 2])) == [2, 3, 1, 0, 0, 3, 1, 0, 0]
    assert list(common([1], [])) == [0]
