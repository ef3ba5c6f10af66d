"""Bytes and the frames they must give, made together from one model (hypothesis).

Nothing here decodes: a model of events is written down twice, as bytes and as expectations.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from harness.model.frame import Frame, Rest, Span
from harness.wire import Decoder

LINE_TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=12
) | st.sampled_from(
    ["", " ", "  x", "{}", "a\u2028b", "a\u2029b", "\u0085", "\x0b\x0c", "[DONE]", "data:", ":", "\ufeff"]
)
EOL = st.sampled_from(["\n", "\r\n", "\r"])


class Wanted(NamedTuple):
    """One frame, without its number and span."""

    data: str
    name: str
    last_id: str | None
    comments: tuple[str, ...]
    unknown: tuple[str, ...]


class Stream(NamedTuple):
    body: bytes
    frames: list[Wanted]
    ends: list[int]
    """Where each frame's span ends."""
    tail: str | None
    newline: bool


@st.composite
def sse(draw: st.DrawFn, one_eol: bool = False) -> Stream:
    """An SSE body with everything that WHATWG names, and what it means."""
    out = bytearray()
    frames: list[Wanted] = []
    ends: list[int] = []
    fixed = draw(EOL) if one_eol else None
    last_id: str | None = None
    comments: list[str] = []
    unknown: list[str] = []

    def eol() -> bytes:
        # a lone CR before a line that begins with LF would be a CRLF: no line begins with LF here
        # but a blank line does, so an LF must not follow a CR that is meant alone
        kind = fixed or draw(EOL)
        if kind == "\n" and out.endswith(b"\r"):
            kind = "\r"
        return kind.encode()

    def line(text: str) -> None:
        out.extend(text.encode())
        out.extend(eol())

    if draw(st.booleans()):
        out.extend(b"\xef\xbb\xbf")
    for _ in range(draw(st.integers(0, 5))):
        name = ""
        data: list[str] = []
        for _ in range(draw(st.integers(0, 5))):
            kind = draw(
                st.sampled_from(
                    ["data", "data", "data", "event", "id", "nul", "retry", "comment", "unknown", "bare"]
                )
            )
            value = draw(LINE_TEXT)
            written = value if value[:1] != " " and draw(st.booleans()) else " " + value
            if kind == "data":
                data.append(value)
                line("data:" + written)
            elif kind == "bare":
                data.append("")
                line("data")
            elif kind == "event":
                name = value
                line("event:" + written)
            elif kind == "id":
                last_id = value
                line("id:" + written)
            elif kind == "nul":
                line("id:" + value + "\0")
            elif kind == "retry":
                line("retry: " + draw(st.sampled_from(["-1", "10", "1.5", "x", ""])))
            elif kind == "comment":
                comments.append(value)
                line(":" + value)
            else:
                field = draw(st.sampled_from([" data", "Data", "datas", "x", "évent", "id "]))
                unknown.append(f"{field}:{value}")
                line(f"{field}:{value}")
        out.extend(eol())
        if data:
            frames.append(Wanted("\n".join(data), name, last_id, tuple(comments), tuple(unknown)))
            ends.append(len(out))
            comments, unknown = [], []
    tail: str | None = None
    newline = True
    if draw(st.booleans()):
        tail = draw(LINE_TEXT)
        out.extend(b"data: " + tail.encode())
        newline = draw(st.booleans())
        if newline:
            out.extend(eol())
    return Stream(bytes(out), frames, ends, tail, newline)


def cuts(body: bytes) -> st.SearchStrategy[list[bytes]]:
    """`body` cut into chunks: anywhere, also between CR and LF and inside characters."""
    places = st.lists(st.integers(0, len(body)), max_size=8).map(sorted)
    singles = st.just(list(range(1, len(body))))
    return (places | singles).map(
        lambda at: [body[a:b] for a, b in zip([0, *at], [*at, len(body)], strict=True)]
    )


def run(decoder: Decoder, chunks: list[bytes]) -> tuple[list[Frame], Rest]:
    """All frames and the rest."""
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    last, rest = decoder.finish()
    return frames + last, rest


def tiles(frames: list[Frame], rest: Rest, start: int, end: int) -> bool:
    """The span law: spans follow each other without gap or overlap, numbers count from 1."""
    spans: list[Span] = [*(frame.span for frame in frames), rest.span]
    borders = [start, *(span.end for span in spans)]
    in_order = [span.start for span in spans] == borders[:-1] and borders[-1] == end
    return (
        in_order
        and borders == sorted(borders)
        and [f.number for f in frames] == list(range(1, len(frames) + 1))
    )
