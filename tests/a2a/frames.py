"""Frames and captures for the tests of `harness.a2a`, written as JSON values."""

from __future__ import annotations

import json
from typing import Any

from harness.a2a.reader import Reader
from harness.a2a.request import Asked
from harness.model.capture import Capture, Head
from harness.model.event import Event
from harness.model.frame import Frame, Span


def frame(value: Any, name: str = "", number: int = 1) -> Frame:
    """One frame; a str is its data as it is."""
    data = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Frame(number, Span(0, len(data)), data, name)


def capture(framing: Any = "sse", status: int | None = 200) -> Capture:
    return Capture("c", "c", framing, head=Head(status) if status else None)


def read(value: Any, *, name: str = "", asked: Asked | None = None, **more: Any) -> Event:
    """`value` as the only frame of a capture."""
    return Reader(capture(**more), asked or Asked()).read(frame(value, name))


def read_all(*values: Any, asked: Asked | None = None, **more: Any) -> list[Event]:
    reader = Reader(capture(**more), asked or Asked())
    return [reader.read(frame(value, number=number)) for number, value in enumerate(values, 1)]
