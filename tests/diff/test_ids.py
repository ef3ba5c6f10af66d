"""Ids are found alone and inside other strings, whole ones only."""

from __future__ import annotations

from harness.diff import ids as module
from harness.diff.form import Shape, Volatile
from harness.diff.ids import Ids

UUID = "3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11"


def made(**more) -> Ids:
    return Ids(Volatile(shapes=(Shape("id", "[0-9a-f]{8}-[0-9a-f-]{27}"),), **more))


def test_one_value_is_one_id_whatever_its_class() -> None:
    ids = made()
    assert ids.number("task", "t-12345678") == ids.number("context", "t-12345678")
    assert ids.names == ["task"]


def test_a_declared_class_wins_over_a_look() -> None:
    ids = made()
    assert ids.number("id", UUID) == ids.number("task", UUID)
    assert ids.names == ["task"]


def test_classes_apart_share_no_ids() -> None:
    ids = made(apart=("agent-task",))
    assert ids.number("task", "rt-1") != ids.number("agent-task", "rt-1")
    assert ids.alone("rt-1") == 0


def test_inside_strings_longest_first_and_whole_words_only() -> None:
    ids = made()
    short, long = ids.number("context", "ctx-demo"), ids.number("context", "ctx-demo-01")
    batch, call = ids.number("batch", "batch-9b1c"), ids.number("call", "call_00_Vv1")
    found = ids.inside("ctx-demo-01_batch-9b1c_call_00_Vv1")
    assert [span.number for span in found] == [long, batch, call]
    assert [span.number for span in ids.inside("a ctx-demo b xctx-demo")] == [short]
    assert ids.inside("deep_agent_task_ctx-demo-01_1")[0].number == long


def test_words_are_no_ids_where_none_is_declared() -> None:
    ids = made()
    ids.number("call", "questioner")
    ids.number("task", "t")
    assert ids.alone("questioner") is None and ids.alone("t") is None
    assert ids.inside("the questioner asks") == []


def test_memory_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_KNOWN", 3)
    monkeypatch.setattr(module, "MAX_IDS", 5)
    ids = made()
    numbers = [ids.number("call", f"call_00_{n}") for n in range(9)]
    assert ids.full and len(ids.names) == 5 and max(numbers) == 4
    assert [span.number for span in ids.inside("call_00_0 call_00_3")] == [0]
