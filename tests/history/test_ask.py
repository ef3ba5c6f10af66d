"""What an index says of its runs: windows, trends, sizes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from harness.errors import UsageError
from harness.history.add import compact
from harness.history.ask import asked
from harness.history.folder import Local
from harness.history.read import read
from harness.history.sql import select
from harness.history.values import History, Others, Question, Summary, When
from tests.history.rows import broken, filled, finding, round_, summary


def only(history: History) -> Any:
    assert len(history.trends) == 1
    return history.trends[0]


def test_first_last_and_how_often(tmp_path) -> None:
    where = filled(tmp_path, [summary(1), broken(2), broken(3), summary(4), broken(5)])
    one = only(asked(where, Question()))
    assert (one.topology, one.rule, one.slug, one.severity) == (
        "deep-research", "LEAK101", "delegation-on-content", "error",
    )  # fmt: skip
    assert one.first == When("run-0002", "2026-08-01T00:02:00Z")
    assert one.last == one.since == When("run-0005", "2026-08-01T00:05:00Z")
    assert (one.seen, one.known, one.course, one.now, one.fixed) == (3, 5, "flaky", "broken", None)
    assert one.findings == (0, 1, 1, 0, 1)


def test_fixed_in_a_run(tmp_path) -> None:
    one = only(asked(filled(tmp_path, [broken(1), broken(2), summary(3), summary(4)]), Question()))
    assert (one.course, one.now, one.since) == ("fixed", "clean", None)
    assert one.fixed == When("run-0003", "2026-08-01T00:03:00Z")


def test_not_fixed_by_a_run_that_did_not_look(tmp_path) -> None:
    runs = [broken(1), summary(2, rules=("MASK201",)), summary(3, rounds=(round_(outcome="INCONCLUSIVE"),))]
    runs += [summary(4, rounds=(round_(not_checked=("LEAK101",)),)), summary(5, rounds=(round_("DA-01"),))]
    runs += [summary(6, rounds=(round_(unread=1),)), summary(7, rules=())]
    one = only(asked(filled(tmp_path, runs), Question()))
    assert (one.states, one.fixed, one.known) == (("broken", *["unknown"] * 6), None, 1)


def test_waived_findings_are_kept_as_waived(tmp_path) -> None:
    waived = finding(waived="W-1")
    runs = [broken(1), broken(2, waived), broken(3, waived, finding())]
    made = asked(filled(tmp_path, runs), Question())
    one = only(made)
    assert one.states == ("broken", "waived", "broken")
    assert (one.findings, one.course) == ((1, 1, 2), "steady")
    assert [(run.errors, run.waived) for run in made.runs] == [(1, 0), (0, 1), (1, 1)]


def test_the_window_by_number(tmp_path) -> None:
    made = asked(filled(tmp_path, [broken(1), summary(2), broken(3), broken(4)]), Question(last=2))
    one = only(made)
    assert [run.run for run in made.runs] == ["run-0003", "run-0004"]
    assert (made.before, one.seen, one.known, one.course) == (2, 2, 2, "steady")
    assert (one.first.run, one.since.run) == ("run-0001", "run-0003"), "of the whole index"


@pytest.mark.parametrize(
    ("since", "runs"),
    [
        ("2026-08-01", 4),
        ("2026-08-01T00:03", 2),
        ("2026-08-01T08:03+08:00", 2),
        ("run-0002", 3),
        ("2027-01-01", 0),
    ],
)
def test_the_window_by_time_or_run(tmp_path, since: str, runs: int) -> None:
    where = filled(tmp_path, (broken(number) for number in range(1, 5)))
    assert len(asked(where, Question(since=since)).runs) == runs
    assert len(asked(where, Question(since=since, last=1)).runs) == min(runs, 1)


def test_what_was_fixed_before_the_window_is_left_out(tmp_path) -> None:
    where = filled(tmp_path, [broken(1), summary(2), summary(3)])
    assert asked(where, Question(last=1)).trends == ()
    assert only(asked(where, Question(last=2))).course == "fixed"


def test_what_no_run_of_the_window_can_tell_still_stands(tmp_path) -> None:
    where = filled(tmp_path, [broken(1), summary(2, rounds=(round_("DA-01"),))])
    one = only(asked(where, Question(last=1)))
    assert (one.course, one.now, one.seen, one.known, one.since.run) == (
        "unknown",
        "unknown",
        0,
        0,
        "run-0001",
    )


@pytest.mark.parametrize(
    ("question", "rules"),
    [
        (Question(), ["LEAK101", "SSE101", "LEAK101"]),
        (Question(infos=True), ["LEAK101", "SSE101", "ART701", "LEAK101"]),
        (Question(topology="edpa"), ["LEAK101"]),
        (Question(rules=("SSE101", "ART701")), ["SSE101"]),
        (Question(topology="edpa", rules=("SSE101",)), []),
    ],
)
def test_topologies_and_rules(tmp_path, question: Question, rules: list[str]) -> None:
    edpa = finding(topology="edpa", scenario="EDPA-03", spots=("EDPA-03 r1 client",))
    findings = (finding(), finding("SSE101", severity="warning"), finding("ART701", severity="info"), edpa)
    rounds = (round_(), round_("EDPA-03", topology="edpa"))
    made = asked(filled(tmp_path, [broken(1, *findings, rounds=rounds)]), question)
    assert [one.rule for one in made.trends] == rules


def test_the_gravest_severity_of_the_window(tmp_path) -> None:
    runs = [
        broken(1, finding(severity="warning"), finding(severity="error")),
        broken(2, finding(severity="warning")),
    ]
    where = filled(tmp_path, runs)
    assert only(asked(where, Question())).severity == "error"
    assert only(asked(where, Question(last=1))).severity == "warning"


def test_what_is_wrong_with_waivers_is_no_trend(tmp_path) -> None:
    told = finding("WAIV101", topology=None, scenario=None, round=None, leg=None, spots=())
    assert asked(filled(tmp_path, [broken(1, told)]), Question()).trends == ()


def test_contracts_are_kept_apart(tmp_path) -> None:
    other = [summary(number, contract="a2a") for number in range(1, 6)]
    where = filled(tmp_path, [broken(1), *other, broken(7)])
    made = asked(where, Question())
    assert (made.contract, len(made.runs), made.others) == ("masked", 2, (Others("a2a", 5),))
    assert asked(where, Question(contract="a2a")).trends == ()
    with pytest.raises(
        UsageError, match="no run was judged by the contract 'odd'; the index has a2a, masked"
    ):
        asked(where, Question(contract="odd"))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (Question(topology="odd"), "no run has a topology 'odd'; the index has deep-research"),
        (Question(since="run-99"), "--since run-99: neither a date nor a run of the index"),
    ],
)
def test_mistakes(tmp_path, question: Question, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        asked(filled(tmp_path, [broken(1)]), question)


def test_two_runs_of_one_second_and_one_id_of_two_times(tmp_path) -> None:
    same = [summary(1, run="b"), summary(1, run="a"), summary(2, run="a")]
    assert [(one.run, one.started[14:16]) for one in asked(filled(tmp_path, same), Question()).runs] == [
        ("a", "01"), ("b", "01"), ("a", "02"),
    ]  # fmt: skip


def test_sizes(tmp_path) -> None:
    rounds = (round_(leaked=2), round_(round=2, bytes=None, seconds=0.25), round_("EDPA-03", topology="edpa"))
    made = asked(filled(tmp_path, [broken(1, rounds=rounds), summary(2)]), Question())
    deep, edpa = made.topologies
    assert (deep.topology, deep.runs, deep.rounds, deep.events) == ("deep-research", 2, (2, 1), (14, 7))
    assert (deep.bytes, deep.seconds, deep.leaked, deep.errors) == ((4096, 4096), (1.75, 1.5), (2, 0), (1, 0))
    assert (edpa.topology, edpa.runs, edpa.rounds, edpa.errors) == ("edpa", 1, (1, None), (0, None))
    assert [(run.rounds, run.events) for run in made.runs] == [(3, 21), (1, 7)]


def test_the_order_of_writing_changes_nothing(tmp_path) -> None:
    runs = [broken(1), summary(2), broken(3, finding(waived="W")), summary(4)]
    assert asked(filled(tmp_path / "a", runs), Question()) == asked(
        filled(tmp_path / "b", reversed(runs)), Question()
    )


def thousand() -> tuple[list[Summary], dict[tuple[str, str], str]]:
    """A thousand runs of ten topologies; a letter a run for each of three rules in each topology."""
    dice = random.Random(11)
    drawn: dict[tuple[str, str], str] = {}
    for number in range(10):
        topology = f"topology-{number}"
        drawn[topology, "LEAK101"] = "b" * 1000
        drawn[topology, "MASK201"] = "b" * (100 + number) + "c" * (900 - number)
        drawn[topology, "SYM401"] = "".join(dice.choice("bcw") for _ in range(1000))
    return [_run(at, drawn) for at in range(1000)], drawn


def _run(at: int, drawn: dict[tuple[str, str], str]) -> Summary:
    topologies = sorted({topology for topology, _ in drawn})
    rounds = tuple(round_(f"{one}-S{n}", topology=one) for one in topologies for n in (1, 2))
    findings = tuple(
        finding(
            rule, topology=topology, scenario=f"{topology}-S1", waived="W" if letters[at] == "w" else None,
            spots=(f"{topology}-S1 r1 client",),
        )
        for (topology, rule), letters in drawn.items()
        if letters[at] != "c"
    )  # fmt: skip
    return broken(at, *findings, rounds=rounds, rules=("LEAK101", "MASK201", "SYM401"))


@pytest.mark.slow
def test_a_thousand_runs_are_answered_right(tmp_path, no_hang) -> None:
    runs, drawn = thousand()
    where = filled(tmp_path, runs)
    made = asked(where, Question(last=1000))
    words = {"b": "broken", "c": "clean", "w": "waived"}
    assert len(made.runs) == 1000 and len(made.topologies) == 10 and not made.skipped
    for one in made.trends:
        letters = drawn[str(one.topology), one.rule]
        assert one.states == tuple(words[letter] for letter in letters)
        assert one.first.run == f"run-{min(letters.index(x) for x in 'bw' if x in letters):04d}"
        assert one.last.run == f"run-{max(letters.rindex(x) for x in 'bw' if x in letters):04d}"
        if one.rule == "MASK201":
            assert one.fixed is not None and one.fixed.run == f"run-{letters.index('c'):04d}"
        assert one.course == {"LEAK101": "steady", "MASK201": "fixed", "SYM401": "flaky"}[one.rule]
    assert len(made.trends) == 30
    with read(Local(where)) as index:
        found = select(index, "SELECT rule, count(*) FROM findings GROUP BY rule ORDER BY rule").rows
    letters = {rule: "".join(text for (_, name), text in drawn.items() if name == rule) for _, rule in drawn}
    assert found == tuple((rule, len(text) - text.count("c")) for rule, text in sorted(letters.items()))


@pytest.mark.parametrize("keys", ["ab", "ba"])
def test_of_runs_that_began_in_one_second_the_one_added_first_is_the_older(tmp_path, keys: str) -> None:
    where = filled(tmp_path, [broken(1, key=keys[0]), summary(1, key=keys[1])])
    (leak,) = asked(where, Question()).trends
    assert (leak.states, leak.course) == (("broken", "clean"), "fixed")
    compact(Local(where))
    assert asked(where, Question()).trends == (leak,)
