"""The definitions of docs/history.md: broken, waived, clean, unknown; steady, new, fixed, flaky."""

from __future__ import annotations

import pytest

from harness.history.states import Seen, Told, course, now, walk

RULE, SPOT = "LEAK101", "DA-09 r1 client"
LETTERS = {"b": "broken", "w": "waived", "c": "clean", "-": "unknown"}


def seen(standing: int = 1, findings: int = 1, spots: frozenset[str] = frozenset({SPOT})) -> Seen:
    return Seen("slug", "error", findings, standing, spots)


def told(
    *, applied: tuple[str, ...] = (RULE,), judged: dict[str, frozenset[str] | None] | None = None
) -> Told:
    return Told(applied, {SPOT: frozenset()} if judged is None else judged)


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("b", "steady"),
        ("bbbb", "steady"),
        ("b--b-", "steady"),
        ("bwbw", "steady"),
        ("cb", "new"),
        ("ccbbb", "new"),
        ("c-b-", "new"),
        ("bc", "fixed"),
        ("bb--ccc", "fixed"),
        ("c", "fixed"),
        ("cccc", "fixed"),
        ("cbc", "flaky"),
        ("bcb", "flaky"),
        ("bbbcccbbb", "flaky"),
        ("cbcbcb", "flaky"),
        ("b-c-b", "flaky"),
        ("", "unknown"),
        ("---", "unknown"),
    ],
)
def test_course(letters: str, expected: str) -> None:
    assert course([LETTERS[one] for one in letters]) == expected


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("bc-", "clean"), ("cb", "broken"), ("w--", "waived"), ("--", "unknown"), ("", "unknown")],
)
def test_now(letters: str, expected: str) -> None:
    assert now([LETTERS[one] for one in letters]) == expected


def test_a_rule_that_comes_goes_and_comes_back() -> None:
    walked = walk(RULE, {1: seen(), 4: seen(), 5: seen()}, [told()] * 7)
    assert walked.states == ("clean", "broken", "clean", "clean", "broken", "broken", "clean")
    assert (walked.first, walked.last, walked.since, walked.fixed) == (1, 5, None, 6)


def test_the_streak_that_stands_now() -> None:
    walked = walk(RULE, {0: seen(), 2: seen(), 4: seen()}, [told(), told(), told(), told(judged={}), told()])
    assert walked.states == ("broken", "clean", "broken", "unknown", "broken")
    assert (walked.since, walked.fixed) == (2, None)


def test_fixed_is_the_first_clean_run_behind_the_last_finding() -> None:
    runs = [told(), told(judged={}), told(), told()]
    assert walk(RULE, {0: seen()}, runs).fixed == 2


@pytest.mark.parametrize(
    "run",
    [
        told(applied=()),
        told(applied=("MASK201",)),
        told(judged={}),
        told(judged={"DA-01 r1 client": frozenset()}),
        told(judged={SPOT: None}),
        told(judged={SPOT: frozenset({RULE})}),
    ],
    ids=["rules not known", "not applied", "no round", "another round", "not decided", "not checked"],
)
def test_a_run_that_can_not_tell_is_never_clean(run: Told) -> None:
    walked = walk(RULE, {0: seen()}, [told(), run])
    assert (walked.states[1], walked.fixed) == ("unknown", None)


def test_another_rule_that_was_not_checked_does_not_matter() -> None:
    assert walk(RULE, {0: seen()}, [told(), told(judged={SPOT: frozenset({"MASK201"})})]).fixed == 1


def test_all_rounds_in_which_it_stood_must_be_judged_again() -> None:
    both = seen(spots=frozenset({SPOT, "DA-01 r1 client"}))
    half, whole = told(), told(judged={SPOT: frozenset(), "DA-01 r1 client": frozenset()})
    assert walk(RULE, {0: both}, [whole, half, whole]).states == ("broken", "unknown", "clean")


def test_what_waivers_accept_is_kept_as_waived() -> None:
    walked = walk(RULE, {0: seen(standing=0), 1: seen(standing=1, findings=3)}, [told(), told()])
    assert (walked.states, walked.findings) == (("waived", "broken"), (1, 3))


def test_a_finding_of_no_round_can_not_be_called_clean() -> None:
    assert walk(RULE, {0: seen(spots=frozenset())}, [told(), told()]).states == ("broken", "unknown")
