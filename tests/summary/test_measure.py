"""Bytes and seconds of captures, as files and journals tell."""

from __future__ import annotations

from harness.capture.naming import Name
from harness.capture.store import Writer
from harness.model.capture import Head, Request
from harness.summary.measure import Measure, measures


def test_a_capture_with_a_journal(tmp_path) -> None:
    """From the request at 1 s to the ending at 3.5 s: 2.5 s, whatever the chunks between."""
    second = 1_000_000_000
    with Writer(str(tmp_path), Name("DA-09", "A2A_STREAM"), Request("POST", "/"), second) as writer:
        writer.response(Head(200, (("content-type", "text/event-stream"),)), 2 * second)
        writer.chunk(3 * second, b"data: {}\n\n")
        writer.seal("clean", 3 * second + second // 2)
    source = f"{tmp_path}/DA-09-A2A_STREAM-r1.client.sse"
    assert measures([str(tmp_path)]) == {source: Measure(10, 2.5)}


def test_a_body_alone_and_standard_input(tmp_path) -> None:
    (tmp_path / "x.sse").write_bytes(b"data: {}\n\n")
    assert measures([f"{tmp_path}/x.sse", "-"]) == {f"{tmp_path}/x.sse": Measure(10, None)}
    assert measures(["-"]) == {}
