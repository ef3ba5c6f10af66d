"""What is held while a stream passes, and what becomes of secrets that go on and on."""

from __future__ import annotations

import json

import pytest

from harness.capture.redaction import Find
from harness.capture.redaction.pseudonym import LONGEST
from tests.capture.redaction.bodies import PSEUDONYM, fresh, streamed

SECRET = b"Q7abcDEF2ghiJKL3mnoPQR4stuVWX5yz"
KINDS = (
    b'data: {"apiKey":"%s","n":1}\n\n', b'data: {"t":"{\\"apiKey\\":\\"%s\\"}"}\n\n', b"data: token=%s&x=1\n\n",
    b'data: {"t":"Bearer %s"}\n\n', b'data: {"t":"see sk-%s."}\n\n', b'data: {"u":"http://me:%s@host/"}\n\n',
    b'data: {"credentials":{"a":["%s"]}}\n\n', b'data: {"t":"you sent %s, thanks"}\n\n',
    b'data: {"headers":[["authorization","%s"]]}\n\n', b"data: {'apiKey': '%s'}\n\n",
)  # fmt: skip
HEADER = ("x-api-key", SECRET.decode())


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_cut_anywhere_twice_is_not_written(kind):
    raw = kind % SECRET
    whole = streamed(fresh(HEADER).stream(), raw, [])
    assert SECRET not in whole
    assert whole.startswith(b"data: ")
    assert whole.endswith(b"\n\n")
    for first in range(1, len(raw)):
        for second in range(first, min(first + 40, len(raw))):
            assert streamed(fresh(HEADER).stream(), raw, [first, second]) == whole


@pytest.mark.parametrize("kind", KINDS)
def test_no_part_of_a_secret_is_given_out_early(kind):
    raw = kind % SECRET
    stream = fresh(HEADER).stream()
    out = b"".join(stream.feed(raw[at : at + 1]) for at in range(len(raw)))
    assert stream.held == 0
    assert SECRET[:12] not in out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("kept", [12, 20, 31])
def test_a_secret_that_the_end_cuts_is_not_written(kind, kept):
    """The upstream was cut in the middle of it."""
    raw = kind[: kind.index(b"%s")] + SECRET[:kept]
    out = streamed(fresh(HEADER).stream(), raw, [])
    if kind in (KINDS[5], KINDS[7]):  # whose end alone tells that it is one
        assert out in (raw, raw.replace(SECRET[:kept], out[len(raw) - kept :]))
    else:
        assert SECRET[:kept] not in out


def test_tokens_pass_without_delay():
    stream = fresh().stream()
    for index in range(100):
        frame = b'data: {"type":"llm_output","index":%d,"payload":{"content":"a token, a key"}}\n\n' % index
        assert stream.feed(frame) == frame
        assert stream.held == 0
    assert stream.found == 0


def test_little_is_held_of_an_unfinished_frame():
    frame = json.dumps({"taskId": "3f6d1c1e", "text": "price of A is 3, of B is 4; eyes; basic; s"}).encode()
    stream = fresh().stream()
    held = [stream.held for at in range(len(frame)) if stream.feed(frame[at : at + 1]) is not None]
    assert max(held) <= 16


def test_a_value_that_begins_is_held_until_it_can_be_named():
    stream = fresh().stream()
    assert stream.feed(b'data: {"apiKey":"abc') == b'data: {"apiKey":"'
    assert stream.held == 3
    assert PSEUDONYM.fullmatch(stream.feed(b'def"')[:-1].decode())
    assert stream.held == 0


