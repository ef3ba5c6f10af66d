"""Scenario files: what they say, what they may leave out, and what is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import scenario, topologies
from harness.errors import ScenarioError
from harness.model.scenario import Expect, Known, Part, Scenario, ScenarioRound, Wanted

HEAD = "version: 1\nname: DA-09\ntopology: deep-research\nrounds:\n"
MINIMAL = HEAD + "  - send: Compare\n"


def parse(text: str) -> Scenario:
    return scenario.parse(text, "s.yaml")


def test_the_least_that_can_be_written() -> None:
    rounds = (ScenarioRound(1, (Part(text="Compare"),), opens=True),)
    assert parse(MINIMAL) == Scenario("DA-09", "s.yaml", 2, "deep-research", rounds)


def test_all_that_can_be_written() -> None:
    made = parse(
        """\
version: 1
name: DA-09
title: 三个价格
topology: deep-research
contract: masked
tags: [seed-000]
timeout: 30
retries: 2
testbed: {script: research, calls: 3, generation: G1, keep_open: true}
rounds:
  - send:
      - text: "Compare"
      - data: {big: 1, text: "ü"}
      - url: "http://x/a.pdf"
    cancel_after: 2
    timeout: 10.5
    xfail: the mirror is not masked yet
    expect:
      outcome: INTERACTION
      interactions: [{kind: delegation, exposure: masked, channel: control, count: 2, tool: hotel-agent}]
      text: {has: [a, b], lacks: [c]}
      order: [a, b]
      calls: [search-agent, verify-agent]
      concurrent: 3
  - send: "only the cheap ones"
    during: 1
    steer: true
  - answers: {hotel-agent: "4 star", call_01_Vv2: {data: [1]}}
    expect: {interactions: []}
known:
  as-reported: {LEAK101: 4}
  b+a: {MASK201: 1, END103: 2}
