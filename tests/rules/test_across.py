"""Rules over several rounds, on facts built by hand: MASK202, RES601, SYM401, SYM402."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from harness.a2a.request import Asked
from harness.model.finding import NotChecked
from harness.model.interaction import Interaction, Mark
from harness.model.verdict import Round
from harness.rules import across, mask, resume, symmetry
from harness.rules.compare import Comparison, Tell
from harness.rules.facts import NOWHERE, Remote, RoundFacts, facts, remotes
from harness.rules.ids import Ids604
from tests.rules.values import event, interaction, place, rule, scope, selection, sighting
from tests.rules.values import facts as facts_of


def compared(judge: Any, *rounds: RoundFacts, **words: Any) -> across.Compared:
    return across.compare(selection(across=(judge,), **words), rounds)


def broken(made: across.Compared) -> dict[int, list[str]]:
    return {index: [f.message for f in found] for index, found in made.findings.items() if found}


def lacking(made: across.Compared) -> dict[int, list[str]]:
    return {index: [entry.reason for entry in entries] for index, entries in made.lacking.items()}


# facts


def test_facts_of_a_round() -> None:
    made = scope(
        event(state="submitted", pointer="/result/statusUpdate"), group="run-1", scenario="DA-09", round=2
    )
    made.outcome = "NO_TERMINAL"
    made.marks = (
        Mark("remote-output", "content", place(), "s", "call_00", "hotel", task_id="t-1"),
        Mark("remote-output", "content", place(2), "s", "call_00", "hotel", task_id="t-1"),
        Mark("remote-call", "content", place(2), "s", "call_01", "train", task_id="t-1"),
        Mark("failure", "content", place(3), "s"),
    )
    one = facts(made)
    assert (one.group, one.scenario, one.round, one.task_id, one.context_id) == (
        "run-1",
        "DA-09",
        2,
        "t-1",
        "c-1",
    )
    assert one.remotes == (Remote("t-1", "call_00", "hotel"), Remote("t-1", "call_01", "train"))
    assert one.place == place(1, "/result/statusUpdate")
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_capture_of_no_run_folder_is_compared_with_itself_alone() -> None:
    assert facts(scope(event())).group == "a.sse"
    assert facts(scope()).place == NOWHERE


@pytest.mark.parametrize(
    ("asked", "state", "opened"),
    [
        (Asked(known=True, task_id="t-1"), "submitted", False),
        (Asked(task_id="t-1"), None, False),
        (Asked(known=True), "working", True),
        (Asked(), "submitted", True),
        (Asked(), "working", None),
    ],
)
def test_whether_a_round_opened_its_task(asked: Asked, state: Any, opened: bool | None) -> None:
    assert facts(scope(event(state=state), asked=asked)).opened is opened


def test_no_marks_no_remotes() -> None:
    assert remotes(()) == ()


# the driver


def test_rounds_of_other_legs_versions_and_without_events_are_left_out() -> None:
    seen: list[str] = []

    class Watching(symmetry.Comparison):
        code = "SYM401"
        slug = title = why = source = "x"

        @classmethod
        def compare(cls, facts: Any, tell: Any) -> None:
            seen.extend(one.source for one in facts)
            tell.breach(len(facts) - 1, "last", place())
            tell.lacks(0, "first")

    rounds = [
        facts_of(source="remote", leg="search-agent"),
        facts_of(source="client"),
        facts_of(source="empty", recognised=False),
        facts_of(source="core", dialect="openjiuwen-core"),
        facts_of(source="none", dialect=None),
    ]
    made = compared(Watching, *rounds)
    assert seen == ["client", "core", "none"]
    assert broken(made) == {4: ["last"]}
    assert lacking(made) == {1: ["first"]}


def test_a_rule_that_compares_nothing_is_our_fault() -> None:
    with pytest.raises(TypeError, match="SYM401"):
        compared(rule("SYM401"))


def test_appending_keeps_order_and_lets_the_contract_rule_stand_for_the_protocols() -> None:
    round = Round("a", "S", None, None, 2, "client", "v1.0", "jsonrpc", 200, 3, "clean", "COMPLETED")
    made = compared(resume.ResumeChanges, *RESUMED, RES="error")
    (ours,) = made.findings[1]
    theirs = ours._replace(rule="IDS603")
    done = across.append(
        round._replace(findings=(theirs,), not_checked=(NotChecked("NEG906", "x"),)),
        [ours],
        [NotChecked("MASK202", "y")],
    )
    assert [(f.rule, f.names[-1]) for f in done.findings] == [("RES601", "IDS603")]
    assert [entry.rule for entry in done.not_checked] == ["MASK202", "NEG906"]
    assert across.append(round, (), ()) is round


def test_a_comparison_takes_back_what_the_round_could_not_check() -> None:
    """ART707: a round lacks the final Task, and a GetTask of another round gives it."""

    class Reading(Comparison):
        code = "ART707"
        slug, title, why, source = "s", "t", "w", "x"

        @classmethod
        def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
            tell.checks(0)
            tell.lacks(1, "too many")

    made = compared(Reading, facts_of(leg="llm"), facts_of(), facts_of())
    assert made.checked == {1: {"ART707"}}
    round = Round("a", "S", None, None, 2, "client", "v1.0", "jsonrpc", 200, 3, "clean", "COMPLETED")
    round = round._replace(not_checked=(NotChecked("ART707", "no final Task"), NotChecked("NEG906", "x")))
    taken = across.append(round, (), made.lacking.get(1, ()), made.checked[1])
    assert taken.not_checked == (NotChecked("NEG906", "x"),)
    replaced = across.append(round, (), made.lacking[2])
    assert replaced.not_checked == (NotChecked("ART707", "too many"), NotChecked("NEG906", "x"))


@pytest.mark.parametrize(("also", "seen"), [(False, 1), (True, 2)])
def test_calls_that_were_refused_are_seen_by_rules_that_ask_for_them(also: bool, seen: int) -> None:
    class Counting(Comparison):
        code = "NEG903"
        slug, title, why, source = "s", "t", "w", "x"
        also_refused = also

        @classmethod
        def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
            assert len(facts) == seen

    compared(Counting, facts_of(), facts_of(recognised=False))


# MASK202


def proxy(call: str | None = "call_00", tool: str | None = "hotel", task: str = "t-1") -> Interaction:
    return interaction(
        sighting(
            "delegation", "control", "masked", tool_call_id=call, tool_name=tool, task_id=task, place=place(7)
        )
    )


HOTEL = Remote("t-1", "call_00", "hotel")
ASKS = {"outcome": "INTERACTION", "interactions": (proxy(),)}


@pytest.mark.parametrize(
    ("rounds", "found", "unchecked"),
    [
        pytest.param([{**ASKS, "remotes": (HOTEL,)}], {}, {}, id="the same id"),
        pytest.param([ASKS], {}, {}, id="no marks"),
        pytest.param([{**ASKS, "remotes": (Remote("t-1", "call_00", None),)}], {}, {}, id="a mark without a target"),
        pytest.param([{**ASKS, "remotes": (Remote("t-1", "c-9", "train"),)}], {}, {}, id="marks of another agent"),
        pytest.param([{**ASKS, "remotes": (Remote("t-1", "c-9", "hotel"),)}], {0: "none of its calls"}, {}, id="another id"),
        pytest.param([{**ASKS, "remotes": (Remote("t-1", "call_00", "train"),)}], {0: "a call to 'train'"}, {}, id="another agent"),
        pytest.param(
            [{**ASKS, "remotes": (Remote("t-1", "call_00", "train"), HOTEL)}], {}, {}, id="one id at two agents, ours among them"
        ),
        pytest.param(
            [{"remotes": (HOTEL,)}, {**ASKS, "round": 2, "opened": False}], {}, {}, id="confirmed by the round before"
        ),
        pytest.param(
            [{"remotes": (Remote("t-1", "c-9", "hotel"),)}, {**ASKS, "round": 2, "opened": False}],
            {1: "none of its calls"}, {}, id="contradicted by the round before",
        ),
        pytest.param(
            [{"remotes": (Remote("t-0", "c-9", "hotel"),), "task_id": "t-0"}, {**ASKS, "round": 2}], {}, {}, id="marks of another task"
        ),
        pytest.param(
            [{**ASKS}, {"round": 2, "remotes": (Remote("t-1", "c-9", "hotel"),)}], {}, {}, id="later marks prove nothing"
        ),
        pytest.param(
            [{**ASKS, "opened": False, "round": 3, "remotes": (Remote("t-1", "c-9", "hotel"),)}],
            {}, {0: "earlier rounds are not there"}, id="earlier rounds are missing",
        ),
        pytest.param([{**ASKS, "opened": False, "round": 3}], {}, {0: "earlier rounds"}, id="missing, and no marks here"),
        pytest.param([{**ASKS, "opened": None, "round": 2}], {}, {0: "earlier rounds"}, id="may continue a task"),
        pytest.param([{**ASKS, "opened": None}], {}, {}, id="a first round"),
        pytest.param([{**ASKS, "opened": False, "round": 3, "remotes": (HOTEL,)}], {}, {}, id="missing, but confirmed here"),
        pytest.param(
            [{**ASKS, "opened": False, "round": 3, "remotes": (Remote("t-1", "call_00", "train"),)}],
            {0: "a call to 'train'"}, {}, id="missing, but contradicted here",
        ),
        pytest.param([{"opened": False, "round": 3}], {}, {}, id="no proxy: nothing to check"),
        pytest.param([{"interactions": (proxy(None), proxy("c", None))}], {}, {}, id="a proxy without id or name is MASK201's"),
        pytest.param(
            [{"group": "other", "remotes": (Remote("t-1", "c-9", "hotel"),)}, {**ASKS}], {}, {}, id="another run folder"
        ),
        pytest.param(
            [{"scenario": "S-2", "remotes": (Remote("t-1", "c-9", "hotel"),)}, {**ASKS}], {}, {}, id="another scenario"
        ),
    ],
)  # fmt: skip
def test_a_proxy_against_the_remote_calls_of_its_task(
    rounds: list[dict[str, Any]], found: Any, unchecked: Any
) -> None:
    made = compared(mask.ProxyCall, *[facts_of(**more) for more in rounds])
    assert broken(made).keys() == found.keys()
    assert all(text in broken(made)[index][0] for index, text in found.items())
    assert lacking(made).keys() == unchecked.keys()
    assert all(text in lacking(made)[index][0] for index, text in unchecked.items())


# RES601

TURN_1 = facts_of(outcome="INTERACTION")
RESUMED = (TURN_1, facts_of(round=2, opened=False, asked_task="t-1", asked_context="c-1", task_id="t-2"))


@pytest.mark.parametrize(
    ("second", "found", "unchecked"),
    [
        ({}, [], []),
        ({"task_id": "t-2"}, ["in task 't-1', and the answer's round is in 't-2'"], []),
        ({"context_id": "c-2"}, ["in context 'c-1', and the answer's round is in 'c-2'"], []),
        ({"asked_context": "c-2"}, ["in context 'c-1', and the answer's round is in 'c-2'"], []),
        ({"asked_context": "c-2", "context_id": "c-2"}, ["context 'c-1'"], []),
        ({"asked_context": None}, [], []),
        ({"asked_task": None, "opened": True, "task_id": "t-2"}, [], []),
        ({"asked_task": "t-9"}, [], ["earlier rounds are not there"]),
        ({"asked_task": "t-9", "answers": False}, [], []),
        ({"answers": False, "task_id": "t-2"}, [], []),
        (
            {"asked": False, "asked_task": None, "opened": None, "task_id": "t-2"},
            [],
            ["request is not known"],
        ),
        ({"asked": False, "asked_task": None, "opened": None}, [], []),
        ({"asked": False, "asked_task": None, "opened": True, "task_id": "t-2"}, [], []),
    ],
)
def test_a_resumed_round_stays_in_task_and_context(
    second: Any, found: list[str], unchecked: list[str]
) -> None:
    more = {"round": 2, "opened": False, "asked_task": "t-1", "asked_context": "c-1", **second}
    made = compared(resume.ResumeChanges, TURN_1, facts_of(**more))
    assert len(broken(made).get(1, [])) == len(found)
    assert all(text in message for text, message in zip(found, broken(made).get(1, []), strict=True))
    assert all(text in reason for text, reason in zip(unchecked, lacking(made).get(1, []), strict=True))


def test_a_request_to_a_task_that_asked_nothing_is_no_resume() -> None:
    made = compared(resume.ResumeChanges, facts_of(outcome="FAILED"), RESUMED[1])
    assert not broken(made)
    assert not lacking(made)


def test_the_order_of_files_does_not_matter_the_rounds_number_does() -> None:
    assert broken(compared(resume.ResumeChanges, RESUMED[1], RESUMED[0])).keys() == {0}


def test_first_rounds_alone_resume_nothing() -> None:
    made = compared(resume.ResumeChanges, facts_of(), facts_of(scenario="S-2", asked=False, opened=None))
    assert not lacking(made)


# SYM


def shown(topology: str | None, *interactions: Interaction, **more: Any) -> RoundFacts:
    return facts_of(
        source=f"{topology}.log", scenario=str(topology), topology=topology, interactions=interactions, **more
    )


LEAK = interaction(sighting(place=place(828)))
PROXY = proxy()
NATIVE = interaction(sighting("user_input", "control", "native"))
BATCH = interaction(sighting("confirmation", "control", "native"))
MIRRORED = interaction(sighting("user_input", "content", "native"))
TEXT = interaction(sighting("user_input", "control", "native", fallback=True))
DECLARED = interaction(sighting("delegation", "content", "declared"))
SHOWN_LEAK = interaction(sighting("delegation", "control", "leaked"))


@pytest.mark.parametrize(
    ("rounds", "messages"),
    [
        pytest.param(
            [shown("deep", LEAK), shown("edpa", PROXY), shown("exp", NATIVE)],
            [
                "delegation on the control channel differs between topologies (deep: none; edpa: masked)",
                "delegation on the content channel differs between topologies (deep: leaked; edpa: none)",
            ],
            id="seed 000",
        ),
        pytest.param([shown("a", LEAK), shown("b", LEAK)], [], id="the same leak in both is symmetric"),
        pytest.param([shown("a", PROXY), shown("b", NATIVE)], [], id="other kinds are not compared"),
        pytest.param([shown("a", PROXY), shown("b")], [], id="a kind that the other does not have"),
        pytest.param(
            [shown("a", DECLARED), shown("b", LEAK)],
            ["delegation on the content channel differs between topologies (a: declared; b: leaked)"],
            id="declared and leaked",
        ),
        pytest.param([shown("a", LEAK), shown(None, PROXY), shown("b")], [], id="no topology: takes no part"),
        pytest.param(
            [shown("a", NATIVE, MIRRORED), shown("b", NATIVE)],
            ["user_input on the content channel differs between topologies (a: native; b: none)"],
            id="a mirrored question",
        ),
    ],
)
def test_exposures_between_topologies(rounds: list[RoundFacts], messages: list[str]) -> None:
    made = compared(symmetry.Exposures, *rounds, SYM401="error")
    assert [group.finding.message for group in made.groups] == messages
    assert not made.not_checked


def test_a_group_names_the_rounds_that_it_compares_and_the_first_place() -> None:
    made = compared(symmetry.Exposures, shown("x"), shown("edpa", PROXY), shown("deep", LEAK), SYM401="error")
    content = made.groups[1]
    assert content.rounds == ("deep.log", "edpa.log"), "the place stands in the first"
    assert (content.finding.severity, content.finding.place) == ("error", place(828))


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ([shown("a", PROXY), shown("b", PROXY)], None),
        ([shown("a", PROXY), shown("b", NATIVE)], "(a: proxy; b: native)"),
        ([shown("a", TEXT), shown("b", NATIVE)], "(a: plain text; b: native)"),
        ([shown("a", NATIVE), shown("b", BATCH)], None),
        ([shown("a", NATIVE, PROXY), shown("b", NATIVE)], "(a: native, proxy; b: native)"),
        ([shown("a", NATIVE), shown("b", LEAK)], None),
        ([shown("a", NATIVE), shown("b", SHOWN_LEAK)], None),
        ([shown("a", NATIVE), shown("b", MIRRORED)], None),
    ],
)
def test_envelopes_between_topologies(rounds: list[RoundFacts], said: str | None) -> None:
    made = compared(symmetry.Envelopes, *rounds, SYM402="error")
    assert [said in group.finding.message for group in made.groups] == ([True] if said else [])


@pytest.mark.parametrize("judge", [symmetry.Exposures, symmetry.Envelopes])
@pytest.mark.parametrize(
    ("rounds", "reason"),
    [
        ([shown("a", LEAK), shown("a", PROXY)], "only one topology: a"),
        ([shown(None, LEAK), shown(None, PROXY)], "no capture tells its topology"),
        ([], "no capture tells its topology"),
    ],
)
def test_one_topology_only_is_not_checked(judge: Any, rounds: list[RoundFacts], reason: str) -> None:
    made = compared(judge, *rounds, SYM401="error", SYM402="error")
    assert made.not_checked == (NotChecked(judge.code, reason),)
    assert not made.groups


# IDS604


@pytest.mark.parametrize(
    ("second", "found", "unchecked"),
    [
        ({"asked_task": "t-1"}, 0, 0),
        ({"task_id": "t-2"}, 0, 0),
        ({}, 1, 0),
        ({"asked": False}, 0, 1),
        ({"task_id": None}, 0, 0),
        ({"scenario": "S-2"}, 0, 0),
        ({"group": "other"}, 0, 0),
        ({"leg": "search-agent"}, 0, 0),
        ({"round": 1}, 0, 0),
    ],
)
def test_a_new_task_has_an_id_of_its_own(second: Any, found: int, unchecked: int) -> None:
    made = compared(Ids604, facts_of(), facts_of(**{"round": 2, **second}), IDS="error")
    assert len(broken(made).get(1, [])) == found
    assert len(lacking(made).get(1, [])) == unchecked
