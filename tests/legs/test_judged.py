"""Whole run folders with client, remote and model legs, through the pipeline: the green one, and each breach."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from harness.model.scenario import Expect, Wanted
from harness.report.json import text
from harness.rules.example import artifact, asking, message, status
from tests.legs.folders import (
    ANSWERS,
    CALLS,
    DELEGATES,
    DONE,
    GREEN,
    HELLO,
    OPEN,
    RESULTS,
    Exchange,
    check,
    client,
    found,
    lacking,
    leak,
    model,
    plan,
    proxy,
    remote,
    result,
    write,
)

ALL = Expect(
    outcome="COMPLETED",
    interactions=(),
    has=("A costs 1", "B costs 2"),
    lacks=("search-agent",),
    order=("A costs 1", "B costs 2"),
    calls=("search-agent", "search-agent"),
    concurrent=2,
)
STEERED = "[STEERING] {payload=InteractionOutput{id='c', value=x, metadata={}}, type=__interaction__}"
SAID = (HELLO, DELEGATES, *RESULTS)


def test_the_green_run(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", *GREEN), plan(ALL))
    assert (found(report), lacking(report), report.exit) == ({}, {}, 0)


@pytest.mark.parametrize("contract", ["masked", "symmetric", "unified", "a2a"])
def test_the_green_run_under_each_contract(tmp_path: Path, contract: str) -> None:
    assert check(write(tmp_path / "run", *GREEN), plan(ALL), contract=contract).exit == 0


BREACHES: dict[str, tuple[tuple[Exchange, ...], dict[str, str]]] = {
    "an interrupt is put before the model": (
        (*GREEN[:4], model(*SAID, {"role": "user", "content": STEERED}, at_ms=(50, 60))),
        {"STEER101": "(type=__interaction__) was sent to the model"},
    ),
    "one delegation is not called": (
        (*GREEN[:3], GREEN[4]),
        {"DEL101": "the model delegated to search-agent 2 times, and a task was opened there once"},
    ),
    "a call that nobody asked for": (
        (*GREEN, remote(0, (12, 30), leg="verify-agent")),
        {
            "DEL101": "the model delegated to verify-agent 0 times, and a task was opened there once",
        },
    ),
    "one after the other": (
        (*GREEN[:2], remote(0, (10, 20)), remote(1, (21, 39)), GREEN[4]),
        {"DEL102": "at most 1 of 2 remote calls"},
    ),
    "results are exchanged": (
        (*GREEN[:4], model(HELLO, DELEGATES, result("call_00", ANSWERS[1]), result("call_01", ANSWERS[0]))),
        {"DEL103": "under call_00 the model was told what search-agent answered to call_01"},
    ),
    "a result is kept back": (
        (*GREEN[:4], model(HELLO, DELEGATES, RESULTS[0])),
        {"DEL103": "search-agent answered call_01, and the model was told no result of it"},
    ),
    "it ends otherwise": (
        (client(*OPEN, status("failed", "A costs 1, B costs 2")), *GREEN[1:]),
        {"SCN101": "the round ended FAILED, and COMPLETED was expected"},
    ),
    "it asks": (
        (client(*OPEN, DONE[0], proxy(), DONE[1]), *GREEN[1:]),
        {"SCN102": "masked delegation of search-agent on the control channel was not expected", "SCN103": "search-agent"},
    ),
    "a text is missing": (
        (client(*OPEN, artifact("A costs 1"), DONE[1]), *GREEN[1:]),
        {"SCN103": 'not shown "B costs 2"', "SCN104": '"B costs 2" is not shown behind "A costs 1"'},
    ),
    "a text is shown": (
        (client(*OPEN, artifact("by search-agent", id="a-0"), *DONE), *GREEN[1:]),
        {"SCN103": 'shown "search-agent", which it must not be'},
    ),
    "texts come in another order": (
        (client(*OPEN, artifact("B costs 2", id="a-0"), artifact("A costs 1"), DONE[1]), *GREEN[1:]),
        {"SCN104": '"B costs 2" is not shown behind "A costs 1"'},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREACHES)
def test_each_breach_is_found_and_no_other(name: str, tmp_path: Path) -> None:
    exchanges, wanted = BREACHES[name]
    report = check(write(tmp_path / "run", *exchanges), plan(ALL))
    said = found(report)
    assert set(said) == set(wanted)
    assert all(part in said[code][0] for code, part in wanted.items()), said
    assert report.exit == 1


def test_a_leak_is_named_with_its_remote_request(tmp_path: Path) -> None:
    exchanges = (client(*OPEN, leak(), leak("price of C", "call_09"), *DONE), *GREEN[1:])
    report = check(write(tmp_path / "run", *exchanges), plan(ALL._replace(lacks=())))
    said = found(report)
    assert sorted(said) == ["DEL104", "LEAK101"]  # what LEAK101 tells, SCN102 does not tell again
    known, unknown = sorted(said["DEL104"], key=lambda one: "call_09" in one)
    assert "is what search-agent was asked" in known
    names = [one.names for each in report.rounds for one in each.findings if one.rule == "DEL104"]
    assert [os.path.basename(name) for each in names for name in each] == [
        "DA-1-A2A_STREAM-r1.search-agent.1.sse"
    ]
    assert 'shown "price of C" of call call_09, and no recorded request to search-agent carried it' in unknown


def test_where_a_leak_is_no_error_the_scenario_tells_it(tmp_path: Path) -> None:
    exchanges = (client(*OPEN, leak(), *DONE), *GREEN[1:])
    path = write(tmp_path / "run", *exchanges)
    assert "SCN102" in found(check(path, plan(Expect(interactions=())), contract="a2a"))


# what the legs do not show


def test_an_old_run_without_the_legs_is_not_checked(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", GREEN[0], legs=("client",)), plan(ALL))
    assert found(report) == {}
    assert lacking(report) == {
        **dict.fromkeys(("STEER101", "DEL101", "DEL103"), "no call of the model was recorded (leg llm)"),
        **dict.fromkeys(("DEL102", "DEL104", "SCN104"), "no leg to a remote agent was recorded"),
    }


def test_without_a_scenario_what_it_would_say_is_not_checked(tmp_path: Path) -> None:
    said = lacking(check(write(tmp_path / "run", *GREEN)))
    assert said == {
        "STEER102": "no scenario says what was sent to steer",
        "DEL102": "no scenario says how many remote calls are open at once",
    }


def test_a_run_of_the_clients_leg_only_costs_one_reason(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", GREEN[0], legs=("client",)))
    assert set(lacking(report).values()) == {"no call of the model and no remote call was recorded"}
    assert {code[:-3] for code in lacking(report)} == {"STEER", "DEL"}


def test_legs_that_were_recorded_and_saw_nothing_prove_that_nobody_was_called(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", GREEN[0], GREEN[1]))
    assert "a task was opened there 0 times" in found(report)["DEL101"][0]


def test_a_leg_that_was_not_recorded_proves_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "run", GREEN[0], GREEN[1], legs=("client", "llm", "verify-agent"))
    report = check(path, plan(Expect()))
    assert found(report) == {}
    assert lacking(report)["DEL101"] == "the leg to search-agent was not recorded"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (model(answer=DELEGATES)._replace(frames=("data: {oops\n\n",)), "frame 1 of the answer is no JSON"),
        (model(answer=DELEGATES)._replace(request='{"messages": [{"role"'), "the request is no whole JSON"),
        (model(answer=DELEGATES)._replace(request={"input": "hi"}), "no chat completion (input)"),
    ],
)
def test_a_model_call_that_can_not_be_read_is_told(wrong: Exchange, reason: str, tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", GREEN[0], *GREEN[2:4], wrong))
    assert found(report) == {}
    assert any(reason in said for said in lacking(report).values()), lacking(report)


def test_what_could_not_be_assigned_proves_nothing(tmp_path: Path) -> None:
    loose = remote(1, (11, 39))._replace(round=0, scenario="unassigned")
    report = check(write(tmp_path / "run", *GREEN[:3], loose, GREEN[4]))
    assert "DEL101" not in found(report)
    assert "search-agent could not be assigned" in lacking(report)["DEL101"]


def entries(*exchanges: Exchange) -> list[dict[str, Any]]:
    """What `run.json` lists of exchanges, by the names that their files have."""
    counts: dict[str, int] = {}
    made = []
    for one in exchanges:
        stem = f"{one.scenario}-{one.protocol}-r{one.round}.{one.leg}"
        number = counts[stem] = counts.get(stem, 0) + 1
        stem += "" if one.leg == "client" else f".{number}"
        made.append({"stem": stem, "scenario": one.scenario, "leg": one.leg, "protocol": one.protocol})
    return made


def test_all_that_run_json_lists_is_there(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", *GREEN, exchanges=entries(*GREEN)), plan(ALL))
    assert (found(report), lacking(report)) == ({}, {})


def test_a_model_call_that_is_gone_may_have_been_polluted(tmp_path: Path) -> None:
    """The request behind the delegations: the only one that could show pollution and results."""
    report = check(write(tmp_path / "run", *GREEN[:4], exchanges=entries(*GREEN)), plan(ALL))
    assert found(report) == {}
    reason = "exchanges of leg llm that run.json lists are missing"
    assert {code for code, why in lacking(report).items() if why == reason} == {"STEER101", "DEL101"}


def test_a_remote_call_that_is_gone_is_no_breach(tmp_path: Path) -> None:
    kept = (*GREEN[:3], GREEN[4])
    listed = [one for one in entries(*GREEN) if not one["stem"].endswith("search-agent.2")]
    wanted = plan(Expect(calls=("search-agent", "search-agent"), concurrent=2))
    listed.append({**entries(GREEN[3])[0], "stem": "DA-1-A2A_STREAM-r1.search-agent.2"})
    report = check(write(tmp_path / "run", *kept, exchanges=listed), wanted)
    assert found(report) == {}
    assert {"DEL101", "DEL102", "SCN104"} <= set(lacking(report))


def test_an_explicit_text_may_be_in_a_model_call_that_is_gone(tmp_path: Path) -> None:
    gone = {"stem": "DA-1-LLM-r1.llm.2", "scenario": "DA-1", "leg": "llm", "protocol": "LLM"}
    report = check(write(tmp_path / "run", *CHANGE, model(at_ms=(1, 2)), exchanges=[gone]), STEERS)
    assert found(report) == {}
    assert "run.json lists" in lacking(report)["STEER102"]


@pytest.mark.parametrize("scenario", ["DA-2", "DA-1"])
def test_what_is_gone_of_another_scenario_matters_to_that_one(scenario: str, tmp_path: Path) -> None:
    gone = {"stem": f"{scenario}-LLM-r1.llm.9", "scenario": scenario, "leg": "llm", "protocol": "LLM"}
    report = check(write(tmp_path / "run", *GREEN, exchanges=[gone]), plan(ALL))
    assert ("STEER101" in lacking(report)) is (scenario == "DA-1")


def test_a_remote_request_that_is_not_known_may_continue_a_task(tmp_path: Path) -> None:
    path = write(tmp_path / "run", *GREEN, remote(1, (70, 80)))
    (Path(path) / "DA-1-A2A_STREAM-r1.search-agent.3.jsonl").unlink()
    report = check(path, plan(Expect()))
    assert found(report) == {}
    assert lacking(report)["DEL101"].endswith("search-agent.3.sse is not known")


def test_an_answer_that_may_delegate_once_more_is_not_passed(tmp_path: Path) -> None:
    cut = GREEN[4]._replace(frames=GREEN[4].frames[:1])
    report = check(write(tmp_path / "run", *GREEN[:4], cut), plan(ALL))
    assert found(report) == {}
    assert lacking(report)["DEL101"].endswith("llm.2.sse: the answer breaks off")


def test_an_answer_that_a_later_request_repeats_is_known(tmp_path: Path) -> None:
    cut = GREEN[1]._replace(frames=GREEN[1].frames[:1])
    report = check(write(tmp_path / "run", GREEN[0], cut, *GREEN[2:]), plan(ALL))
    assert (found(report), lacking(report)) == ({}, {})


def test_pollution_of_a_conversation_without_rounds_is_told_of_the_run(tmp_path: Path) -> None:
    loose = model({"role": "user", "content": STEERED})._replace(round=0, scenario="unassigned")
    report = check(write(tmp_path / "run", *GREEN, loose))
    [group] = report.findings
    assert group.finding.rule == "STEER101"
    assert group.rounds[0].endswith("unassigned-LLM-r0.llm.1.sse")


# resumes, retries, history


def test_a_resume_of_a_remote_task_is_no_new_call(tmp_path: Path) -> None:
    ids = {"task": "rt-0", "context": f"c-1_batch_{CALLS[0]}"}
    said = message("Which market?", contextId=ids["context"], taskId=ids["task"])
    frames = (status("submitted", **ids), status("working", **ids), status("input-required", said, **ids))
    asked = remote(0, (10, 20), frames=frames)
    answer = asking("EU", f"c-1_batch_{CALLS[0]}", task="rt-0")
    exchanges = (
        client(*OPEN, proxy()),
        model(answer=DELEGATES),
        asked,
        remote(1, (11, 39)),
        client(status("working"), *DONE, round=2, request=asking("EU", task="t-1"), at_ms=(200, 300)),
        remote(0, (201, 240), request=answer, round=2),
        model(*SAID, at_ms=(250, 260), round=2),
    )
    expects = (
        Expect(outcome="INTERACTION", interactions=(Wanted("delegation", "masked"),)),
        Expect(outcome="COMPLETED"),
    )
    report = check(write(tmp_path / "run", *exchanges), plan(*expects))
    assert found(report) == {}
    assert lacking(report) == {}


# explicit steering (seed 001, section 5.2)

CHANGE = (client(), client(message("ok"), round=2, request=asking("change plan", task="t-1"), at_ms=(20, 21)))
CHANGE = (
    CHANGE[0],
    CHANGE[1]._replace(frames=({"jsonrpc": "2.0", "id": "r-1", "result": {"message": message("ok")}},)),
)
STEERS = plan(Expect(), ({"text": "change plan", "steer": True, "during": 1}, Expect()))


@pytest.mark.parametrize(
    ("said", "at_ms", "arrives"),
    [
        ("[STEERING] change plan", (30, 40), True),
        ("[STEERING] change  plan\n", (30, 40), True),
        ("[STEERING] be quick\n[STEERING] change plan", (30, 40), True),
        ("[STEERING] change plan", (10, 15), False),  # before it was sent
        ("change plan", (30, 40), False),
        ("[STEERING] changed plans", (30, 40), False),
    ],
)
def test_an_explicit_text_must_arrive(
    said: str, at_ms: tuple[int, int], arrives: bool, tmp_path: Path
) -> None:
    call = model(HELLO, {"role": "user", "content": said}, at_ms=at_ms)
    report = check(write(tmp_path / "run", *CHANGE, call), STEERS)
    assert ("STEER102" in found(report)) is not arrives
    assert "STEER101" not in found(report)


def test_without_model_calls_steering_is_not_checked(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", *CHANGE, legs=("client",)), STEERS)
    assert lacking(report)["STEER102"] == "no call of the model was recorded (leg llm)"


# expectations


def test_an_outcome_that_is_expected_is_no_breach(tmp_path: Path) -> None:
    path = write(tmp_path / "run", client(*OPEN), legs=("client",))
    assert set(found(check(path))) == {"END502"}
    assert found(check(path, plan(Expect(outcome="NO_TERMINAL")))) == {}
    assert set(found(check(path, plan(Expect(outcome="COMPLETED"))))) == {"END502", "SCN101"}


def test_what_our_side_cut_proves_no_absence(tmp_path: Path) -> None:
    cut = client(*OPEN, artifact("search-agent"), ending="timeout")
    report = check(write(tmp_path / "run", cut, legs=("client",)), plan(ALL))
    assert set(found(report)) == {"SCN103"}  # what was shown was shown
    assert {"SCN101", "SCN103", "SCN104"} <= set(lacking(report))
    assert report.exit == 1


def test_a_round_that_is_absent(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", *GREEN), plan(ALL, Expect(), Expect()))
    assert found(report) == {
        "SCN105": [f"round {number} of DA-1 was not recorded (DA-1.scenario.yaml:3)" for number in (2, 3)]
    }
    assert all(group.rounds for group in report.findings)


def test_a_scenario_of_which_nothing_was_recorded(tmp_path: Path) -> None:
    path = write(tmp_path / "run", *GREEN)
    other = plan(Expect(), name="DA-2")
    report = check(path, plan(ALL), other)
    assert found(report) == {"SCN105": ["no round of DA-2 was recorded (DA-2.scenario.yaml:3)"]}
    assert report.exit == 1
    assert check(path, plan(ALL), other, may_be_absent=frozenset({"DA-2"})).exit == 0


def test_rounds_that_no_scenario_names_are_judged_as_usual(tmp_path: Path) -> None:
    open_end = [status(state, task="t-2") for state in ("submitted", "working")]
    path = write(tmp_path / "run", *GREEN, client(*open_end, round=2, at_ms=(200, 300)))
    assert set(found(check(path, plan(ALL)))) == {"END502"}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"LEAK101": 2}, []),
        ({"LEAK101": 3}, ["LEAK101: 3 known of x, 2 found (DA-1.scenario.yaml:3)"]),
        ({"LEAK101": 1}, ["LEAK101: 1 known of x, 2 found (DA-1.scenario.yaml:3)"]),
        ({"LEAK102": 1}, ["LEAK101: 0 known of x, 2 found", "LEAK102: 1 known of x, 0 found"]),
    ],
)
def test_known_findings(known: dict[str, int], said: list[str], tmp_path: Path) -> None:
    exchanges = (client(*OPEN, leak(), leak("price of B", CALLS[1]), *DONE), *GREEN[1:])
    path = write(tmp_path / "run", *exchanges)
    planned = plan(ALL._replace(lacks=()), known={"x": known})
    told = found(check(path, planned, defects="x")).get("SCN106", [])
    assert len(told) == len(said)
    assert all(part in message for part, message in zip(said, told, strict=True))
    assert "SCN106" not in found(check(path, planned, defects="y"))
    assert "SCN106" not in found(check(path, planned))


def test_known_findings_are_those_of_one_contract(tmp_path: Path) -> None:
    planned = plan(ALL, known={"x": {"LEAK101": 1}})
    report = check(write(tmp_path / "run", *GREEN), planned, defects="x", contract="unified")
    assert "SCN106" not in found(report)
    assert lacking(report)["SCN106"] == "the known findings are those of contract masked"


def test_a_known_finding_of_a_rule_that_was_not_chosen_is_not_missed(tmp_path: Path) -> None:
    planned = plan(ALL, known={"x": {"LEAK101": 1}})
    assert "SCN106" not in found(check(write(tmp_path / "run", *GREEN), planned, defects="x", skip=("LEAK",)))


def test_the_run_folder_tells_its_defects(tmp_path: Path) -> None:
    planned = plan(ALL, known={"x": {"LEAK101": 1}})
    assert "SCN106" in found(check(write(tmp_path / "run", *GREEN, defects="x"), planned))


# laws


def test_neither_processes_nor_the_order_of_files_change_the_report(tmp_path: Path) -> None:
    exchanges = BREACHES["results are exchanged"][0]
    planned = plan(ALL, Expect(), known={"x": {"LEAK101": 1}})
    path = write(tmp_path / "run", *exchanges, defects="x")
    one = text(check(path, planned))
    assert text(check(path, planned, jobs=2)) == one
    files = sorted(str(file) for file in Path(path).iterdir() if file.suffix == ".sse")
    from harness import pipeline

    options = pipeline.Options(scenarios=(planned,))
    again = [text(pipeline.check(order, options)) for order in (files, files[::-1])]
    assert again == [one, one]


def test_two_runs_of_one_scenario_are_two_conversations(tmp_path: Path) -> None:
    write(tmp_path / "run-1", *GREEN)
    write(tmp_path / "run-2", *BREACHES["one delegation is not called"][0])
    report = check(str(tmp_path), plan(ALL))
    [broken] = [
        one for one in report.rounds if one.findings and any(f.rule == "DEL101" for f in one.findings)
    ]
    assert "run-2" in broken.source


def test_one_topology_only(tmp_path: Path) -> None:
    path = write(tmp_path / "run", *GREEN, client(*OPEN, scenario="EXP-1"))
    planned: Any = plan(ALL), plan(Expect(), name="EXP-1")._replace(topology="expense-review")
    assert found(check(path, *planned, topology="deep-research")) == {}


def test_contract_families_alone_read_nothing_twice(tmp_path: Path) -> None:
    report = check(write(tmp_path / "run", *GREEN), only=("LEAK", "MASK", "BIND"))
    assert lacking(report) == {}
