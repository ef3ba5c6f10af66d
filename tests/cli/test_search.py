"""Search finds names and values at any depth, in JSON inside strings too."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from harness.cli.search import Hit, may_hold, search, walk
from harness.report.pointers import at

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3) | inner.map(json.dumps)
    ),
)


def test_hits() -> None:
    value = {"a": ["x needle"], "needle": 1, "s": '{"deep":{"b/c":"needle!"}}', "n": 15}
    assert list(search(value, "needle")) == [
        Hit("/a/0", "x needle"),
        Hit("/needle", "needle", True),
        Hit("/s", '{"deep":{"b/c":"needle!"}}'),
        Hit("/s#/deep/b~1c", "needle!"),
    ]
    assert list(search(value, "15")) == [Hit("/n", "15")]


def test_pointers_lead_back() -> None:
    value = {"s": '{"deep":["needle"]}', "k#": {"x": 1}}
    assert at(value, "/s#/deep/0") == ["needle"]
    assert at(value, "/k#/x") == [1]
    assert at(value, "") == [value]
    assert at(value, "/s/0") == at(value, "/nope") == at(value, "/s#/deep/9") == []


@given(VALUES)
def test_every_pointer_of_a_walk_leads_back(value: object) -> None:
    for pointer, _, held in walk({"root": value}):
        assert held in at({"root": value}, pointer)


@given(VALUES, st.text(min_size=1, max_size=3), st.booleans())
def test_the_prefilter_skips_nothing(value: object, text: str, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only)
    if list(search(value, text)):
        assert may_hold(data, text)


def test_ten_thousand_levels() -> None:
    value: object = "needle"
    for _ in range(10_000):
        value = [value]
    assert len(list(search(value, "needle"))) == 1
