"""New, fixed, waived, from one judgement to the next."""

from __future__ import annotations

from harness.cli.changes import MOST, changes, lines
from harness.cli.words import words
from harness.report.view import View
from tests.report.values import clean_round, finding, group, report, round_

ALL = ("LEAK101", "END502", "SYM401")


def told(before, now) -> list[str]:
    return list(lines(changes(before, now, ALL), View(words=words("en"))))


def test_nothing_changed() -> None:
    one = report(round_(findings=(finding(), finding("END502", message="no end"))))
    assert told(one, one) == ["since the last judgement: 0 new, 0 fixed, 0 newly waived; exit 1 -> 1"]


def test_each_kind_has_its_lines() -> None:
    before = report(round_(findings=(finding("END502", message="no end"), finding())), exit=1)
    now = report(round_(findings=(finding(waived="W-1"),)), findings=(group(),), exit=1)
    first, *rest = told(before, now)
    assert first.startswith("since the last judgement: 1 new, 1 fixed, 1 newly waived")
    assert [line.split()[:2] for line in rest] == [
        ["new", "SYM401"],
        ["fixed", "END502"],
        ["waived", "LEAK101"],
    ]


def test_what_was_not_judged_again_is_not_fixed() -> None:
    before = report(round_(findings=(finding(),)))
    now = report(clean_round(scenario="other"), exit=0)
    assert changes(before, now, ALL).fixed == ()


def test_what_a_baseline_knew_is_new_all_the_same() -> None:
    now = report(round_(findings=(finding(known=True),)))
    assert len(changes(report(round_(findings=())), now, ALL).new) == 1


def test_infos_are_no_news_and_hostile_text_is_harmless() -> None:
    now = report(round_(findings=(finding("END502", "info"), finding(message="\x1b[2J\nboom"))))
    _, line = told(report(round_(findings=())), now)
    assert "\x1b" not in line
    assert "boom" in line


def test_many_are_counted() -> None:
    many = tuple(finding(message=f"to {name}", names=(name,)) for name in ("abcdefghijklmnopqrst"))
    lines_ = told(report(round_(findings=())), report(round_(findings=many)))
    assert len(lines_) == MOST + 2
    assert lines_[-1] == f"  new: {len(many) - MOST} more"
