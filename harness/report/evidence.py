"""What stood at the place of a finding, read from its file again: only for findings that are shown.

A judged frame is gone; its span is known. Reading a few hundred bytes again is cheaper than
keeping a text for every breach of every rule. What can not be read again has no snippet.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from harness import jsontext, wire
from harness.report.pointers import at

if TYPE_CHECKING:
    from harness.model.capture import Capture
    from harness.model.finding import Finding
    from harness.model.frame import Span

LONGEST = 1 << 20
"""Bytes of one frame that are read again."""
PACKED = 12
"""Frames that are read again from compressed files, each from the file's start."""


class Evidence:
    """Gives the text around a finding; keeps the capture that was opened last."""

    def __init__(self) -> None:
        self._source = ""
        self._capture: Capture | None = None
        self._packed = PACKED

    def __call__(self, source: str, finding: Finding) -> str:
        """The value at the finding's pointer, else the frame's data, else nothing."""
        if finding.snippet or finding.place.span is None:
            return finding.snippet
        data = self._data(source, finding.place.span)
        if data is None:
            return ""
        return _value(data, finding.place.pointer) if finding.place.pointer else data[:LONGEST]

    def _data(self, source: str, span: Span) -> str | None:
        from harness.capture.files import Body, is_plain

        capture = self._found(source)
        if capture is None:
            return None
        if not is_plain(capture):
            self._packed -= 1
            if self._packed < 0:
                return None
        end = min(span.end, span.start + LONGEST)
        body = Body(capture._replace(start=span.start, end=end))
        decoder = wire.decoder(capture.framing, span.start, LONGEST)
        frames = [frame for chunk in body.chunks() for frame in decoder.feed(chunk)]
        frames += decoder.finish()[0]
        return frames[0].data if frames else None

    def _found(self, source: str) -> Capture | None:
        from harness.capture.discover import find
        from harness.errors import CaptureError

        if source == "-" or not source:
            return None
        if source != self._source:
            self._source = source
            try:
                captures = find([source]).captures
            except CaptureError:
                captures = ()
            self._capture = captures[0] if len(captures) == 1 else None
        return self._capture


def _value(data: str, pointer: str) -> str:
    value = jsontext.read(data)
    found = [] if isinstance(value, jsontext.Flaw) else at(value, pointer)
    if not found:
        return data
    try:
        return json.dumps(found[0], ensure_ascii=False, separators=(",", ":"), default=str)
    except RecursionError:
        return data
