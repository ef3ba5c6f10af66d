"""The page on the format says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

from harness.capture import find
from harness.capture.naming import MUST, Name
from harness.capture.sidecars import exit_status
from harness.capture.store import Writer
from harness.model.capture import Head, Request

PAGE = (Path(__file__).parents[2] / "docs" / "capture-format.md").read_text(encoding="utf-8")


def test_the_example_is_what_is_written(tmp_path: Path) -> None:
    request = Request("POST", "/a2a/", (("a2a-version", "1.0"),), '{"jsonrpc":"2.0","id":7}')
    with Writer(str(tmp_path), Name("DA-09", "A2A_STREAM"), request, 1) as writer:
        writer.response(Head(200, (("content-type", "text/event-stream"),)), 2)
        writer.chunk(3, b"data: a\n\n")
        writer.seal("clean", 4)
    written = (tmp_path / f"{writer.stem}.jsonl").read_text().strip()
    example = "\n".join(
        line.strip() for line in re.findall(r'^ {4}(\{"(?:capture|kind)".*)$', PAGE, re.MULTILINE)
    )
    assert example == written
    assert all(json.loads(line) for line in example.split("\n"))
    assert f"{writer.stem}.sse" in PAGE
    assert len(find([str(tmp_path)]).captures) == 1


def test_the_table_of_exit_statuses_holds() -> None:
    rows = re.findall(r"^\| ([\d, ]+) \| `(\w+)`", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for codes, ending in rows:
        for code in codes.split(", "):
            found = exit_status(f"curl_rc={code}".encode())
            assert found is not None
            assert found.ending == ending


def test_the_endings_that_must_be_captures_are_named() -> None:
    assert all(f"`{ending}`" in PAGE for ending in MUST)
