"""Lowered JSONPath gives what jsonpath-ng gives, but for both spellings and strings that hold JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonpath_ng.ext.parser import parse

from harness.mapping.jsonpath import PathFault, lower
from harness.mapping.paths import spots_of, values_of
from harness.mapping.spot import pointer, root

EXPRESSIONS = [
    "$", "a", "a.b", "$.a.b", "a[0]", "a[-1]", "a[*]", "a[*].b", "a.*", "*", "a[1:]", "a[:2].b", "a[::2]", "$..b", "a..b",
    "a[?(@.b == 1)]", "a[?(@.b == 'x')].a", "a[?(@.b)]", "a[?(@.b > 0)].b", "a[?(@.b != 1)]", "a[?(@.a == 1 && @.b == 2)]",
    "['a']['b']", "b[0].a", "a.b.a.b",
]  # fmt: skip

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.sampled_from(["x", "", "y z"]))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@given(value=VALUES)
def test_the_same_values_as_jsonpath_ng(expression: str, value: Any) -> None:
    ours = values_of(lower(expression))(root(value))
    theirs = [match.value for match in parse(expression).find(value)]
    if expression == "a" and not isinstance(value, dict):
        theirs = []
    key = json.dumps if ".." in expression else None
    assert sorted(map(json.dumps, ours)) == sorted(map(json.dumps, theirs)) if key else list(ours) == theirs


@pytest.mark.parametrize(
    ("expression", "value", "expected"),
    [
        ("toolCallId", {"tool_call_id": 1}, [1]),
        ("tool_call_id", {"toolCallId": 1}, [1]),
        ("_interrupt_kind", {"_interruptKind": 1}, [1]),
        ("toolCallId", {"tool_call_id": 2, "toolCallId": 1}, [1]),
        ("a.b", {"a": '{"b": 3}'}, [3]),
        ("a[0].b", {"a": ' [{"b": 3}]\n'}, [3]),
        ("a.b", {"a": json.dumps(json.dumps({"b": 3}))}, [3]),
        ("a.b", {"a": 'see {"b": 3}'}, []),
        ("a", {"a": '{"b": 3}'}, ['{"b": 3}']),
        ("a.b", {"a": "b"}, []),
    ],
)
def test_spellings_and_strings(expression: str, value: Any, expected: list[Any]) -> None:
    assert list(values_of(lower(expression))(root(value))) == expected
    assert [spot[0] for spot in spots_of(lower(expression))(root(value))] == expected


def test_spots_know_their_way() -> None:
    value = {"a": '[{"b/c": {"d": 1}}]'}
    [spot] = spots_of(lower("a[0]['b/c'].d"))(root(value))
    assert pointer(spot, "/base") == "/base/a#/0/b~1c/d"
    [above] = spots_of(lower("`parent`.`parent`"))(spot)
    assert above[0] == {"b/c": {"d": 1}}


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("a..", "is no JSONPath"), ("", "is no JSONPath"), ("a[", "is no JSONPath"), ("#", "is no JSONPath"),
        ("a.`len`", "calls len"), ("a.`sub(/x/,y)`", "calls sub"), ("a | b", "uses Union"), ("a where b", "uses Where"),
        ("a[0,1]", "names several places"), ("a['b','c']", "names several members"), ("a[::0]", "stride of 0"),
        ("a[?(@.b =~ 'x')]", "compares with =~"), ("a[?(@.b || @.c)]", "has a test that"), ("a[?(@.b == @.c)]", "has a test that"),
        ("a[?(!@.b)]", "compares with !"), ("1 + 2", "uses Operation"), ("a.$.b", "uses Root"),
    ],
)  # fmt: skip
def test_what_is_refused(expression: str, what: str) -> None:
    with pytest.raises(PathFault, match=what) as caught:
        lower(expression)
    assert caught.value.mend