@pytest.mark.parametrize("size", [LONGEST - 1, LONGEST, LONGEST + 1, 5000, 200_000])
@pytest.mark.parametrize("step", [1000, 1 << 20])
def test_a_secret_of_any_length_goes_at_a_bounded_price(size, step):
    secret = b"aB3" * (size // 3) + b"-" * (size % 3)
    raw = b'data: {"apiKey":"%s","n":1}\n\n' % secret
    out = streamed(fresh().stream(), raw, list(range(step, len(raw), step)))
    assert PSEUDONYM.sub("@", out.decode()) == 'data: {"apiKey":"@","n":1}\n\n'


def test_a_blank_line_ends_a_secret_of_a_stream_but_not_of_a_document():
    raw = b'{"apiKey":"abc\n\ndef","n":1}'
    assert PSEUDONYM.sub("@", streamed(fresh().stream(), raw, []).decode()) == '{"apiKey":"@\n\ndef","n":1}'
    assert (
        PSEUDONYM.sub("@", streamed(fresh().stream(frames=False), raw, []).decode()) == '{"apiKey":"@","n":1}'
    )


def test_a_name_and_its_value_in_two_frames_are_strangers():
    raw = b'data: {"apiKey":\n\ndata: "kept"}\n\n'
    for cut in range(1, len(raw)):
        assert streamed(fresh().stream(), raw, [cut]) == raw


def test_a_value_on_the_next_data_line_is_the_names():
    raw = b'data: {"apiKey":\ndata:   "abc"}\n\n'
    assert (
        PSEUDONYM.sub("@", streamed(fresh().stream(), raw, []).decode())
        == 'data: {"apiKey":\ndata:   "@"}\n\n'
    )


def test_flush_gives_out_what_is_held_and_takes_what_is_not_decided_for_a_secret():
    stream = fresh().stream()
    assert stream.feed(b"data: sk-abcdef1") == b"data: "
    assert PSEUDONYM.fullmatch(stream.flush().decode())
    assert stream.held == 0
    assert stream.feed(b" s") == b" "
    assert stream.flush() == b"s"


@pytest.mark.parametrize("kind", KINDS[:5] + KINDS[6:7] + KINDS[8:])
def test_what_follows_a_flush_in_the_middle_of_a_secret_is_no_more_given_out(kind):
    raw = kind % SECRET
    cut = raw.index(SECRET) + 25
    stream = fresh().stream()
    out = stream.feed(raw[:cut]) + stream.flush()
    assert stream.held == 0
    out += stream.feed(raw[cut:]) + stream.end()
    assert SECRET[25:] not in out
    assert SECRET[:25] not in out
    assert out.endswith(raw[raw.index(SECRET) + len(SECRET) :])


def test_what_can_not_be_waited_for_is_taken_for_a_secret():
    """A JWT's beginning, each character escaped: longer than what may be held."""
    raw = b'{"t":"' + b"".join(b"\\u%04x" % char for char in b"eyJhbGciOiJIUzI1NiJ9" + b"A" * 2000)
    stream = fresh().stream(frames=False)
    out = stream.feed(raw)
    assert stream.held <= 4096
    assert b"".join(b"\\u%04x" % char for char in b"A" * 40) not in out


def test_finds_are_told_with_their_places():
    told: list[Find] = []
    stream = fresh().stream(told=told.append)
    raw = b'data: {}\n\ndata: {"apiKey":"abc"}\n\ndata: {"t":"Bearer abcdefgh1234"}\n\n'
    streamed(stream, raw, [12, 30])
    assert [(find.kind, raw[find.start : find.end]) for find in told] == [
        ("api-key", b"abc"),
        ("bearer", b"abcdefgh1234"),
    ]
    assert stream.found == 2


@pytest.mark.parametrize("piece", [b"\\", b"A", b")", b"\n", b"\r", b'"', b"%", b"[", b"{", b"\x00", b" "])
@pytest.mark.parametrize(
    "before", [b"", b'{"apiKey":"', b'{"credentials":[', b"Bearer a1", b"token=1a", b"://a:"]
)
def test_memory_is_bounded_whatever_comes(piece, before):
    stream = fresh().stream(frames=False)
    stream.feed(before)
    for _ in range(40):
        stream.feed(piece * 1000)
        assert stream.held <= 4096
