"""Every rule bites: each FAILS is found under its code, no PASSES is, through the whole flow."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.rules import registry
from harness.rules.example import Example
from harness.rules.rule import Rule
from tests.rules.examples import codes, judge, unchecked

RULES = registry.rules(registry.CODES)


def examples(kind: str) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{rule.code}-{number}")
        for rule in RULES
        for number, example in enumerate(getattr(rule, kind))
    ]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_each_rule_has_examples_of_both_kinds(rule: type[Rule]) -> None:
    assert rule.PASSES
    assert rule.FAILS


@pytest.mark.parametrize(("rule", "example"), examples("FAILS"))
def test_what_fails_is_found(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    report = judge(example, tmp_path)
    assert rule.code in codes(report), f"not found; not checked: {unchecked(report).get(rule.code)}"


@pytest.mark.parametrize(("rule", "example"), examples("PASSES"))
def test_what_passes_is_not_found(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    assert rule.code not in codes(judge(example, tmp_path))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_passes_because_it_was_checked(rule: type[Rule], tmp_path: Path) -> None:
    """A rule that is not checked on any of its PASSES would pass on everything."""
    reasons = []
    for number, example in enumerate(rule.PASSES):
        folder = tmp_path / str(number)
        folder.mkdir()
        reasons.append(unchecked(judge(example, folder)).get(rule.code))
    assert None in reasons, reasons


def test_notes_tell_the_examples_of_a_rule_apart() -> None:
    for rule in RULES:
        for kind in (rule.PASSES, rule.FAILS):
            notes = [example.note for example in kind if example.note]
            assert len(notes) == len(set(notes)), rule.code
