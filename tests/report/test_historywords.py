"""Both languages say the same things."""

from __future__ import annotations

import re

import pytest

from harness.report.historywords import EN, ZH, words


def test_both_tables_have_the_same_keys() -> None:
    assert EN.keys() == ZH.keys()
    assert words("zh") is ZH and words("en") is words("fr") is EN


@pytest.mark.parametrize("key", sorted(EN))
def test_both_texts_take_the_same_values(key: str) -> None:
    assert sorted(re.findall(r"{\w+}", EN[key])) == sorted(re.findall(r"{\w+}", ZH[key]))
