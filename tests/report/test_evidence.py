"""The text around a finding is read again from its file, in every framing."""

from __future__ import annotations

import gzip
import json

import pytest

from harness import wire
from harness.capture.discover import find
from harness.capture.files import Body
from harness.model.frame import Span
from harness.model.interaction import Place
from harness.report.evidence import PACKED, Evidence
from tests.report.values import finding, place

FRAME = '{"jsonrpc":"2.0","id":"r","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"metadata":{"s":"{\\"in\\":[\\"side\\"]}"}}}}'
SIT = "captures/golden/sit-logs/run-20260811-093000/DA-09-A2A_STREAM-r1.log"


def at(span: tuple[int, int] | None, pointer: str | None = "/result/task/status", snippet: str = ""):
    return finding(place=Place(1, pointer, None if span is None else Span(*span)), snippet=snippet)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("s.sse", f": hi\ndata: {FRAME}\n\n"),
        ("s.jsonl", f"{FRAME}\n{FRAME}\n"),
        ("s.body", FRAME),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_value_at_the_pointer(tmp_path, name: str, body: str, packed: bool) -> None:
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(body.encode()) if packed else body.encode())
    end = len(body) // 2 if name == "s.jsonl" else len(body)
    evidence = Evidence()
    assert evidence(str(path), at((0, end))) == '{"state":"TASK_STATE_WORKING"}'
    assert evidence(str(path), at((0, end), "/result/task/metadata/s#/in/0")) == '"side"'
    assert json.loads(evidence(str(path), at((0, end), None))) == json.loads(FRAME)
    assert json.loads(evidence(str(path), at((0, end), "/nowhere"))) == json.loads(FRAME)


def test_records_of_a_wire_log() -> None:
    (capture,) = find([SIT]).captures
    decoder = wire.decoder(capture.framing, capture.start)
    frames = [frame for chunk in Body(capture).chunks() for frame in decoder.feed(chunk)] + decoder.finish()[
        0
    ]
    for frame in frames:
        assert Evidence()(SIT, at(frame.span, None)) == frame.data


def test_a_snippet_that_is_there_is_kept() -> None:
    assert Evidence()("nowhere.sse", at((0, 9), snippet="kept")) == "kept"


@pytest.mark.parametrize(
    ("source", "span"), [("-", (0, 9)), ("", (0, 9)), ("nowhere.sse", (0, 9)), (SIT, None)]
)
def test_what_can_not_be_read_again_has_none(source: str, span) -> None:
    assert Evidence()(source, at(span)) == ""


def test_compressed_files_are_read_a_few_times_only(tmp_path) -> None:
    path = tmp_path / "s.sse.gz"
    body = f"data: {FRAME}\n\n"
    path.write_bytes(gzip.compress(body.encode()))
    evidence = Evidence()
    told = [evidence(str(path), at((0, len(body)))) for _ in range(PACKED + 3)]
    assert told[PACKED - 1]
    assert told[PACKED] == ""


def test_a_file_that_changed_is_no_error(tmp_path) -> None:
    path = tmp_path / "s.sse"
    path.write_text(f"data: {FRAME}\n\n")
    assert Evidence()(str(path), finding(place=place(span=(5_000, 6_000)), snippet="")) == ""