"""
    )
    first, second, third = made.rounds
    assert made._replace(rounds=()) == Scenario(
        "DA-09", "s.yaml", 2, "deep-research", (), "masked", ("seed-000",), 30, 2,
        (Known("as-reported", (("LEAK101", 4),)), Known("a+b", (("END103", 2), ("MASK201", 1)))),
        (("script", "research"), ("calls", 3), ("generation", "G1"), ("keep_open", True)),
    )  # fmt: skip
    assert first.parts == (Part("Compare"), Part(data='{"big": 1, "text": "ü"}'), Part(url="http://x/a.pdf"))
    assert (first.cancel_after_s, first.timeout_s) == (2, 10.5)
    assert (first.xfail, second.xfail) == ("the mirror is not masked yet", None)
    assert first.expect == Expect(
        "INTERACTION", (Wanted("delegation", "masked", 2, "control", "hotel-agent"),), ("a", "b"), ("c",),
        ("a", "b"), ("search-agent", "verify-agent"), 3,
    )  # fmt: skip
    assert (second.number, second.opens, second.during, second.steer) == (2, False, 1, True)
    assert third.parts == (Part("4 star", answers="hotel-agent"), Part(data="[1]", answers="call_01_Vv2"))
    assert third.expect.interactions == ()


def test_a_round_opens_a_task_behind_a_terminal_outcome_and_else_continues() -> None:
    text = HEAD + "".join(
        f"  - {{send: x, expect: {{outcome: {outcome}}}}}\n"
        for outcome in ("INTERACTION", "COMPLETED", "AUTH_REQUIRED", "FAILED", "CANCELED", "REJECTED")
    )
    opens = [one.opens for one in parse(text + "  - {send: x}\n  - {send: x}\n").rounds]
    assert opens == [True, False, True, False, True, True, True, False]
    forced = HEAD + "  - {send: x, expect: {outcome: COMPLETED}}\n  - {send: x, opens: false}\n"
    assert [one.opens for one in parse(forced).rounds] == [True, False]


def test_what_is_sent_meanwhile_does_not_hide_the_round_before() -> None:
    text = HEAD + (
        "  - {send: x, expect: {outcome: COMPLETED}}\n  - {send: y, during: 1, steer: true}\n  - {send: z}\n"
    )
    assert [one.opens for one in parse(text).rounds] == [True, False, True]


def test_a_testbed_that_is_only_named_plays_the_plain_script() -> None:
    assert parse("testbed: {}\n" + MINIMAL).play == (("script", "plain"),)
    assert parse(MINIMAL).play == ()


REFUSED = [
    ("", "s.yaml:1: the file is empty"),
    (MINIMAL.replace("version: 1", "version: 2"), "s.yaml:1 $.version: Input should be 1"),
    (MINIMAL + "retires: 1\n", "s.yaml:6 $.retires: 'retires' is no word of this file"),
    (MINIMAL.replace("DA-09", "a/b"), "s.yaml:2 $.name: String should match"),
    (HEAD + "  []\n", "s.yaml:4 $.rounds: List should have at least 1 item"),
    (MINIMAL + "retries: -1\n", "s.yaml:6 $.retries: Input should be greater"),
    (MINIMAL + "timeout: 0\n", "s.yaml:6 $.timeout: Input should be greater"),
    (MINIMAL + "known: {fixed: {leak: 1}}\n", "s.yaml:6 $.known.fixed"),
    (MINIMAL + "known: {a+b: {END103: 1}, b+a: {END103: 1}}\n", "s.yaml:6 $.known.b+a: 'a+b' stands twice"),
    (MINIMAL + "known: {a++b: {END103: 1}}\n", "s.yaml:6 $.known.a++b: 'a++b' names no defects"),
    (MINIMAL + "testbed: {defects: [x]}\n", "s.yaml:6 $.testbed.defects: Input should be"),
    (HEAD + "  - {}\n", "s.yaml:5 $.rounds[0]: neither send, answer nor answers"),
    (HEAD + "  - {send: a, answer: b}\n", "s.yaml:5 $.rounds[0]: send and answer together"),
    (HEAD + "  - {send: 4}\n", "s.yaml:5 $.rounds[0].send: Input should be a valid string"),
    (HEAD + "  - {send: ''}\n", "s.yaml:5 $.rounds[0].send: String should have at least 1"),
    (HEAD + "  - {send: []}\n", "s.yaml:5 $.rounds[0].send: List should have at least 1"),
    (HEAD + "  - {send: [{}]}\n", "s.yaml:5 $.rounds[0].send[0]: a part is one text, data or url"),
    (HEAD + "  - send:\n    - {text: a, url: b}\n", "s.yaml:6 $.rounds[0].send[0]: a part is one"),
    (
        HEAD + "  - {send: [{text: a, answers: x}]}\n",
        "s.yaml:5 $.rounds[0].send[0].answers: nothing was asked",
    ),
    (HEAD + "  - {answer: a}\n", "s.yaml:5 $.rounds[0]: there is nothing to answer yet"),
    (HEAD + "  - {send: a, opens: false}\n", "s.yaml:5 $.rounds[0].opens: there is no task to continue yet"),
    (MINIMAL + "  - {answer: a, opens: true}\n", "s.yaml:6 $.rounds[1].opens: an answer opens no task"),
    (MINIMAL + "  - {answers: {}}\n", "s.yaml:6 $.rounds[1].answers: Dictionary should have at least 1"),
    (MINIMAL + "  - {answers: {a: 4}}\n", "s.yaml:6 $.rounds[1].answers.a: Input should be"),
    (HEAD + "  - {send: a, during: 1}\n", "s.yaml:5 $.rounds[0].during: during 1: no round runs then"),
    (
        MINIMAL + "  - {send: b}\n  - {send: c, during: 1}\n",
        "s.yaml:7 $.rounds[2].during: during 1: only round 2 can still run then",
    ),
    (MINIMAL + "  - {send: b, steer: true}\n", "s.yaml:6 $.rounds[1].steer: steering needs a running task"),
    (
        MINIMAL + "  - {send: b, steer: true, during: 1, opens: true}\n",
        "s.yaml:6 $.rounds[1].opens: a steering text opens no task",
    ),
    (
        HEAD + "  - {send: a, expect: {outcome: DONE}}\n",
        "s.yaml:5 $.rounds[0].expect.outcome: Input should be",
    ),
    (
        HEAD + "  - {send: a, expect: {interactions: [{kind: question, exposure: native}]}}\n",
        "s.yaml:5 $.rounds[0].expect.interactions[0].kind: Input should be",
    ),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_errors_name_file_line_path_and_the_mend(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse(text)
    assert str(caught.value).startswith(said)
    assert text == "" or ";" in str(caught.value)
    assert caught.value.exit_code == 2


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def unnamed(text: str = MINIMAL) -> str:
    return text.replace("name: DA-09\n", "")


def test_a_scenario_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    assert scenario.load(str(write(tmp_path, "EXP-01.scenario.yaml", unnamed()))).name == "EXP-01"
    assert scenario.load(str(write(tmp_path, "other.yaml", unnamed()))).name == "other"


def test_folders_give_all_that_is_below_them_in_order(tmp_path: Path) -> None:
    for name in ("b.scenario.yaml", "a/c.scenario.yaml", "a/a.scenario.yaml"):
        write(tmp_path, name, unnamed())
    write(tmp_path, "topologies.yaml", "no scenario")
    single = write(tmp_path, "z.yaml", unnamed())
    found = scenario.load_all((str(tmp_path), str(single)))
    assert [one.name for one in found] == ["a", "c", "b", "z"]
    assert scenario.load_all(str(single)) == found[-1:]


def test_a_name_stands_once(tmp_path: Path) -> None:
    write(tmp_path, "a.scenario.yaml", MINIMAL)
    write(tmp_path, "b.scenario.yaml", MINIMAL)
    with pytest.raises(
        ScenarioError, match=r"b.scenario.yaml:2 \$.name: the scenario 'DA-09' stands in .*a.scen"
    ):
        scenario.load_all((str(tmp_path),))


def test_a_folder_without_scenarios_and_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no scenario below this folder"):
        scenario.load_all((str(tmp_path),))
    with pytest.raises(ScenarioError, match="can not be read"):
        scenario.load(str(tmp_path / "none.yaml"))
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="can not be read"):
        scenario.load(str(bad))


def test_topologies_are_checked_where_they_are_known(tmp_path: Path) -> None:
    known = topologies.load()
    good = write(tmp_path, "good.yaml", MINIMAL + "    expect: {calls: [search-agent]}\n")
    scenario.check_against([scenario.load(str(good))], known)
    bad = write(tmp_path, "bad.yaml", MINIMAL + "    expect: {calls: [search-agent, hotel]}\n")
    with pytest.raises(
        ScenarioError, match=r"bad.yaml:6 \$.rounds\[0\].expect.calls\[1\]: 'hotel' is no agent"
    ):
        scenario.check_against([scenario.load(str(bad))], known)
    none = write(tmp_path, "none.yaml", MINIMAL.replace("deep-research", "deep"))
    with pytest.raises(
        ScenarioError, match=r"none.yaml:3 \$.topology: no topology is called 'deep'; known are"
    ):
        scenario.check_against([scenario.load(str(none))], known)


def test_the_schema_knows_the_language() -> None:
    from jsonschema import Draft202012Validator, ValidationError

    validator: Any = Draft202012Validator(json.loads(json.dumps(scenario.schema())))
    one = {"version": 1, "topology": "t", "rounds": [{"send": "x"}, {"answers": {"a": "b"}}]}
    validator.validate(one)
    validator.validate({**one, "rounds": [{"send": [{"text": "x"}]}]})
    with pytest.raises(ValidationError):
        validator.validate({**one, "rounds": [{"says": "x"}]})
