"""Every rule is named, loads alone, and says all that a reader of its finding needs."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from harness.errors import UsageError
from harness.rules import registry
from harness.rules.compare import Comparison
from harness.rules.legs import OverLegs
from harness.rules.rule import Rule


def families() -> list[str]:
    return list(registry.FAMILIES)


@pytest.mark.parametrize("family", families())
def test_a_familys_file_holds_exactly_the_codes_of_the_table(family: str) -> None:
    module = __import__(registry.FAMILIES[family].module, fromlist=["RULES"])
    assert tuple(rule.code for rule in module.RULES) == registry.FAMILIES[family].codes
    assert all(
        code.startswith(family) and re.fullmatch(r"[A-Z]+\d{3}", code)
        for code in registry.FAMILIES[family].codes
    )


def all_rules() -> list[type[Rule]]:
    return list(registry.rules(registry.CODES))


def test_codes_and_slugs_are_unique() -> None:
    rules = all_rules()
    assert len({rule.code for rule in rules}) == len({rule.slug for rule in rules}) == len(rules)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_each_rule_says_what_why_and_where_from(rule: type[Rule]) -> None:
    assert re.fullmatch(r"[a-z0-9.]+(-[a-z0-9.]+)*", rule.slug)
    assert rule.title
    assert not re.search(r"[^.]\.$", rule.title)
    assert len(rule.why.split()) >= 8, "two or three sentences: why it matters, how to mend it"
    assert rule.why.rstrip().endswith(".")
    assert rule.source
    words = {rule.severity} if isinstance(rule.severity, str) else set(rule.severity.values())
    assert words <= {"error", "warning", "info"}
    if not isinstance(rule.severity, str):
        assert set(rule.severity) == rule.versions, "a severity for each version that it speaks of"
    assert rule.needs <= {"raw", "sse", "http", "request", "ending", "timing", "events", "rounds", "legs"}


def test_comparisons_are_those_of_the_table() -> None:
    assert {rule.code for rule in all_rules() if issubclass(rule, Comparison)} == (
        registry.ACROSS | registry.BOTH
    )


def test_rules_over_legs_are_those_of_the_table() -> None:
    assert {rule.code for rule in all_rules() if issubclass(rule, OverLegs)} == registry.LEGS


def test_words_expand_to_codes() -> None:
    assert registry.expand(["bind", " MASK202 "]) == ("MASK202", "BIND301", "BIND302")
    assert registry.expand([]) == ()
    with pytest.raises(UsageError, match="families are LEAK"):
        registry.expand(["LEAK", "T01"])


def test_one_rule_by_its_code() -> None:
    assert registry.rule("LEAK101").slug == "delegation-on-content-channel"
    for wrong in ("LEAK", "LEAK999", "leak101", ""):
        with pytest.raises(UsageError):
            registry.rule(wrong)


def test_choosing_three_families_loads_no_other() -> None:
    code = (
        "import sys\n"
        "from harness.rules import contracts, engine\n"
        "engine.select(contracts.load('masked'), ['LEAK', 'MASK', 'BIND'])\n"
        "print(*sorted(name for name in sys.modules if name.startswith('harness.rules.')))\n"
        "print(*[name for name in ('yaml', 'pydantic', 'dataclasses', 'inspect') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, heavy = done.stdout.split("\n")[:2]
    names = {name.removeprefix("harness.rules.") for name in loaded.split()}
    assert {"leak", "mask", "bind"} <= names
    others = {family.module.rpartition(".")[2] for family in registry.FAMILIES.values()} - {
        "leak",
        "mask",
        "bind",
    }
    assert not names & others
    assert heavy == ""
