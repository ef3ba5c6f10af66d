"""Bodies with secrets in them, and what must hold of whatever is written of them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from hypothesis import strategies as st

from harness.capture.redaction import Redactor, StreamRedactor, load

KEY = b"a key of one run"
SECRETS = load()
PSEUDONYM = re.compile(r"<secret:[a-z0-9-]+:[0-9a-f]{8}>")

NAMES = (
    "apiKey", "api_key", "API-KEY", "x-api-key", "access_token", "accessToken", "refresh_token", "token",
    "password", "clientSecret", "client_secret", "credentials", "Authorization", "secret", "private_key",
    "sessionToken", "DB_PASSWORD", "spring.datasource.password",
)  # fmt: skip
PLAIN_NAMES = (
    "taskId", "contextId", "toolCallId", "text", "index", "total_tokens", "max_tokens", "type", "message",
    "a name", "价格", "nextPageToken", "artifactId", "key", "name", "token_type",
)  # fmt: skip
LEAVES = (
    1, 2.5, None, True, "", "hello", "call_00_Zx0AbC", "3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11",
    "2026-08-11T09:30:01.137+08:00", "价格 50% off", "a=b&c=d", "line\nline", 'back\\slash "quoted"',
    "task-1234567890123456789", "ctx-demo-01", "the bearer of Basic authentication", "x" * 70,
)  # fmt: skip


def fresh(*headers: tuple[str, str]) -> Redactor:
    """A redactor of one exchange, whose head held `headers`."""
    made = Redactor(SECRETS, KEY)
    made.headers(headers)
    return made


def streamed(stream: StreamRedactor, data: bytes, cuts: list[int]) -> bytes:
    """What comes out of the bytes cut at `cuts`; nothing is held beyond what may be."""
    out, start = [], 0
    for end in [*sorted(cuts), len(data)]:
        out.append(stream.feed(data[start:end]))
        start = end
        assert stream.held <= 4096
    out.append(stream.end())
    assert stream.held == 0
    return b"".join(out)


def spellings(secret: str) -> Iterator[bytes]:
    """How a raw search would find `secret`."""
    raw = secret.encode()
    yield raw
    yield json.dumps(secret)[1:-1].encode()
    yield quote(secret, safe="").encode()
    for shift in range(3):
        yield base64.b64encode(b"\0" * shift + raw)[(shift * 8 + 5) // 6 : (shift + len(raw)) * 8 // 6]


def _net(text: str) -> str:
    """As .NET prints JSON."""
    return re.sub(r'\\"', r"\\u0022", re.sub(r"[<>&'+]", lambda found: f"\\u{ord(found[0]):04x}", text))


def _escaped(every: int) -> Callable[[Any], str]:
    """JSON in which each so-manieth letter or digit of all strings, names too, is an escape."""

    def one(found: re.Match[str]) -> str:
        parts = re.findall(r"\\u[0-9a-f]{4}|\\.|.", found[0][1:-1], re.DOTALL)
        made = [
            f"\\u{ord(part):04x}" if part.isascii() and part.isalnum() and at % every == 0 else part
            for at, part in enumerate(parts)
        ]
        return f'"{"".join(made)}"'

    return lambda value: re.sub(r'"(?:[^"\\]|\\.)*"', one, json.dumps(value))


PRINTERS: tuple[Callable[[Any], str], ...] = (
    json.dumps,
    lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False),
    lambda value: json.dumps(value).replace("/", "\\/"),
    lambda value: json.dumps(value, indent=1),
    lambda value: _net(json.dumps(value)),
    _escaped(1),
    _escaped(3),
)


class Body(NamedTuple):
    """A body, the values printed in it, and the secrets in them."""

    raw: bytes
    values: list[Any]
    secrets: list[str]
    frames: bool


@st.composite
def secrets_of_any_form(draw: st.DrawFn) -> str:
    """Values that a name may have, with whatever characters in the middle."""
    core = draw(st.text("ABCDEFGHIJklmnopqrstuvwxyz0123456789", min_size=8, max_size=60)) + "7xQ"
    middle = draw(
        st.sampled_from(("", "/", "+", "=", '"', "\\", "&", "%", "<", "'", "é", ":", " ", "\n", "#"))
    )
    return core + (middle + core[::-1] if middle not in (" ", "\n") else core)


@st.composite
def keys_by_shape(draw: st.DrawFn) -> str:
    """Values that are secrets wherever they stand."""
    run = (
        draw(st.text("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789", min_size=40, max_size=60))
        + "4"
    )
    return draw(
        st.sampled_from(
            (
                f"sk-proj-{run}", f"ghp_{run[:36]}4", f"eyJ{run[:20]}.eyJ{run}.{run[::-1]}", f"glpat-{run[:20]}4",
                f"AIza{run[:34]}4", f"xoxb-1234567890-{run[:24]}", f"AKIA{run.upper()[:16]}",
            )
        )
    )  # fmt: skip


@st.composite
def values(draw: st.DrawFn, held: list[str], depth: int = 4) -> Any:
    """A JSON value, perhaps with JSON in its strings; its secrets go into `held`."""
    kind = draw(st.integers(0, 7))
    if depth == 0 or kind < 2:
        return draw(st.sampled_from(LEAVES))
    if kind < 4:
        return [draw(values(held, depth - 1)) for _ in range(draw(st.integers(0, 3)))]
    if kind == 4:
        return draw(st.sampled_from(PRINTERS))(draw(values(held, depth - 1)))
    made: dict[str, Any] = {}
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.integers(0, 2)):
            made[draw(st.sampled_from(PLAIN_NAMES))] = draw(values(held, depth - 1))
        else:
            secret = draw(secrets_of_any_form())
            made[draw(st.sampled_from(NAMES))] = secret
            held.append(secret)
    return _with_text(draw, made, held)


def _with_text(draw: st.DrawFn, made: dict[str, Any], held: list[str]) -> dict[str, Any]:
    """Perhaps a text in which a secret stands by its shape, or as a field of an address."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        held.append(draw(keys_by_shape()))
        made["text"] = f"see {held[-1]} there"
    elif kind == 1:
        held.append(draw(secrets_of_any_form()))
        made["uri"] = "http://host/path?" + urlencode({"a": "1", "api_key": held[-1], "z": "2"})
    return made


@st.composite
def bodies(draw: st.DrawFn) -> Body:
    """A stream of frames, or one JSON document."""
    held: list[str] = []
    frames = draw(st.booleans())
    found = [draw(values(held)) for _ in range(draw(st.integers(1, 3)) if frames else 1)]
    texts = [draw(st.sampled_from(PRINTERS))(value) for value in found]
    if frames:
        end = draw(st.sampled_from(("\n", "\r\n")))
        texts = ["".join(f"data: {line}{end}" for line in text.split("\n")) + end for text in texts]
    return Body("".join(texts).encode(), found, held, frames)


def read_back(body: Body, raw: bytes) -> list[Any]:
    """The JSON values of a body as it was written."""
    if not body.frames:
        return [json.loads(raw)]
    frames = raw.decode().replace("\r\n", "\n").split("\n\n")[:-1]
    return [json.loads("\n".join(line[6:] for line in frame.split("\n"))) for frame in frames]


def shape_of(value: Any) -> Any:
    """Structure and types; what strings hold is left out."""
    if isinstance(value, dict):
        return {name: shape_of(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape_of(item) for item in value]
    return "text" if isinstance(value, str) else value
