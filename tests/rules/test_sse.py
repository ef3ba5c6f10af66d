"""SSE rules: what clients trip over, and what they do not."""

from __future__ import annotations

import json

import pytest

from harness.rules.example import Example, interrupt, status, task
from tests.rules.protocol import judge

LAST = json.dumps(status("completed"))


@pytest.mark.parametrize(
    ("frame", "codes"),
    [
        ("data: [DONE]\n\n", "SSE202"),
        ("data: {\n\n", "SSE201"),
        ("data:\n\n", "SSE201"),
        ('data: "[DONE]"\n\n', ""),
        ("data: [1]\n\n", ""),
        ("event: error\ndata: broken\n\n", ""),
        (f"event: message\ndata: {LAST}\n\n", ""),
        (f"event: jsonrpc\ndata: {LAST}\n\n", "SSE205"),
        (f"event: error\ndata: {LAST}\n\n", "SSE205"),
        (f": ping\n\nid: 3\nretry: 5\ndata: {LAST}\n\n", ""),
        ("data: \u2028\n\n", "SSE201"),
    ],
)
def test_one_frame(frame: str, codes: str) -> None:
    found = {code for code in judge(Example((task(), frame))).findings if code.startswith("SSE")}
    assert found == set(codes.split())


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        (
            f"data: {LAST}\n",
            ("state completed", "JavaScript and the Java client deliver it", "Python client"),
        ),
        (f"data: {LAST}", ("state completed", "the Java client delivers it", "JavaScript client")),
        (f"data: {LAST[:-20]}", ("state TASK_STATE_COMPLETED",)),
        (
            "data: " + json.dumps(interrupt({"type": "__interaction__"})),
            ("input-required", "__interaction__", "_interrupt"),
        ),
        ("data: {", ("no known mark",)),
    ],
)
def test_an_unterminated_tail_says_what_it_held_and_who_sees_it(tail: str, words: tuple[str, ...]) -> None:
    finding = judge(Example((task(), tail))).findings["SSE203"]
    assert finding.place.event is None
    assert finding.place.span is not None
    for word in words:
        assert word in finding.message


def test_a_hundred_thousand_bad_frames_are_one_finding() -> None:
    finding = judge(Example((task(), "data: {\n\n" * 1000))).findings["SSE201"]
    assert (finding.times, finding.place.event, len(finding.also)) == (1000, 2, 2)


def test_raw_bytes_that_are_no_utf_8() -> None:
    judged = judge(Example((task(), 'data: {"a":"\udcff"}\n\n', f"data: {LAST}\n\n: \udcfe")))
    assert judged.findings["SSE204"].times == 2


def test_nothing_is_said_of_sse_where_the_body_is_none() -> None:
    judged = judge(Example((task(), status("completed")), framing="jsonl"))
    assert {"SSE201", "SSE203"} <= set(judged.not_checked)
