"""A finding is the same in another run if its cause is: ids, times, counts and prompts do not tell it apart."""

from __future__ import annotations

import pytest

from harness.baseline.identity import of_group, of_round, said
from tests.report.values import clean_round, finding, group, interaction, place, round_


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (
            "the timestamp 2026-08-11T09:30:01.137+08:00 is not UTC",
            "the timestamp 2027-01-01T00:00:00Z is not UTC",
        ),
        ("call 'call_00_Zx0AbC' is answered twice", "call 'call_07_9f3' is answered twice"),
        ("12 events follow the end", "7 events follow the end"),
        (
            "task '8f14e45f-ceea-467f-a8d2-0b6d4f6cbe1c' changed",
            "task 'c9f0f895-fb98-ab91-59f5-1fd0297e236d' changed",
        ),
        ("it says 'price of A'", "it says 'what is the price of B?'"),
    ],
)
def test_what_changes_from_run_to_run(first: str, later: str) -> None:
    assert said(first, ()) == said(later, ())


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("agent 'search-agent' is visible", "agent 'verify-agent' is visible"),
        ("the stream ends with HTTP 500", "the stream ends with HTTP 503"),
        ("error -32603 ended the round", "error -32001 ended the round"),
        ("'taskId' is missing", "'contextId' is missing"),
    ],
)
def test_what_tells_causes_apart(first: str, later: str) -> None:
    assert said(first, ()) != said(later, ())


def test_names_count_where_they_are_names() -> None:
    assert said("x", ("agentName", "context")) == said("x", ("context", "agentName", "call_01"))
    assert said("x", ("agentName",)) != said("x", ("interruptKind",))


def only(one) -> object:
    [(_, identity)] = of_round(one)
    return identity


def test_an_interaction_is_known_by_what_it_is() -> None:
    later = interaction(tool_call_id="call_9", prompt="something else")
    assert only(round_()) == only(
        round_("run-2/x.log", interactions=(later,), findings=(finding(message="y"),))
    )
    assert only(round_()) != only(round_(interactions=(interaction(agent="verify-agent"),)))
    assert only(round_()) != only(round_(interactions=(interaction(channel="control"),)))


def test_bytes_and_run_folders_do_not_count() -> None:
    moved = round_("run-2/x.log", interactions=(), findings=(finding(place=place(7, "/a", (1, 2))),))
    assert only(round_(interactions=())) == only(moved)


def test_a_finding_of_several_rounds() -> None:
    rounds = {one.source: one for one in (round_(), clean_round())}
    moved = {f"run-2/{source}": one for source, one in rounds.items()}
    other = group()._replace(rounds=tuple(moved))
    assert of_group(group(), rounds) == of_group(other, moved)
    assert of_group(group(), rounds) != of_group(group(), {})
