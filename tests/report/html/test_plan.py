"""What of a large report goes into the page: the worst first, never more than the room allows."""

from __future__ import annotations

from harness.report.entries import entries
from harness.report.html.plan import DRAWN, FRAMES, ROOM, ROUNDS, STEPS, plan
from tests.report.values import clean_round, finding, interaction, place, report, round_


def many(number: int):
    return [clean_round(f"run-1/EDPA-{at}-r1.sse", interactions=()) for at in range(number)]


def test_a_small_report_is_shown_whole() -> None:
    found = report(round_("a"), clean_round("b"))
    made = plan(found, entries(found))
    assert made.rounds == [0, 1]
    assert made.drawn == {"a", "b"}
    assert made.frames == {"a": frozenset({4}), "b": frozenset({4})}
    assert made.steps == 240


def test_the_worst_rounds_are_listed_and_drawn_first() -> None:
    rounds = many(ROUNDS + 100)
    rounds += [round_("bad"), round_("asks", findings=(), interactions=(interaction("native"),))]
    found = report(*rounds)
    made = plan(found, entries(found))
    assert len(made.rounds) == ROUNDS
    assert len(made.drawn) == DRAWN
    assert {"bad", "asks"} <= made.drawn
    assert len(rounds) - 2 in made.rounds
    assert made.steps * DRAWN <= STEPS


def test_a_waived_error_is_no_reason_to_come_first() -> None:
    waived = round_("waived", findings=(finding(waived="W-1"),), interactions=())
    found = report(*many(DRAWN), waived)
    assert "waived" not in plan(found, entries(found)).drawn


def test_frames_are_kept_as_long_as_there_is_room() -> None:
    long = [finding(place=place(at, "/a", (at * 50_000, (at + 1) * 50_000))) for at in range(1, 400)]
    found = report(
        round_("a", findings=(*long, finding("ORD501", "info", place=place(500))), interactions=())
    )
    frames = plan(found, entries(found)).frames["a"]
    assert 1 in frames
    assert len(frames) <= FRAMES // ROOM + 1
    assert 399 not in frames


def test_frames_of_errors_come_before_those_of_infos() -> None:
    infos = tuple(finding("ORD501", "info", place=place(at, "/a", (0, 50_000))) for at in range(1, 400))
    found = report(round_("a", findings=(*infos, finding(place=place(1000))), interactions=()))
    assert 1000 in plan(found, entries(found)).frames["a"]
