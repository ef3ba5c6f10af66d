"""What holds of every body: no secret, same structure, same bytes elsewhere, whatever the cuts."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from harness.capture.redaction import Redactor
from tests.capture.redaction.bodies import (
    KEY,
    SECRETS,
    Body,
    bodies,
    fresh,
    read_back,
    shape_of,
    spellings,
    streamed,
)

CUTS = st.lists(st.integers(0, 1 << 20), max_size=12)


def written(body: Body, cuts: list[int] | None = None, *headers: tuple[str, str]) -> bytes:
    places = [cut % (len(body.raw) + 1) for cut in cuts or []]
    return streamed(fresh(*headers).stream(frames=body.frames), body.raw, places)


@given(bodies())
def test_no_secret_is_left(body):
    out = written(body)
    assert [
        (secret, spelling) for secret in body.secrets for spelling in spellings(secret) if spelling in out
    ] == []


@given(bodies())
def test_json_stays_json_of_the_same_structure(body):
    assert [shape_of(value) for value in read_back(body, written(body))] == [shape_of(v) for v in body.values]


@given(bodies(), CUTS)
def test_cuts_change_nothing(body, cuts):
    assert written(body, cuts) == written(body)


@given(bodies())
def test_byte_by_byte_changes_nothing(body):
    assert written(body, list(range(1, len(body.raw)))) == written(body)


@given(bodies())
def test_bytes_without_secrets_are_untouched(body):
    if not body.secrets:
        assert written(body) == body.raw


@given(bodies())
def test_what_was_redacted_is_left_alone(body):
    out = written(body)
    again = Redactor(SECRETS, b"another key").stream(frames=body.frames)
    assert streamed(again, out, []) == out
    assert again.found == 0


@given(bodies())
def test_another_key_gives_other_pseudonyms(body):
    other = Redactor(SECRETS, b"another key").stream(frames=body.frames)
    assert (streamed(other, body.raw, []) == written(body)) == (other.found == 0)
    assert KEY != b"another key"


@given(bodies(), CUTS)
def test_nothing_is_held_at_the_end_of_a_frame(body, cuts):
    stream = fresh().stream()
    start = 0
    for end in sorted({cut % (len(body.raw) + 1) for cut in cuts} | {len(body.raw)}):
        stream.feed(body.raw[start:end])
        start = end
        if body.frames and body.raw[:end].endswith((b"\n\n", b"\r\n\r\n")):
            assert stream.held == 0


LETTERS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", min_size=8, max_size=40)
IDS = st.one_of(
    st.uuids().map(str),
    st.datetimes().map(lambda moment: moment.isoformat() + "+08:00"),
    st.builds("{}{}".format, st.sampled_from(("call_00_", "call_", "toolu_01", "msg_", "resp_", "chatcmpl-", "ctx-", "task-", "req-", "run-")), LETTERS),
    st.binary(min_size=16, max_size=32).map(bytes.hex),
    st.integers(0, 1 << 64),
    st.floats(allow_nan=False, allow_infinity=False),
)  # fmt: skip
ID_NAMES = (
    "taskId", "contextId", "messageId", "artifactId", "toolCallId", "tool_call_id", "id", "timestamp", "traceparent",
    "total_tokens", "input_tokens", "maxTokens", "prompt_tokens_details", "tokenCount", "token_count", "nextPageToken",
    "sessionId", "conversation_id", "index", "created",
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(ID_NAMES), IDS, min_size=1), st.booleans())
def test_ids_times_and_counts_are_untouched(value, inside):
    text = json.dumps({"text": json.dumps(value)} if inside else value)
    raw = f"data: {text}\n\n".encode()
    assert streamed(fresh().stream(), raw, [len(raw) // 2]) == raw
    for name, held in value.items():
        assert fresh().headers([(name, str(held))]) == ((name, str(held)),)


PIECES = (
    b'"', b'\\"', b'\\\\\\"', b"\\u0022", b"%22", b":", b" ", b"=", b"&", b",", b"\n", b"\n\n", b"\r\n\r\n", b"\r",
    b"\ndata: ", b"apiKey", b'"apiKey":"', b'\\"apiKey\\":\\"', b"password", b'"password":', b"token=", b"sig=",
    b"Authorization: Bearer ", b"cookie: a=b; c=d", b'"authorization"', b'"name":"cookie","value":"',
    b'["x-api-key","', b"12345", b"-1.5", b"null", b"sk-", b"eyJ", b"eyJhbGciOiJSUzI1NiJ9", b".", b"ghp_",
    b"abcdefgh1234567890", b"Bearer ", b"Basic ", b"dXNlcjpwYXNz", b"://", b"user", b"@", b"/", b"\\/", b"A" * 36,
    b"-----BEGIN PRIVATE KEY-----", b"-----END", b"MIIabc\\n", b'credentials":{', b'"credentials":[', b"{", b"}",
    b"[", b"]", b"\\", b"\\u00", b"\\u002d", b"\\u0061", b"%", b"%2", b"%3D", b"%253D", b"\xe4\xbb\xb7", b"\xe4",
    b"'", b"'apiKey': '", b"<secret:token:12345678>", b"<secret:", b"KNOWN-secret-value-9", b"KNOWN-secret",
    b"S05PV04tc2VjcmV0LXZhbHVlLTk=", b"\x00", b"xoxb-1234567890", b"x" * 300, b"A1" * 700, b"\t", b";", b"data: ",
    b"event: x\n",
)  # fmt: skip
"""What decisions hang on, in any order: most of it is no JSON, no frame, no secret."""
HEADERS = (("x-api-key", "KNOWN-secret-value-9"), ("cookie", "n=1234567890123; q=KNOWN-secret"))


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.booleans(), CUTS)
@example([b"://", b"eyJ", b"A1" * 700, b".", b"abcdefgh1234567890", b"\n\n"], True, [900])
@example([b"apiKey", b"KNOWN-secret-value-9", b"=", b"12345"], True, [7])
@example([b"\\u0061", b"\\u002d", b'"apiKey":"', b"-1.5", b"%", b"\n\n"], True, [3])
@example([b'"', b'credentials":{', b'"', b"user", b"\n\n"], True, [15])
@example(
    [b"<secret:", b"<secret:token:12345678>", b"\r\n\r\n", b"<secret:token:12345678>", b"<secret:"],
    True,
    [57],
)
def test_cuts_change_nothing_in_any_soup(pieces, frames, cuts):
    raw = b"".join(pieces)
    body = Body(raw, [], [], frames)
    whole = written(body, [], *HEADERS)
    assert written(body, cuts, *HEADERS) == whole
    if len(raw) < 400:
        assert written(body, list(range(1, len(raw))), *HEADERS) == whole
