"""Each protocol rule's own examples, driven without the pipeline; across rules none strays into another's."""

from __future__ import annotations

import pytest

from harness.rules import registry
from harness.rules.example import Example
from tests.rules.protocol import FAMILIES, examples, judge

ALL = [pytest.param(*one, id=f"{one[0]}-{one[1]}-{n}") for f in FAMILIES for n, one in enumerate(examples(f))]
ONE_STREAM = [
    r for f in FAMILIES for r in registry.rules(registry.FAMILIES[f].codes) if not r.needs & {"rounds"}
]


@pytest.mark.parametrize(("code", "kind", "example"), ALL)
def test_examples(code: str, kind: str, example: Example) -> None:
    judged = judge(example)
    assert (code in judged.findings) is (kind == "FAILS"), judged.not_checked.get(code)


@pytest.mark.parametrize("rule", ONE_STREAM, ids=lambda rule: rule.code)
def test_each_rule_passes_because_it_was_checked(rule: type) -> None:
    assert any(rule.code not in judge(example).not_checked for example in rule.PASSES)


@pytest.mark.parametrize("rule", ONE_STREAM, ids=lambda rule: rule.code)
def test_each_rule_has_a_failing_example_that_bites_as_hard_as_it_says(rule: type) -> None:
    weights = {judge(example).weight(rule.code) for example in rule.FAILS}
    stated = rule.severity
    assert weights & ({stated} if isinstance(stated, str) else set(stated.values()))


@pytest.mark.parametrize(("code", "kind", "example"), ALL)
def test_passing_examples_hold_no_error_of_any_other_rule(code: str, kind: str, example: Example) -> None:
    if kind == "PASSES" and example.ending != "upstream_cut":
        assert judge(example).errors() == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_states_its_codes_in_order(family: str) -> None:
    codes = [rule.code for rule in registry.rules(registry.FAMILIES[family].codes)]
    assert tuple(codes) == registry.FAMILIES[family].codes
