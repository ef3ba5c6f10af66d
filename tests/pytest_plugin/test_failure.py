"""A red item reads like a report, and shows no stack of ours."""

from __future__ import annotations

import pytest

from harness.rules.example import artifact, status
from tests.pytest_plugin.material import ASKS, LEAK, OPEN, UNKNOWN, capture, scenario, torn

pytest_plugins = ["pytester"]

OURS = ("Traceback", "pytest_plugin/", "self.runtest", "raise ")


def red(result: pytest.RunResult) -> str:
    """The failures' text, without any sign of our code."""
    text = result.stdout.str()
    assert not [word for word in OURS if word in text]
    return text


def test_a_finding_is_told_with_rule_place_snippet_why_and_command(folder, judge_both):
    scenario(folder / "scen")
    path = capture(folder / "run", frames=LEAK)
    result = judge_both()
    result.assert_outcomes(failed=1, passed=1)
    red(result)
    result.stdout.fnmatch_lines(
        [
            "*_ DA-1 r1 _*",
            "LEAK101 delegation-on-content-channel",
            "DA-1  round 1  deep-research  COMPLETED",
            "  error LEAK101 delegation-on-content-channel: a delegation to agent 'search-agent'*",
            f"    run/{path.name}  event 3  /result/artifactUpdate/artifact/parts/0/data/payload/data/0/data",
            "    bytes 329-828",
            '      | {"type":"__interaction__"*',
            "    why: The client sees which agent is called*",
            f"    look: harness inspect run/{path.name} frame 3",
            "          harness explain LEAK101",
            "FAILED scen/da-1.scenario.yaml::r1 - LEAK101 delegation-on-content-channel",
        ],
        consecutive=False,
    )


def test_what_a_scenario_expects_is_told_at_its_round(folder, judge):
    scenario(folder / "scen", rounds="  - send: x\n    expect: {outcome: COMPLETED}\n")
    capture(folder / "run", frames=ASKS)
    result = judge()
    result.assert_outcomes(failed=1, passed=1)
    assert "the round ended INTERACTION, and COMPLETED was expected" in red(result)


def test_what_can_not_be_decided_is_red_and_called_so(folder, judge_both):
    scenario(folder / "scen")
    capture(folder / "run", frames=UNKNOWN)
    result = judge_both()
    result.assert_outcomes(failed=2)
    text = red(result)
    for item in ("r1", "contract[masked]"):
        assert f"::{item} - could not be decided: rounds 1" in text
    place = "run/DA-1-A2A_STREAM-r1.client.sse"
    result.stdout.fnmatch_lines(
        [f"INCONCLUSIVE  ending unknown  {place}", f"  look: harness inspect {place}"]
    )


def test_a_record_that_was_cut_off_is_told(folder, judge):
    scenario(folder / "scen")
    torn(folder / "run")
    result = judge()
    result.assert_outcomes(failed=2)
    assert "could not be decided: rounds 1" in red(result)
    result.stdout.fnmatch_lines(["  not read: *__interaction__*"])


def test_an_error_of_the_harness_is_one_line_at_each_item(folder, judge_both):
    scenario(folder / "scen")
    capture(folder / "run")
    (folder / "scenarios").mkdir()
    (folder / "scenarios/waivers.yaml").write_text("version: 2\n")
    result = judge_both()
    result.assert_outcomes(failed=2)
    text = red(result)
    assert text.count("FAILED scen/da-1.scenario.yaml::") == 2
    assert "scenarios/waivers.yaml:1 $.version: " in text


def test_the_text_is_chinese_for_a_chinese_locale(folder, judge, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    scenario(folder / "scen")
    capture(folder / "run", frames=LEAK)
    text = red(judge())
    assert "客户端不应得知哪些内部智能体在为它工作" in text
    assert "契约 masked：轮次 1，错误 1" in text


def test_hostile_text_reaches_no_terminal(folder, judge_both):
    scenario(folder / "scen", rounds="  - send: x\n    expect: {text: {lacks: [evil]}}\n")
    evil = "evil \x1b[31mred\x07 \u202e\n::error::now ]]> <script>"
    capture(folder / "run", frames=(*OPEN, artifact(evil), status("failed", evil)))
    result = judge_both()
    result.assert_outcomes(failed=1, passed=1)
    text = red(result)
    assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text
    assert not [line for line in result.outlines if line.lstrip().startswith("::error")]
