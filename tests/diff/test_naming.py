"""Equal names are the same id: votes decide, each id is in one pair."""

from __future__ import annotations

from harness.diff.form import Volatile
from harness.diff.ids import Ids
from harness.diff.naming import SURE, Vote, linked, names
from harness.diff.units import Unit
from harness.diff.values import NOWHERE


def ids(*entries: tuple[str, str]) -> Ids:
    made = Ids(Volatile())
    for name, value in entries:
        made.number(name, value)
    return made


def test_names_by_class_and_first_sight() -> None:
    a = ids(("task", "a1"), ("call", "a2"), ("call", "a3"))
    b = ids(("call", "b3"), ("task", "b1"), ("call", "b2"), ("call", "b4"))
    found = names(a, b, [Vote([0, 1, 2], [1, 2, 0])])
    assert found.a == ("task#1", "call#1", "call#2")
    assert found.b == ("call#2", "task#1", "call#1", "call#3")


def test_the_most_votes_stand() -> None:
    a, b = ids(("call", "a"), ("call", "c")), ids(("call", "b"), ("call", "d"))
    found = names(a, b, [Vote([0, 1], [1, 0]), Vote([0, 1], [0, 1], SURE)])
    assert found.a == found.b == ("call#1", "call#2")


def test_a_declared_class_names_both() -> None:
    found = names(ids(("id", "a")), ids(("task", "b")), [Vote([0], [0])])
    assert found.a == found.b == ("task#1",)


def test_an_id_in_one_place_links_nothing() -> None:
    units = [Unit("artifact", "", NOWHERE, 1, 1, 0, 0, None, numbers) for numbers in ((0, 1), (1, 2), (3, 3))]
    assert linked(units, ("a#1", "a#2", "a#3", "a#4")) == {"a#2", "a#4"}
