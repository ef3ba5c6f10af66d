"""What the driver reads of an answer, byte by byte and whole: over or not, works or not, what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.drive.reading import MOST, Reading
from harness.drive.values import Question
from harness.mapping.engine import Mapper
from harness.mapping.load import load
from tests.drive.conftest import CONTEXT, asking
from tests.e2e.frames import TASK, artifact, frame, status, stream, task

SAID = frame({"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "hi"}]}})
GOLDEN = Path(__file__).parents[2] / "captures" / "golden" / "openjiuwen-shape"
ERROR = b'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}\n\n'
OPEN = task(CONTEXT)
WORKING = status(CONTEXT, "WORKING")


def read(data: bytes, size: int = 0, content_type: str = "text/event-stream") -> Reading:
    reading = Reading(Mapper(load()), "v1.0", 200, content_type)
    for at in range(0, len(data), size or len(data) or 1):
        reading.feed(data[at : at + (size or len(data))])
    return reading


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize(
    ("data", "is_over", "works", "state"),
    [
        (b"", False, False, None),
        (b": ping\n\n", False, False, None),
        (OPEN, False, False, "submitted"),
        (OPEN + WORKING, False, True, "working"),
        (OPEN + artifact(CONTEXT, "x"), False, True, "submitted"),
        (b"".join(stream(CONTEXT)), True, True, "completed"),
        (b"".join(stream(CONTEXT, "INPUT_REQUIRED")), True, True, "input-required"),
        (OPEN + status(CONTEXT, "AUTH_REQUIRED"), True, True, "auth-required"),
        (OPEN + status(CONTEXT, "INPUT_REQUIRED") + WORKING, False, True, "working"),
        (SAID, True, True, None),
        (SAID + WORKING, False, True, "working"),
        (ERROR, True, False, None),
        (b"<html>\n\n</html>", False, False, None),
    ],
)
def test_where_an_answer_stands(
    data: bytes, is_over: bool, works: bool, state: str | None, size: int
) -> None:
    reading = read(data, size)
    assert (reading.is_over, reading.works, reading.stream.last_state) == (is_over, works, state)


def test_a_document_is_read_at_its_end() -> None:
    reading = read(SAID.removeprefix(b"data: ").strip(), content_type="application/json; charset=utf-8")
    assert not reading.is_over
    reading.finish()
    assert reading.is_over
    assert reading.stream.message_only


def test_questions_are_told_once_in_order() -> None:
    reading = read(asking(("c1", "hotel"), ("c2", "flight")) + asking(("c2", "flight"), ("c3", "hotel")))
    assert reading.questions == (Question("c1", "hotel"), Question("c2", "flight"), Question("c3", "hotel"))
    assert reading.stream.task_id == TASK


def test_whoever_asks_for_ever_is_not_remembered_for_ever() -> None:
    one = asking(*((f"c{n}", "hotel") for n in range(1000)))
    reading = read(one * (MOST // 1000 + 5))
    assert len(reading.questions) == 1000


def test_a_delegation_that_is_only_told_of_asks_nobody() -> None:
    """G3 declares the call, the proxy asks under another id: the proxy's is the one to answer."""
    told = (GOLDEN / "remote_events_g3_agentEvent.sse").read_bytes()
    asks = (GOLDEN / "proxy_interrupt_masked_g2.sse").read_bytes()
    assert {one.call for one in read(told).questions} == {"call_00_Zx0AbC"}, "where nothing else asks"
    assert [one.tool for one in read(told + asks).questions] == ["versatile-adapter"]
