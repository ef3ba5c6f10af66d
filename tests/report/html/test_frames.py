"""Frames of a page: read with their bytes, shortened without losing their form."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path

import pytest

from harness import jsontext
from harness.capture.discover import find
from harness.report.html.frames import BYTES, kept, read, shortened
from harness.wire import MAX_LINE
from tests.report.html import runs

GOLDEN = Path("captures/golden")
SOME = ["openjiuwen-shape", "sit-logs", "openjiuwen-python"]


def captures(folder: Path | str) -> list:
    return list(find([str(folder)]).captures)


@pytest.mark.parametrize("name", SOME)
def test_each_frame_comes_with_its_own_bytes(name: str) -> None:
    seen = 0
    for capture in captures(GOLDEN / name):
        whole = Path(capture.path).read_bytes()
        for one in read(capture, MAX_LINE):
            start, end = one.event.frame.span
            assert one.raw == whole[start:end]
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("name", SOME)
def test_the_bytes_can_be_told_from_what_is_kept(name: str) -> None:
    for capture in captures(GOLDEN / name):
        for one in read(capture, MAX_LINE):
            value = kept(one, 100_000)
            assert value["d"] == one.event.frame.data
            if "b" in value:
                assert b64decode(value["b"]) == one.raw[:BYTES]
            else:
                assert (value["pre"] + value["d"] + value["post"]).encode() == one.raw


def test_invisible_characters_keep_their_bytes(tmp_path: Path) -> None:
    body = 'data: {"a":"x\u202ey"}\n\n'.encode()
    (tmp_path / "a.sse").write_bytes(body)
    (one,) = read(captures(tmp_path / "a.sse")[0], MAX_LINE)
    assert b64decode(kept(one, 1000)["b"]) == body


@pytest.mark.parametrize("room", [1000, 5000, 20_000])
@pytest.mark.parametrize("letter", ["x", "\u4e2d", "\\", '"', "\n", "\ud83d\ude00"])
@pytest.mark.parametrize("ascii", [True, False])
def test_a_shortened_frame_is_still_json(room: int, letter: str, ascii: bool) -> None:
    value = {"a": [1, {"b": letter * 30_000}], "c": {"toolName": "search-agent"}}
    text = json.dumps(value, ensure_ascii=ascii)
    cut = shortened(text, room)
    assert len(cut) <= room + 1
    found = jsontext.read(cut)
    assert isinstance(found, dict)
    assert found["c"] == {"toolName": "search-agent"}
    assert "…" in found["a"][1]["b"]


def test_what_is_no_json_is_cut_off() -> None:
    assert shortened("x" * 5000, 1000) == "x" * 1000 + "…"
    assert shortened("short", 1000) == "short"


def test_a_line_that_is_too_long_does_not_fill_the_memory(tmp_path: Path) -> None:
    file = tmp_path / "a.sse"
    file.write_bytes(b"data: " + b"x" * 3_000_000 + b"\n\n" + runs.status("COMPLETED"))
    events = list(read(captures(file)[0], 100_000))
    assert events[-1].event.state == "completed"
    assert events[-1].raw == runs.status("COMPLETED")
