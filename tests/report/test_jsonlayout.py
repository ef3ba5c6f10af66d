"""Layout changes blanks and nothing else."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from harness.report.jsonlayout import layout

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES, st.sampled_from([None, 1]))
def test_the_value_stays_the_same(value: object, indent: int | None) -> None:
    assert json.loads("\n".join(layout(json.dumps(value, indent=indent)))) == value


@given(st.text())
def test_any_text_at_all(text: str) -> None:
    list(layout(text))


def test_numbers_and_doubles_are_untouched() -> None:
    assert list(layout('{"a":1.0e5,"a":[],"b":{"c":9007199254740993}}')) == [
        "{",
        '  "a": 1.0e5,',
        '  "a": [],',
        '  "b": {',
        '    "c": 9007199254740993',
        "  }",
        "}",
    ]


def test_ten_thousand_levels() -> None:
    assert len(list(layout("[" * 10_000 + "1" + "]" * 10_000))) == 20_001
