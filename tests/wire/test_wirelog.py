"""The SIT wire log by `openjiuwen.md` section 5."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.frame import Frame, Span
from harness.wire.wirelog import Decoder
from tests.wire.streams import cuts, run, tiles

A, B = '{"jsonrpc":"2.0","id":null,"result":{"a":1.0}}', '{"jsonrpc":"2.0","id":null,"result":{"b":2.0}}'


def log(*events: str, declared: int | None = None) -> bytes:
    count = len([event for event in events if event.startswith("[")]) if declared is None else declared
    return "".join(
        [f"====== RESPONSE ({count} events) ======\n", *(event + "\n" for event in events)]
    ).encode()


def event(number: int, raw: str | None, *texts: str, kind: str = "CONTENT") -> str:
    lines = [f"[{number}] {kind}", *(f"  | {text}" for text in texts)]
    return "\n".join([*lines, f"  raw: {raw}"] if raw is not None else lines)


CASES = [
    ("double printing: only the raw counts", log(event(1, A, '{"x":1}'), event(2, B)), [(A, None), (B, None)]),
    ("one frame of three parts", log(event(1, A, "p1"), event(2, A, "p2"), event(3, A, "p3"), event(4, B)), [(A, None), (B, None)]),
    ("only in a row", log(event(1, A), event(2, B), event(3, A)), [(A, None), (B, None), (A, None)]),
    ("text that looks like a log", log(event(1, A, f"raw: {B}", "[3] STATE", f"  raw: {B}", "====== RESPONSE (9 events) ======", "# protocol: X")), [(A, None)]),
    ("cut by the log's cap", log(event(1, A[:20] + " \u2026 <truncated>"), event(2, B)), [(A[:20] + " \u2026 <truncated>", "truncated"), (B, None)]),
    ("cut, with its length", log(event(1, "xyz \u2026 <truncated, original 300000 chars>")), [("xyz \u2026 <truncated, original 300000 chars>", "truncated")]),
    ("cut, written with three dots", log(event(1, "{ ... <truncated>")), [("{ ... <truncated>", "truncated")]),
    ("a mark inside a JSON string is text", log(event(1, '"a \u2026 <truncated>"')), [('"a \u2026 <truncated>"', None)]),
    ("a Java object printed as text", log(event(1, "StreamResponse[task=Task[id=1]]"), event(2, B)), [("StreamResponse[task=Task[id=1]]", "unparseable"), (B, None)]),
    ("NaN is no JSON", log(event(1, '{"a":NaN}')), [('{"a":NaN}', "unparseable")]),
    ("an event without a raw", log(event(1, None, "boom", "again"), event(2, A)), [("boom\nagain", "missing"), (A, None)]),
    ("two of them are two", log(event(1, None), event(2, None)), [("", "missing"), ("", "missing")]),
    ("a raw over several lines", log('[1] CONTENT\n  raw: {\n  "a": 1\n}\n', event(2, A)), [('{\n  "a": 1\n}', None), (A, None)]),
    ("a printed object over several lines", log("[1] CONTENT\n  raw: Task[\nid=1]"), [("Task[\nid=1]", "unparseable")]),
    ("a foreign line behind a good raw", log(event(1, A) + "\n====== END ======"), [(A, None)]),
    ("an event line of another form loses no raw", log(event(1, A), "?? 2\n  raw: " + B), [(A, None), (B, None)]),
    ("the log stops in a raw", log(event(1, A), event(2, B))[:-9], [(A, None), (B[:-8], "unparseable")]),
    ("the log stops behind an event line", log(event(1, A), "[2] STATE")[:-1], [(A, None), ("", "missing")]),
    ("windows line ends", log(event(1, A, "x"), event(2, B)).replace(b"\n", b"\r\n"), [(A, None), (B, None)]),
    ("other line separators are text", log(event(1, '"\u2028\u0085"', "x\u2028  raw: 1")), [('"\u2028\u0085"', None)]),
    ("a lone CR is text", log(event(1, A, f"x\r  raw: {B}")), [(A, None)]),
    ("no events", log(), []),
    ("nothing", b"", []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_records(body: bytes, wanted: list[tuple[str, str | None]]) -> None:
    results = []
    for chunks in ([body], [body[at : at + 1] for at in range(len(body))], [body[:40], body[40:]]):
        frames, rest = run(Decoder(), chunks)
        assert [(frame.data, frame.flaw) for frame in frames] == wanted
        assert tiles(frames, rest, 0, len(body))
        results.append((frames, rest))
    assert results[1:] == results[:-1]


def test_a_span_reaches_from_the_event_line_to_the_event_s_end() -> None:
    """A multi-part frame's span covers all its events."""
    body = log(event(1, A, "x"), event(2, A, "y"), event(3, B))
    frames, rest = run(Decoder(1000), [body])
    third = body.index(b"[3]")
    assert frames == [
        Frame(1, Span(1000, 1000 + third), A),
        Frame(2, Span(1000 + third, 1000 + len(body)), B),
    ]
    assert rest.span == Span(1000 + len(body), 1000 + len(body))


