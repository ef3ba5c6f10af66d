"""Both sides line by line: changes with a little around them, capped."""

from __future__ import annotations

from harness.diff import rows as module
from harness.diff.events import Events
from harness.diff.rows import rows
from tests.diff.streams import artifact, status, token, units


def shown(a, b) -> list[tuple[str, str | None, str | None, int]]:
    (left, ids_a), (right, ids_b) = units(a), units(b)
    events = Events(left, right, (ids_a, ids_b), (frozenset(), frozenset()))
    return [(row.mark, row.a, row.b, row.times) for row in rows(events)]


def data(name: str):
    return artifact({"data": {"name": name}}, name)


def test_around_a_change() -> None:
    a = [status("SUBMITTED"), status("WORKING"), token("one"), data("x"), data("y"), status("COMPLETED")]
    b = [status("SUBMITTED"), status("WORKING"), token("two"), data("x"), data("y"), status("COMPLETED")]
    assert shown(a, b) == [
        ("skipped", None, None, 1),
        ("equal", "status working", "status working", 1),
        ("changed", 'artifact llm_output "one"', 'artifact llm_output "two"', 1),
        ("equal", "artifact data", "artifact data", 1),
        ("skipped", None, None, 2),
    ]


def test_what_is_gone_stands_where_it_was() -> None:
    a = [status("WORKING"), data("x"), status("COMPLETED")]
    assert [row[0] for row in shown(a, [a[0], a[2]])] == ["equal", "removed", "equal"]
    assert [row[0] for row in shown([a[0], a[2]], a)] == ["equal", "added", "equal"]


def test_capped(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 5)
    found = shown([data(f"a{n}") for n in range(40)], [])
    assert len(found) == 6 and found[-1] == ("skipped", None, None, 35)
