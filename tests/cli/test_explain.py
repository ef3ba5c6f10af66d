"""Rules and words are explained; what is not known is answered with the nearest."""

from __future__ import annotations

import pytest

from harness.cli.glossary import TOPICS
from harness.model.verdict import OUTCOMES
from harness.report.reasons import REASONS_ZH, TITLES_ZH
from harness.rules import registry


def test_a_rule_by_code_or_slug(harness) -> None:
    by_code = harness("explain", "leak101")
    assert by_code.code == 0
    assert by_code.out.startswith("LEAK101 ")
    for part in ("severity: error", "source: ", "Passes", "Fails", "a2a_delegate"):
        assert part in by_code.out
    slug = by_code.out.split()[1]
    assert harness("explain", slug).out == by_code.out


def test_all_rules_are_listed(harness) -> None:
    listed = [line.split()[0] for line in harness("explain").out.splitlines()[1:]]
    assert listed == list(registry.CODES)


@pytest.mark.parametrize("word", TOPICS)
def test_words(harness, word: str) -> None:
    english, chinese = harness("explain", word).out, harness("explain", word, "--lang", "zh").out
    for entry in TOPICS[word]:
        assert entry.word in english
        assert entry.word in chinese
    assert english != chinese


def test_every_outcome_is_explained() -> None:
    assert {entry.word for entry in TOPICS["outcome"]} == set(OUTCOMES)


def test_unknown(harness) -> None:
    said = harness("explain", "LEAK11")
    assert said.code == 2
    assert "did you mean LEAK101?" in said.err


def test_contract_rules_are_told_in_chinese(harness) -> None:
    ours = {
        code
        for name in ("LEAK", "MASK", "BIND", "SYM", "END", "RES", "STEER", "DEL", "SCN", "WAIV")
        for code in registry.FAMILIES[name].codes
    }
    assert set(TITLES_ZH) == set(REASONS_ZH) == ours
    assert "内容通道" in harness("explain", "LEAK101", "--lang", "zh").out