@pytest.mark.parametrize(
    ("body", "declared", "seen", "told"),
    [
        (log(event(1, A), event(2, A)), 2, 2, 0),
        (log(event(1, A), declared=3), 3, 1, 1),
        (log(event(1, A), event(2, B), declared=1), 1, 2, 1),
        (log(), 0, 0, 0),
        (event(1, A).encode(), None, 1, 0),
    ],
)
def test_the_declared_count_is_held_against_what_is_there(
    body: bytes, declared: int | None, seen: int, told: int
) -> None:
    decoder = Decoder()
    run(decoder, [body])
    assert (decoder.declared, decoder.seen, len(decoder.told)) == (declared, seen, told)
    assert all("events" in reason for reason, _ in decoder.told)


def test_a_second_log_in_one_file_is_told() -> None:
    body = log(event(1, A))
    decoder = Decoder()
    frames, _ = run(
        decoder, [body + b"# protocol: A2A_STREAM  round: 2  sessionId: S\n\n" + log(event(1, B))]
    )
    assert [frame.data for frame in frames] == [A, B]
    assert [(reason.split(":")[0], span.start) for reason, span in decoder.told] == [
        ("another log begins here", len(body))
    ]


def test_an_oversize_raw_is_cut_and_reading_goes_on() -> None:
    body = log(event(1, '"' + "x" * 900 + '"'), event(2, '"b"'))
    for chunks in ([body], [body[at : at + 1] for at in range(len(body))]):
        frames, _ = run(Decoder(max_line=100), chunks)
        assert [(frame.flaw, frame.data[:4]) for frame in frames] == [("oversize", '"xxx'), (None, '"b"')]
        assert len(frames[0].data) == 200


RAWS = st.recursive(st.none() | st.text(max_size=5) | st.floats(allow_nan=False, allow_infinity=False), lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=3), v, max_size=3), max_leaves=5)  # fmt: skip
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=20
) | st.sampled_from(["raw: {}", "[3] STATE"])


@given(st.lists(st.tuples(RAWS, st.integers(1, 3), st.lists(TEXTS, max_size=2)), max_size=6), st.data())
def test_any_log_in_any_cut(model: list[tuple[object, int, list[str]]], data: st.DataObject) -> None:
    events, wanted = [], []
    for raw, parts, texts in model:
        printed = json.dumps(raw, ensure_ascii=data.draw(st.booleans()))
        if wanted[-1:] != [printed]:
            wanted.append(printed)
        events += [event(len(events) + 1, printed, *texts) for _ in range(parts)]
    body = log(*events)
    frames, rest = run(Decoder(), data.draw(cuts(body)))
    assert [frame.data for frame in frames] == wanted
    assert tiles(frames, rest, 0, len(body))


@given(st.lists(st.sampled_from([b"[1] A", b"  raw: ", b"  raw:", b"  | ", b"\n", b"\r\n", b"{}", b"x", b"# protocol:", b"====== RESPONSE (1 events) ======", b"\xff"]), max_size=25).map(b"".join), st.integers(1, 40), st.data())  # fmt: skip
def test_any_bytes_do_no_harm(body: bytes, limit: int, data: st.DataObject) -> None:
    whole = Decoder(max_line=limit)
    frames, rest = run(whole, [body])
    assert tiles(frames, rest, 0, len(body))
    pieces = Decoder(max_line=limit)
    assert run(pieces, data.draw(cuts(body))) == (frames, rest)
    assert (pieces.told, pieces.declared, pieces.seen) == (whole.told, whole.declared, whole.seen)
