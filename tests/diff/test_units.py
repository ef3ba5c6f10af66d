"""Tokens in a row are one unit however they were cut or mixed; what else is said ends the run."""

from __future__ import annotations

from itertools import pairwise

import pytest

from harness.diff import run
from harness.diff import units as module
from tests.diff.streams import artifact, status, token, units

UUID = "b63eb4b8-b390-43d1-8b8b-46b6658587ff"


def said(results) -> list[tuple[str, str | None]]:
    return [(unit.label, unit.said) for unit in units(results)[0]]


def test_a_run_is_its_text() -> None:
    found = said(
        [
            status("WORKING"),
            token("Hel", 1),
            token("lo", 2),
            token("!", 3, "llm_reasoning"),
            status("COMPLETED"),
        ]
    )
    assert found == [("working", None), ("llm_output", "Hello"), ("llm_reasoning", "!"), ("completed", None)]


@pytest.mark.parametrize("cuts", [[5], [1, 5], [2, 3, 9, 30], list(range(1, 60))])
def test_cuts_do_not_matter_even_inside_an_id(cuts: list[int]) -> None:
    text = f'{{"see": "{UUID}", "n": 1.0}} and so on, "quoted" \n 价格'
    whole, _ = units([token(text)])
    ends = [0, *[cut for cut in cuts if cut < len(text)], len(text)]
    parts = [token(text[i:j], number) for number, (i, j) in enumerate(pairwise(ends))]
    (found,) = units(parts)[0]
    assert (found.full, found.said) == (whole[0].full, whole[0].said)
    assert UUID not in (found.said or "")


def test_cuts_of_a_text_longer_than_a_block(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_JSON", 500)
    monkeypatch.setattr(run, "MAX_JSON", 500)
    text = "the quick brown fox 价格 " * 400
    runs = []
    for width in (7, 333, 5000):
        pieces = [text[at : at + width] for at in range(0, len(text), width)]
        runs.append(units([token(piece, n) for n, piece in enumerate(pieces)])[0][0])
    assert len({one.full for one in runs}) == 1 and runs[0].chars == len(text)
    assert units([token(text + "x")])[0][0].full != runs[0].full


def test_a_sign_of_life_ends_no_run() -> None:
    found = said([status("WORKING"), token("a", 1), status("WORKING"), token("b", 2), status("COMPLETED")])
    assert found == [("working", None), ("llm_output", "ab"), ("completed", None)]


def grows(text: str, name: str, *, append: bool = True, last: bool = False):
    return artifact({"text": text}, name, append=append, lastChunk=last)


def test_artifacts_that_grow_at_the_same_time() -> None:
    mixed = [
        grows("1", "a", append=False),
        grows("x", "b", append=False),
        grows("2", "a"),
        grows("y", "b", last=True),
    ]
    apart = [grows("12", "a", append=False), grows("x", "b", append=False), grows("y", "b", last=True)]
    assert said(mixed) == said(apart) == [("text", "12"), ("text", "xy")]
    assert [one.full for one in units(mixed)[0]] == [one.full for one in units(apart)[0]]


def test_an_artifact_that_never_began_or_is_replaced() -> None:
    assert units([grows("1", "a")])[0][0].shape != units([grows("1", "a", append=False)])[0][0].shape
    assert said([grows("1", "a", append=False), grows("2", "a", append=False)]) == [
        ("text", "1"),
        ("text", "2"),
    ]


def remote(text: str, call: str, number: int):
    mark = {"_remote_invocation": {"kind": "remote_agent_output", "batchId": "b-1", "toolCallId": call}}
    return artifact({"text": text, "metadata": mark}, f"r-{number}")


def test_remote_agents_speak_at_the_same_time() -> None:
    mixed = [
        remote("a", "call_1", 1),
        remote("x", "call_2", 2),
        remote("b", "call_1", 3),
        remote("y", "call_2", 4),
    ]
    assert said(mixed) == [("remote output", "ab"), ("remote output", "xy")]


def test_memory_is_bounded_and_told(monkeypatch) -> None:
    monkeypatch.setattr(module, "KEPT", 50)
    monkeypatch.setattr(run, "KEPT", 50)
    found, _ = units([token("x" * 100)])
    assert found[0].said == "x" * 50 and found[0].chars == 100
    many, _ = units([status("WORKING"), status("COMPLETED", message={"parts": [{"text": "y" * 300}]})])
    assert many[1].form is None


def test_what_is_no_object_is_a_unit_too() -> None:
    assert [unit.kind for unit in units([status("WORKING"), 5, {"odd": 1}, [], "x"])[0]] == [
        "status",
        *["foreign"] * 4,
    ]
