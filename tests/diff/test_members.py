"""Differences are told by member, with the kind of each."""

from __future__ import annotations

from harness.diff.marks import ID, NAME, TEXT, TIME
from harness.diff.members import differences, named, reordered, shown, together


def test_kinds_of_difference() -> None:
    a = {"k": "x", "t": f"{TEXT}hi", "id": f"{NAME}call#1{NAME}", "l": [1, 2], "gone": 1}
    b = {"k": "y", "t": f"{TEXT}ho", "id": f"{NAME}call#2{NAME}", "l": [1, 3], "new": {"z": 1}}
    assert [tuple(one) for one in differences(a, b, "/r")] == [
        ("member", "/r/gone", "1", None),
        ("identity", "/r/id", "call#1", "call#2"),
        ("member", "/r/k", "x", "y"),
        ("member", "/r/l/1", "2", "3"),
        ("member", "/r/new", None, '{"z": 1}'),
        ("text", "/r/t", "hi", "ho"),
    ]


def test_names_stand_for_ids() -> None:
    value = named(f'{{"a":"{ID}","b":["x-{ID}"]}}', (1, 0), ("task#1", "call#1"))
    assert shown(value) == '{"a": "call#1", "b": ["x-task#1"]}'
    assert shown(TIME) == "(time)"


def test_only_the_order_of_items() -> None:
    assert reordered({"l": [{"a": [1, 2]}, 3]}, {"l": [3, {"a": [2, 1]}]})
    assert not reordered({"l": [1, 2]}, {"l": [1, 3]})


def test_ids_of_items_in_another_order_belong_together() -> None:
    def item(number: int, text: str) -> dict[str, str]:
        return {"id": f"{NAME}{number}{NAME}", "m": text}

    a, b = [item(0, "A"), item(1, "B")], [item(0, "B"), item(1, "A")]
    assert sorted(together(a, b)) == [(0, 1), (1, 0)]
    assert sorted(together(a, [item(0, "X"), item(1, "A")])) == [(0, 0), (1, 1)]


def test_a_step_into_a_json_text() -> None:
    (only,) = differences({"text": {"#": {"a": 1}}}, {"text": {"#": {"a": 2}}})
    assert only.pointer == "/text#/a"


def test_so_many_ids_are_not_so_many_others() -> None:
    """One id, and two that stand side by side."""
    one, two = f"{NAME}1{NAME}", f"{NAME}1{NAME}{NAME}2{NAME}"
    assert list(together({"a": one}, {"a": two})) == []
    assert [each.subject for each in differences({"a": one}, {"a": two})] == ["member"]
    assert list(together({"a": two}, {"a": two})) == [(1, 1), (2, 2)]
