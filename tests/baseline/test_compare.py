"""New, known, fixed, not judged again: each standing error or warning is one of them, and none is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.baseline.compare import compare
from harness.baseline.read import OldReport, load
from harness.model.finding import NotChecked
from harness.model.verdict import Group, Report, Round
from harness.report.json import text
from tests.report.values import clean_round, finding, group, place, report, round_

ALL = ("LEAK101", "LEAK102", "SYM401", "END502")


@pytest.fixture
def old(tmp_path: Path):
    def made(one: Report) -> OldReport:
        path = tmp_path / "old.json"
        path.write_text(text(one), encoding="utf-8")
        return load(str(path), "masked")

    return made


def known(rounds: list[Round]) -> list[bool]:
    return [each.known for one in rounds for each in one.findings]


def test_known_and_new(old) -> None:
    before = old(report(round_(findings=(finding(),))))
    now = round_(
        "run-2/x.log", findings=(finding(), finding("END502", message="no end"), finding("LEAK101", "info"))
    )
    rounds, _, made = compare([now], [], before, ALL)
    assert known(rounds)[:2] == [True, False]
    assert (made.new, made.known, made.fixed, made.unjudged) == (1, 1, (), 0)


def test_fixed(old) -> None:
    before = old(report(round_(findings=(finding(), finding("END502", place=place(99), message="no end")))))
    _, _, made = compare([round_(findings=(finding(),), not_checked=())], [], before, ALL)
    assert [one.rule for one in made.fixed] == ["END502"]
    assert made.fixed[0].message == "no end"
    assert made.unjudged == 0


@pytest.mark.parametrize(
    ("now", "applied"),
    [
        ([clean_round()], ALL),
        ([], ALL),
        ([round_(findings=())], ("END502",)),
        ([round_(findings=(), not_checked=(NotChecked("LEAK101", "no event"),))], ALL),
        ([round_(findings=(), outcome="INCONCLUSIVE")], ALL),
        ([round_(findings=()), round_("b", findings=(), outcome="INCONCLUSIVE")], ALL),
    ],
    ids=[
        "another scenario",
        "nothing",
        "rule not applied",
        "not checked",
        "undecided",
        "one of two undecided",
    ],
)
def test_what_was_not_judged_again_is_not_fixed(old, now: list[Round], applied: tuple[str, ...]) -> None:
    _, _, made = compare(now, [], old(report()), applied)
    assert (made.fixed, made.unjudged) == ((), 1)


def test_a_waived_finding_is_neither_new_nor_known(old) -> None:
    _, _, made = compare([round_(findings=(finding(waived="W-1"),))], [], old(report()), ALL)
    assert (made.new, made.known, made.fixed) == (0, 0, ())


def test_what_was_waived_then_and_is_not_now_is_new(old) -> None:
    """An expired waiver must break the contract, baseline or not."""
    before = old(report(round_(findings=(finding(waived="W-1"),))))
    rounds, _, _ = compare([round_()], [], before, ALL)
    assert known(rounds) == [False]


def test_findings_about_waivers_are_never_known(old) -> None:
    expired = Group(finding("WAIV101", "warning", place=place(None, None, None)), ())
    before = old(report(findings=(expired,)))
    _, groups, _ = compare([round_()], [expired], before, ALL)
    assert not groups[0].finding.known


def test_findings_of_several_rounds(old) -> None:
    both = [round_(), clean_round()]
    before = old(report(*both, findings=(group(),)))
    _, groups, made = compare(both, [group()], before, ALL)
    assert groups[0].finding.known
    _, _, made = compare(both, [], before, ALL)
    assert [one.rule for one in made.fixed] == ["SYM401"]
    _, _, made = compare(both[:1], [], before, ALL)
    assert (made.fixed, made.unjudged) == ((), 1)
