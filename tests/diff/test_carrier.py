"""G1 sends a chunk as JSON text, G2 as data (openJiuwen facts, section 1): the same chunk."""

from __future__ import annotations

import json
from typing import Any

from harness.comparing import diff
from harness.diff.carrier import carrier, unpacked
from harness.diff.marks import NESTED
from harness.kit import Options
from tests.diff.streams import artifact, mirror, sse, status, token

CHUNK = {"type": "llm_usage", "payload": {"tokens": 5}}


def as_text(result: dict[str, Any]) -> dict[str, Any]:
    """The event with its data part as a text part."""
    (part,) = result["artifactUpdate"]["artifact"]["parts"]
    held = {**result["artifactUpdate"]["artifact"], "parts": [{"text": json.dumps(part["data"])}]}
    return {"artifactUpdate": {**result["artifactUpdate"], "artifact": held}}


def test_what_a_part_holds() -> None:
    assert carrier({"data": CHUNK}) == "data"
    assert carrier({"text": {NESTED: CHUNK}}) == "text"
    assert [
        carrier(part) for part in ({"text": "x"}, {"data": {"a": 1}}, {"text": {NESTED: {"a": 1}}}, {})
    ] == [""] * 4
    assert unpacked([{"metadata": 1, "text": {NESTED: CHUNK}}]) == [{"data": CHUNK, "metadata": 1}]


def test_it_is_told_once(tmp_path) -> None:
    middle = [
        token("abc ", 1),
        artifact({"data": CHUNK}, "u"),
        mirror([("call_00_Aa", "search-agent", "A")]),
        token("d", 2),
    ]
    a, b = tmp_path / "a.sse", tmp_path / "b.sse"
    a.write_bytes(sse([status("WORKING"), *map(as_text, middle), status("COMPLETED")]))
    b.write_bytes(sse([status("WORKING"), *middle, status("COMPLETED")]))
    found = diff(str(a), str(b), Options())
    (change,) = found.pairs[0].changes
    assert (change.rank, change.subject, change.name, change.before, change.after) == (
        "shape", "surface", "chunks", "JSON text", "data",
    )  # fmt: skip
    b.write_bytes(sse([status("WORKING"), *middle[:-1], token("other", 2), status("COMPLETED")]))
    assert [(one.rank, one.subject) for one in diff(str(a), str(b), Options()).pairs[0].changes] == [
        ("shape", "surface"), ("text", "text"),
    ]  # fmt: skip


def test_pointers_are_those_of_the_wire(tmp_path) -> None:
    """Both sides of G1: the changed member is inside the text."""
    a, b = tmp_path / "a.sse", tmp_path / "b.sse"
    for path, tool in ((a, "x"), (b, "y")):
        chunk = artifact({"data": {**CHUNK, "payload": {"mode": tool}}}, "u")
        path.write_bytes(sse([status("WORKING"), as_text(chunk), status("COMPLETED")]))
    (change,) = diff(str(a), str(b), Options()).pairs[0].changes
    assert change.b.pointer == "/result/artifactUpdate/artifact/parts/0/text#/payload/mode"
