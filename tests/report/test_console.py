"""What a person sees: findings with evidence, no floods, nothing hostile, never silence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.capture import Unread
from harness.model.finding import NotChecked
from harness.model.verdict import Group
from harness.report.cells import cells
from harness.report.console import console
from harness.report.paint import Paint
from harness.report.view import View
from harness.report.words import words
from tests.report.values import (
    DA09,
    POINTER,
    clean_round,
    finding,
    full_report,
    group,
    interaction,
    place,
    report,
    round_,
    row,
)


def shown(value, **view) -> str:
    return "\n".join(console(value, View(**view)))


def test_a_finding_shows_code_message_place_snippet_why_and_what_to_type() -> None:
    text = shown(full_report(), width=200)
    assert (
        "error LEAK101 delegation-on-content: delegation to search-agent is visible on the content channel"
        in text
    )
    assert f"{DA09}  event 4  {POINTER}  bytes 1200-2400" in text
    assert '{"toolName":"search-agent"' in text
    assert "why: A client must not learn" in text
    assert f"harness inspect {DA09} frame 4" in text
    assert "harness explain LEAK101" in text


def test_errors_come_before_warnings() -> None:
    mixed = round_(findings=(finding("ART701", "warning"), finding("LEAK101")))
    text = shown(report(mixed))
    assert text.index("error LEAK101") < text.index("warning ART701")


def test_sections_stand_in_order() -> None:
    text = shown(full_report(), width=200)
    heads = [
        "error LEAK101",
        "Across rounds",
        "Not checked",
        "Could not be read",
        "Rounds",
        "What the client saw",
        "exit 1:",
    ]
    assert sorted(heads, key=text.index) == heads
    assert text.splitlines()[-1] == "exit 1: the contract is broken"


def test_equal_findings_do_not_flood_a_round() -> None:
    many = round_(findings=tuple(finding(place=place(n)) for n in range(1, 51)))
    text = shown(report(many))
    assert text.count("error LEAK101") == 3
    assert "47 more LEAK101 in this round; --all shows them" in text
    assert shown(report(many), everything=True).count("error LEAK101") == 50


def test_equal_findings_do_not_flood_a_folder() -> None:
    text = shown(report(*(round_(f"r{n}.log") for n in range(30))))
    assert text.count("error LEAK101") == 8
    assert "LEAK101: 22 more, in 22 other rounds; --all shows them" in text


def test_infos_are_counted_and_shown_on_demand() -> None:
    noted = report(round_(findings=(finding("ORD501", "info"), finding("SHP409", "info"))))
    assert "2 infos: ORD501 x1, SHP409 x1; --all shows them" in shown(noted)
    assert "info ORD501" not in shown(noted)
    assert "info ORD501" in shown(noted, everything=True)


def test_a_clean_run_says_what_was_checked() -> None:
    clean = report(clean_round(), exit=0, matrix=(row(leaked=0, errors=0),), not_captures=3)
    text = "\n".join(console(clean, View(width=200), rules=87))
    assert "No errors and no warnings." in text
    assert "rounds 1, events 7, contract masked; errors 0, warnings 0, infos 0" in text
    assert "rules not checked somewhere: 1" in text
    assert "not judged: 3" in text
    assert "Rules applied: 87." in text
    assert text.endswith("exit 0: the contract holds")


def test_not_checked_is_summed_up_by_reason() -> None:
    raw = (NotChecked("RPC302", "rebuilt"), NotChecked("SSE201", "rebuilt"), NotChecked("NEG906", "no times"))
    text = shown(report(round_(not_checked=raw), round_(not_checked=raw[:1])))
    assert "rebuilt (in 2 of 2 rounds): RPC302 SSE201" in text
    assert "no times (in 1 of 2 rounds): NEG906" in text


def test_undecided_rounds_are_named() -> None:
    text = shown(report(clean_round(outcome="INCONCLUSIVE", ending="unsealed"), exit=3), width=120)
    assert "run-1/EDPA-03-A2A_STREAM-r1.log  ending unsealed  events: 7" in text
    assert "exit 3: could not decide" in text


def test_unread_records_are_listed_and_capped() -> None:
    lost = tuple(Unread("a.log", f"reason {n}", None) for n in range(30))
    text = shown(report(unread=lost))
    assert "a.log  reason 9" in text
    assert "reason 10" not in text
    assert "20 more; --all shows them" in text


def test_rounds_say_who_asked_for_what_on_which_channel() -> None:
    asked = tuple(interaction(tool_call_id=f"c{n}") for n in range(3))
    text = shown(report(round_(interactions=asked), clean_round()), width=120)
    assert "leaked delegation on content x3" in text
    assert "masked delegation on control" in text


def test_rounds_of_several_folders_are_told_apart() -> None:
    lines = shown(
        report(round_("a/x.log"), clean_round("a/y.log"), clean_round("b/z.log")), width=120
    ).splitlines()
    assert (lines.index("a"), lines.index("b")) == (lines.index("Rounds") + 2, lines.index("Rounds") + 5)
    assert "run-1" not in shown(report(round_("run-1/x.log", findings=())))


def test_a_comparison_s_place_is_told_with_the_file_it_stands_in() -> None:
    seen = interaction("masked", channel="control")
    seen = seen._replace(sightings=(seen.sightings[0]._replace(place=place(9, "/x", (7, 8))),))
    one = Group(finding("SYM401", place=place(9, "/x", (7, 8))), (DA09, "run-1/EDPA-03-A2A_STREAM-r1.log"))
    text = shown(report(round_(findings=()), clean_round(interactions=(seen,)), findings=(one,)), width=200)
    assert "run-1/EDPA-03-A2A_STREAM-r1.log  event 9  /x  bytes 7-8" in text


def test_standard_input_can_not_be_inspected_again() -> None:
    assert "harness inspect" not in shown(report(round_("-")))


def test_a_file_name_with_blanks_is_quoted_in_commands() -> None:
    assert "harness inspect 'my run/a b.sse' frame 4" in shown(report(round_("my run/a b.sse")))


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_line_of_prose_or_table_is_wider_than_the_terminal(width: int, lang: str) -> None:
    wide = row(
        topology="expense-review",
        kind="workflow",
        outcomes={"INTERACTION": 14, "COMPLETED": 1},
        rounds=15,
        events=999,
        errors=12,
        warnings=3,
        infos=7,
    )
    long_ones = report(
        round_(topology="expense-review", scenario="a-very-long-scenario-name-indeed"),
        clean_round(),
        matrix=(wide, row()),
        findings=(group(),),
    )
    lines = list(console(long_ones, View(width=width, words=words(lang))))
    assert [line for line in lines if cells(line) > width and "/" not in line] == []


@pytest.mark.parametrize(("width", "tall"), [(80, True), (200, False)])
def test_the_matrix_fits(width: int, tall: bool) -> None:
    text = shown(
        report(
            matrix=(
                row(),
                row(topology="expense-review", kind="workflow", outcomes={"INTERACTION": 14, "COMPLETED": 1}),
            )
        ),
        width=width,
    )
    assert ("14 INTERACTION, 1 COMPLETED" in text) is not tall
    assert ("expense-review (workflow)" in text) is not tall


def test_a_round_without_topology_is_named_by_its_scenario() -> None:
    assert "v1_rpc_ask" in shown(
        report(clean_round(), matrix=(row(topology=None, kind=None, scenario="v1_rpc_ask"),))
    )


def test_chinese() -> None:
    text = shown(full_report(), width=200, words=words("zh"))
    assert "错误 LEAK101" in text
    assert "内容通道：泄漏的委派" in text
    assert "退出码 1：违反契约" in text


def test_a_rule_may_say_why_in_the_reader_s_language() -> None:
    assert "why: 不应看到" in shown(full_report(), reasons={"LEAK101": "不应看到"})


def test_colours_only_where_asked() -> None:
    assert "\x1b[1;31merror\x1b[0m" in shown(full_report(), paint=Paint(True))
    assert "\x1b" not in shown(full_report())


@given(st.text(alphabet=st.characters(), min_size=1))
def test_hostile_text_never_reaches_the_terminal(odd: str) -> None:
    bad = "\x1b]0;owned\x07\u202e" + odd
    one = round_(
        bad,
        scenario=bad,
        topology=bad,
        leg=bad,
        findings=(finding(message=bad, snippet=bad, place=place(pointer="/" + bad), waived=bad),),
        not_checked=(NotChecked("SSE201", bad),),
    )
    text = shown(
        report(
            one,
            unread=(Unread(bad, bad, None),),
            matrix=(row(topology=bad), row(topology=None, scenario=bad)),
        )
    )
    assert not set(text) & set("\x1b\x07\x9b\u202e\u2028\r\t\x00\ud800")
    text.encode()


def test_why_is_told_once_and_where_to_look_in_every_round() -> None:
    text = shown(report(round_("a.log"), round_("b.log")), width=120)
    assert text.count("why: ") == text.count("harness explain LEAK101") == 1
    assert "harness inspect a.log frame 4" in text
    assert "harness inspect b.log frame 4" in text
