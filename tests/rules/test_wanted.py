"""Interactions that a scenario wants, against those that were seen: kind, exposure, number, what leaks stand for."""

from __future__ import annotations

from typing import Any

import pytest

from harness.model.interaction import Interaction
from harness.model.scenario import Wanted
from harness.rules.wanted import compare, phrase
from tests.rules.values import interaction, sighting

PROXY = Wanted("delegation", "masked", channel="control")


def seen(exposure: str = "masked", channel: str = "control", call: str = "c0", **more: Any) -> Interaction:
    return interaction(sighting(exposure=exposure, channel=channel, tool_call_id=call, **more))


def numbers(
    wanted: list[Wanted], shown: list[Interaction], leaks: set[int] | None = None
) -> tuple[list[int], int]:
    counted, extra = compare(wanted, shown, leaks or set())
    return [len(one) for one in counted], len(extra)


@pytest.mark.parametrize(
    ("wanted", "shown", "found"),
    [
        ([PROXY], [seen()], ([1], 0)),
        ([PROXY], [], ([0], 0)),
        ([PROXY], [seen(), seen(call="c1")], ([2], 0)),
        ([], [seen()], ([], 1)),
        ([PROXY], [seen("leaked")], ([0], 1)),
        ([PROXY], [seen(channel="content")], ([0], 1)),
        ([Wanted("delegation", "masked")], [seen(channel="content")], ([1], 0)),
        ([Wanted("delegation", "masked", tool="hotel")], [seen(tool_name="train")], ([0], 1)),
    ],
)
def test_counting(wanted: list[Wanted], shown: list[Interaction], found: tuple[list[int], int]) -> None:
    assert numbers(wanted, shown) == found


def test_the_entry_that_says_more_takes_first() -> None:
    any_tool, hotel = Wanted("delegation", "masked"), Wanted("delegation", "masked", tool="hotel")
    shown = [seen(tool_name="hotel"), seen(call="c1", tool_name="train")]
    assert numbers([any_tool, hotel], shown) == ([1, 1], 0)


def test_what_one_entry_has_enough_of_goes_to_the_next() -> None:
    shown = [seen(call=f"c{number}", tool_name="hotel") for number in range(3)]
    assert numbers(
        [Wanted("delegation", "masked", tool="hotel"), Wanted("delegation", "masked", 2)], shown
    ) == (
        [1, 2],
        0,
    )


def test_a_leak_that_is_told_already_stands_for_the_masked_one_that_is_missing() -> None:
    assert numbers([PROXY], [seen("leaked")], {0}) == ([1], 0)


def test_a_leak_that_is_told_already_is_not_one_too_many() -> None:
    assert numbers([PROXY], [seen(), seen("leaked", "content", "c0")], {1}) == ([1], 0)
    assert numbers([], [seen("leaked", "content")], {0}) == ([], 0)


def test_a_declared_delegation_asks_nothing_and_counts_only_where_one_is_wanted() -> None:
    """G3 tells delegations by a documented feature (openJiuwen facts, section 1)."""
    told = seen("declared", "content")
    assert numbers([], [told]) == ([], 0)
    assert numbers([PROXY], [seen(), told]) == ([1], 0)
    declared = Wanted("delegation", "declared")
    assert numbers([declared], [told, seen("declared", "content", "c1")]) == ([2], 0)
    assert numbers([declared._replace(tool="hotel")], [told]) == ([0], 1)


def test_phrases() -> None:
    assert phrase(PROXY) == "masked delegation on the control channel"
    assert phrase(seen("leaked", tool_name="hotel")) == "leaked delegation of hotel on the control channel"
