"""Exchanges of other tools without their secrets."""

from __future__ import annotations

from harness.capture.adopt import Foreign
from harness.capture.naming import Name
from harness.capture.redaction import Redactor, load
from harness.capture.scrub import scrubbed
from harness.model.capture import Head, Request

SECRET = "sk-proj-9f8e7d6c5b4a39281706f5e4d3c2b1a0"
HEAD = Head(200, (("content-type", "text/event-stream"), ("set-cookie", f"session={SECRET}")))


def test_every_part_of_an_exchange() -> None:
    raw = b'data: {"a":1}\n\ndata: {"token":"' + SECRET.encode() + b'"}\n\n'
    chunks = [(at, raw[at : at + 7]) for at in range(0, len(raw), 7)]
    request = Request(
        "GET", f"/a?api_key={SECRET}", (("authorization", f"Bearer {SECRET}"),), f'{{"password":"{SECRET}"}}'
    )
    foreign = Foreign(
        Name(SECRET),
        request,
        HEAD,
        chunks,
        True,
        "refused",
        f"no {SECRET}",
        known={"imported": "x.har", "rebuilt": True},
    )
    made = scrubbed(foreign, Redactor(load(), b"k" * 32))
    body = [*made.body]
    assert SECRET not in repr(made._replace(body=body))
    whole = b"".join(data for _, data in body)
    assert whole.startswith(b'data: {"a":1}\n\ndata: {"token":"<secret:') and whole.endswith(b'>"}\n\n')
    assert made.known == foreign.known and {at for at, _ in body} <= {at for at, _ in chunks}


def test_what_has_no_secrets_stays_byte_for_byte() -> None:
    chunks = [(1, b"data: 1\n"), (2, b"\ndata: 2\n\n"), (3, b": c\n")]
    foreign = Foreign(
        Name("S"), Request("POST", "/a", (("host", "h"),), '{"total_tokens": 7}'), None, chunks, True
    )
    made = scrubbed(foreign, Redactor(load()))
    assert b"".join(data for _, data in made.body) == b"".join(data for _, data in chunks)
    assert (made.request, made.head, made.name) == (foreign.request, None, foreign.name)
