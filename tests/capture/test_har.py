"""HAR 1.2: what is written can be read back, and what others write is read for what it tells."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.capture import har
from harness.capture.adopt import Foreign
from harness.capture.har import EventTime
from harness.capture.har_entries import Flawed, read
from harness.capture.naming import Name
from harness.model.capture import Head, Request

ASKED = Request("POST", "/a2a?x=1", (("host", "h:1"), ("content-type", "application/json")), '{"a":1}')
SSE = Head(200, (("content-type", "text/event-stream"),))
START = 1_786_440_600_123_456_789


def foreign(body: list[tuple[int | None, bytes]], **other) -> Foreign:
    facts = {
        "ending": "clean",
        "started_ns": START,
        "head_ns": START + 1_000_000,
        "ended_ns": START + 9_000_000,
        "known": {"rebuilt": True},
    }
    return Foreign(Name("S", "A2A_STREAM", 2, "x"), ASKED, SSE, body, True, **{**facts, **other})


def back(one: Foreign, events: tuple[EventTime, ...] = ()) -> Foreign | Flawed:
    text = "".join(har.document([json.dumps(har.entry(one, events))]))
    (found,) = read(text)
    return found


def test_what_is_written_is_read_back() -> None:
    one = foreign([(START + 2_000_000, b"data: 1\n"), (START + 3_000_001, b"\ndata: \xff\n\n")])
    assert back(one) == one


def test_an_exchange_without_times_head_or_request_stays_so() -> None:
    nothing = {"started_ns": None, "head_ns": None, "ended_ns": None, "ending": "unknown"}
    one = foreign([(None, b"{}")], **nothing)._replace(head=None, request=None)
    assert back(one) == one


endings = st.sampled_from(
    ["clean", "upstream_cut", "client_left", "timeout", "unsealed", "unknown", "refused"]
)
headers = st.lists(st.tuples(st.from_regex(r"[a-z-]{1,8}", fullmatch=True), st.text(max_size=9))).map(tuple)


@given(
    st.lists(st.tuples(st.integers(1, 1 << 62), st.binary(min_size=1, max_size=20))),
    endings,
    headers,
    st.one_of(st.none(), st.text()),
    st.text(min_size=1),
)
def test_any_exchange_is_read_back(body, ending, pairs, text, scenario) -> None:
    asked = Request("POST", "/x", pairs, text)
    one = foreign(body or [(None, b"")], ending=ending)._replace(
        request=asked, head=Head(200, pairs), name=Name(scenario, None, 0)
    )
    assert back(one) == one


def test_an_archive_can_not_write_what_it_wants_into_the_journal() -> None:
    one = foreign([(None, b"x")], known={"kind": "ending", "capture": 9, "task_id": "t", "client": 3})
    assert isinstance(found := back(one), Foreign) and found.known == {"task_id": "t"}


def test_what_other_tools_see() -> None:
    one = foreign([(START + 2_000_000, b"data: 1\n\n")])
    text = "".join(har.document([json.dumps(har.entry(one, [EventTime(START + 2_000_000, 0, 9)]))]))
    log = json.loads(text)["log"]
    (entry,) = log["entries"]
    assert (log["version"], log["creator"]["name"]) == ("1.2", "harness")
    assert entry["startedDateTime"] == "2026-08-11T09:30:00.123456+00:00"
    assert entry["time"] == 9.0 and entry["timings"] == {"send": 0, "wait": 1.0, "receive": 8.0}
    assert (entry["request"]["method"], entry["request"]["url"]) == ("POST", "http://h:1/a2a?x=1")
    assert entry["request"]["postData"] == {"mimeType": "application/json", "text": '{"a":1}'}
    content = entry["response"]["content"]
    assert content == {"size": 9, "mimeType": "text/event-stream", "text": "data: 1\n\n"}
    assert entry["_events"] == [{"time": 2.0, "start": 0, "end": 9}]
    for member in ("cookies", "headers", "queryString", "headersSize", "bodySize", "httpVersion"):
        assert member in entry["request"]
    for member in ("status", "statusText", "cookies", "headers", "redirectURL", "headersSize", "bodySize"):
        assert member in entry["response"]


def test_bytes_that_are_no_text_are_base64() -> None:
    content = har.entry(foreign([(None, b"\xff\xfe")]))["response"]["content"]
    assert (content["encoding"], base64.b64decode(content["text"])) == ("base64", b"\xff\xfe")


def browser(response: dict, creator: str = "WebInspector", **entry) -> Foreign | Flawed:
    request = {
        "method": "POST",
        "url": "https://agent.example:8443/a2a/?v=1#f",
        "headers": [
            {"name": ":authority", "value": "agent"},
            {"name": "A2A-Version", "value": "1.0"},
            {"name": 3},
        ],
        "postData": {"mimeType": "application/json", "text": "{}"},
    }
    value = {
        "log": {
            "creator": {"name": creator},
            "entries": [{"request": request, "response": response, **entry}],
        }
    }
    (found,) = read("\ufeff" + json.dumps(value))
    return found


ANSWER = {
    "status": 200,
    "headers": [{"name": "Content-Type", "value": "text/event-stream; charset=utf-8"}],
    "content": {"size": 9, "text": "data: ä\n\n"},
}


def test_an_archive_of_a_browser() -> None:
    timings = {"blocked": 2, "dns": -1, "send": 1.5, "wait": 10, "receive": 5}
    found = browser(ANSWER, startedDateTime="2026-08-11T17:30:00.5+08:00", time=20, timings=timings)
    start = 1_786_440_600_500_000_000
    assert found == Foreign(
        Name(""),
        Request("POST", "/a2a/?v=1", (("host", "agent"), ("a2a-version", "1.0")), "{}"),
        Head(200, (("content-type", "text/event-stream; charset=utf-8"),)),
        [(None, "data: ä\n\n".encode())],
        True,
        "unknown",
        "",
        start,
        start + 13_500_000,
        start + 20_000_000,
    )


@pytest.mark.parametrize("when", [None, 7, "yesterday", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00"])
def test_times_that_are_none(when: object) -> None:
    found = browser(ANSWER, startedDateTime=when)
    assert isinstance(found, Foreign) and found[7:10] == (None, None, None)


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        ("net::ERR_INCOMPLETE_CHUNKED_ENCODING", "upstream_cut"),
        ("net::ERR_CONNECTION_RESET", "upstream_cut"),
        ("net::ERR_CONNECTION_REFUSED", "refused"),
        ("net::ERR_ABORTED", "client_left"),
        ("net::ERR_TIMED_OUT", "timeout"),
        ("Client disconnected.", "client_left"),
        ("something else", "unknown"),
    ],
)
def test_errors_tell_the_ending(error: str, ending: str) -> None:
    found = browser({**ANSWER, "_error": error})
    assert isinstance(found, Foreign) and (found.ending, found.ending_text) == (ending, error)


@pytest.mark.parametrize(
    ("response", "creator", "words"),
    [
        ({**ANSWER, "content": {"size": 9}}, "x", "no body"),
        ({**ANSWER, "content": {"size": 9, "text": "!", "encoding": "base64"}}, "x", "no body"),
        ({**ANSWER, "content": {"size": 0, "text": ""}}, "mitmproxy", "streamed"),
    ],
)
def test_a_body_that_was_not_kept_is_told(response: dict, creator: str, words: str) -> None:
    found = browser(response, creator)
    assert isinstance(found, Flawed) and words in found.reason


def test_a_request_without_an_answer() -> None:
    found = browser({"status": 0, "headers": [], "content": {}, "_error": "Connect call failed"})
    assert isinstance(found, Foreign) and (found.head, found.ending) == (None, "refused")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"log": {"entries": {}}}'])
def test_what_is_no_archive_is_a_sentence(text: str) -> None:
    assert isinstance(read(text), str)


@pytest.mark.parametrize(
    "entry", [None, 7, [], {}, {"request": 1, "response": []}, {"_harness": {"chunks": [[1]]}}]
)
def test_hostile_entries_do_not_raise(entry: object) -> None:
    (found,) = read(json.dumps({"log": {"entries": [entry]}}))
    assert isinstance(found, (Foreign, Flawed))
