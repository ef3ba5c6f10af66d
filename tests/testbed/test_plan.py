"""What a scenario may say about its play, and what a mistake is answered."""

from __future__ import annotations

import pytest

from harness.errors import ScenarioError
from harness.testbed.plan import Plan


def test_nothing_said_is_the_default():
    assert Plan.of({}) == Plan()


def test_every_key_can_be_said():
    given = {
        "script": "research", "kind": "react", "generation": "G3", "calls": 1, "asks": 0, "questions": 3, "tokens": 3873,
        "pace": 1, "keep_open": True, "core": "python", "status": 429, "defects": ["mirror-v1"],
    }  # fmt: skip
    assert set(given) == set(Plan._fields)
    plan = Plan.of(given)
    assert plan.defects == {"mirror-v1"}
    assert plan.pace == 1.0


def test_sets_of_defects_are_spelled_out():
    assert "mirror-v2" in Plan.of({"defects": "as-reported"}).defects
    assert (
        Plan.of({"defects": ["as-reported", "masking-off"]}).defects
        > Plan.of({"defects": "as-reported"}).defects
    )
    assert Plan.of({"defects": "fixed"}).defects == frozenset()


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [
        ("scirpt", "plain", "script"),
        ("script", "nobody", "research"),
        ("kind", "agent-invoke", "deepagent"),
        ("generation", "G4", "G1, G2, G3"),
        ("calls", 0, "from 1 to 64"),
        ("calls", "3", "whole number"),
        ("calls", True, "whole number"),
        ("tokens", -1, "from 0"),
        ("pace", "fast", "seconds"),
        ("pace", 61, "0 to 60"),
        ("keep_open", "yes", "true or false"),
        ("core", "rust", "java, python"),
        ("status", 200, "from 400"),
        ("defects", "mirror", "mirror"),
        ("defects", 3, "list of names"),
    ],
)
def test_a_mistake_names_the_key_and_what_is_allowed(key, value, word):
    with pytest.raises(ScenarioError) as raised:
        Plan.of({key: value}, file="DA.scenario.yaml", line=7)
    text = str(raised.value)
    assert text.startswith(f"DA.scenario.yaml:7 $.testbed.{key}: ")
    assert word in text


def test_the_model_is_named_with_its_numbers():
    assert (
        Plan(calls=2, tokens=5).model("research")
        == "research?calls=2&asks=2&questions=14&tokens=5&status=500"
    )


def test_remote_agents_play_in_short_and_without_faults():
    plan = Plan(tokens=9000, generation="G3", kind="react", defects=frozenset({"failure-as-answer"})).remote
    assert (plan.tokens, plan.kind, plan.defects, plan.generation) == (12, None, frozenset(), "G3")
