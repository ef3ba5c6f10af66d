"""docs/scenarios.md: its examples are read, and every word of both languages stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from harness import scenario, topologies
from harness.scenario import language, sut, sut_language

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
SCENARIO, SUT = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
MODELS = [
    one
    for module in (language, sut_language)
    for one in vars(module).values()
    if isinstance(one, type) and issubclass(one, BaseModel) and one is not BaseModel
]


def test_the_scenario_is_one() -> None:
    made = scenario.parse(SCENARIO, "docs")
    assert [one.topology for one in (made,)] == [topologies.load()[1].name]
    assert made.rounds[1].parts[0].answers == "hotel-agent"


def test_the_system_is_one() -> None:
    made = sut.parse(SUT, "docs", {"SIT_TOKEN": "t", "OPENAI_API_KEY": "k"})
    sut.check_against(made, topologies.load()[1:2])
    assert made.agents[0].headers == (("Authorization", "Bearer t"),)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_word_is_explained(model: type[BaseModel]) -> None:
    missing = [name for name in model.model_fields if f"`{name}`" not in PAGE and f"{name}:" not in PAGE]
    assert not missing, f"docs/scenarios.md does not explain {missing} of {model.__name__}"


def test_the_plan_of_the_testbed_is_named_word_by_word() -> None:
    """All fields of `harness.testbed.plan.Plan` but the faults, which a set names."""
    from harness.testbed.plan import Plan

    row = next(line for line in PAGE.split("\n") if line.startswith("| `testbed` |"))
    assert set(re.findall(r"`(\w+)`", row)) == {"testbed", *Plan._fields} - {"defects"}


def test_what_the_driver_does_is_what_the_page_says() -> None:
    from harness.drive import exchange

    assert exchange.GRACE_S == 0.5
    assert all(str(status) in PAGE for status in exchange.RETRIED)
