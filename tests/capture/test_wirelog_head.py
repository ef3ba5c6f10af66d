"""The head of a SIT wire log by `openjiuwen.md` section 5."""

from __future__ import annotations

import pytest

from harness.capture.wirelog_head import LogHead, begins, log_head
from harness.model.capture import Request

FIRST = "# protocol: A2A_STREAM  round: 2  sessionId: DA-09\n"
SENT = "# sent: 2026-08-11T09:30:00.120+08:00  duration: 5321ms\n"
REQUEST = "\n====== REQUEST ======\ntext:\n  | compare\n  | taskId: no\nmetadata: {a=1}\ntaskId: t-1\ncontextId: (none)\n"
WIRE = '\n====== WIRE REQUEST (paste-ready) ======\nPOST http://localhost:8080/a2a/\n{"jsonrpc":"2.0",\n"id":7}\n========================================\n'
RESPONSE = "\n====== RESPONSE (3 events) ======\n"


def head(text: str) -> LogHead:
    return log_head((text + "[1] STATE\n").encode())


def test_all_of_it() -> None:
    text = FIRST + SENT + REQUEST + WIRE + RESPONSE
    found = head(text)
    assert found == LogHead(
        protocol="A2A_STREAM",
        round=2,
        session="DA-09",
        task_id="t-1",
        context_id=None,
        request=Request("POST", "/a2a/", (), '{"jsonrpc":"2.0",\n"id":7}'),
        size=len(text) - len(RESPONSE) + 1,
        whole=True,
    )


def test_without_the_optional_parts() -> None:
    found = head(FIRST + REQUEST + RESPONSE)
    assert (found.request, found.session, found.task_id) == (None, "DA-09", "t-1")


def test_windows_line_ends() -> None:
    found = log_head((FIRST + REQUEST + WIRE + RESPONSE).replace("\n", "\r\n").encode())
    assert (found.session, found.task_id, found.whole) == ("DA-09", "t-1", True)
    assert found.request is not None
    assert found.request.body is not None


@pytest.mark.parametrize("session", ["a b", "会话-1", "x  round: 9", "sessionId: y"])
def test_any_session(session: str) -> None:
    assert head(f"# protocol: P  round: 1  sessionId: {session}\n" + RESPONSE).session == session


def test_parts_that_are_not_there_are_none() -> None:
    found = head("# protocol:   round:   sessionId: \n" + RESPONSE)
    assert (found.protocol, found.round, found.session) == (None, None, None)
    assert head("# protocol: odd\n" + RESPONSE).session is None


def test_a_text_that_looks_like_a_section_is_text() -> None:
    text = (
        FIRST
        + "\n====== REQUEST ======\ntext:\n  | ====== RESPONSE (9 events) ======\n  | contextId: x\ntaskId: (none)\ncontextId: c-1\n"
        + RESPONSE
    )
    found = head(text)
    assert (found.context_id, found.size) == ("c-1", len(text) - len(RESPONSE) + 1)


def test_a_body_line_may_hold_the_request() -> None:
    assert head(FIRST + 'body: {"a":1}\n' + RESPONSE).request == Request(None, None, (), '{"a":1}')
    assert head(FIRST + 'body:\n  | {"a":\n  | 1}\n' + RESPONSE).request == Request(
        None, None, (), '{"a":\n1}'
    )
    assert head(FIRST + "body: Map{a=1}\n" + RESPONSE).request is None


def test_a_log_without_responses() -> None:
    found = log_head((FIRST + REQUEST).encode())
    assert (found.whole, found.size) == (False, len(FIRST + REQUEST))


def test_what_begins_like_a_log() -> None:
    assert begins(FIRST.encode())
    assert begins(b"\xef\xbb\xbf" + FIRST.encode())
    assert not begins(b"# POST /a2a/\n")
    assert not begins(b"data: # protocol:")
