"""Secrets that pass are not on disk; who the client is, is."""

from __future__ import annotations

import base64
import json
import os
import urllib.parse

import pytest

from tests.record.peers import SSE, ask, body, chunked, event, get, journal, post, rpc

TOKEN = "Zx9-secret-Qw8_Er7.Ty6"
DONE = event("TASK_STATE_COMPLETED")


def everything(run_dir):
    found = b""
    for name in sorted(os.listdir(run_dir)):
        with open(os.path.join(run_dir, name), "rb") as file:
            found += name.encode() + b"\n" + file.read()
    return found


def is_clean(run_dir, secret=TOKEN):
    raw = everything(run_dir)
    forms = (secret.encode(), base64.b64encode(secret.encode()), urllib.parse.quote(secret).encode())
    return not any(form in raw for form in forms)


@pytest.mark.parametrize(
    "header",
    [
        f"Authorization: Bearer {TOKEN}", f"Cookie: session={TOKEN}", f"X-Api-Key: {TOKEN}",
        f"X-A2A-Notification-Token: {TOKEN}", f"Proxy-Authorization: Bearer {TOKEN}",
    ],
)  # fmt: skip
def test_request_headers(record, upstream, header):
    upstream.stream(DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(), headers=[header]))
    assert TOKEN in upstream.requests[0][0]
    assert is_clean(recorder.run_dir)


def test_response_headers_and_trailers(record, upstream):
    head = SSE.replace(b"\r\n\r\n", f"\r\nSet-Cookie: session={TOKEN}; Path=/\r\n\r\n".encode())
    end = f"0\r\nX-Auth-Token: {TOKEN}\r\n\r\n".encode()
    upstream.answer = lambda connection, *_: connection.sendall(head + chunked(DONE) + end)
    with record() as recorder:
        assert TOKEN.encode() in ask(recorder.addresses["client"], post(rpc()), end)
    assert is_clean(recorder.run_dir)


def test_a_query(record, upstream):
    upstream.stream(DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(), target=f"/a2a?api_key={TOKEN}&x=1"))
    assert is_clean(recorder.run_dir)
    assert "&x=1" in journal(recorder.run_dir, "ctx-1-A2A_STREAM-r1.client")[0]["target"]


def test_a_request_body(record, upstream):
    upstream.stream(DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(metadata={"apiKey": TOKEN, "id": "kept"})))
    assert is_clean(recorder.run_dir)
    assert "kept" in journal(recorder.run_dir, "ctx-1-A2A_STREAM-r1.client")[0]["body"]


def test_a_response_body_at_every_cut(record, upstream):
    data = b'data: {"access_token":"%s","id":"kept"}\n\n' % TOKEN.encode()
    with record() as recorder:
        for cut in range(1, len(data)):
            upstream.stream(data[:cut], data[cut:], DONE)
            seen = ask(recorder.addresses["client"], post(rpc(context=f"c{cut}")))
            assert seen.endswith(chunked(data[:cut], data[cut:], DONE) + b"0\r\n\r\n")
    assert is_clean(recorder.run_dir)
    bodies = {body(recorder.run_dir, f"c{cut}-A2A_STREAM-r1.client") for cut in range(1, len(data))}
    assert len(bodies) == 1
    assert b'"id":"kept"' in bodies.pop()


def test_an_echoed_secret_without_a_name(record, upstream):
    """What the Authorization header held is known in bodies too."""
    upstream.stream(b'data: {"text":"you sent %s, thanks"}\n\n' % TOKEN.encode(), DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(), headers=[f"Authorization: Bearer {TOKEN}"]))
    assert is_clean(recorder.run_dir)


def test_a_context_that_is_a_secret_names_no_file(record, upstream):
    jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
    upstream.stream(DONE)
    with record() as recorder:
        ask(recorder.addresses["client"], post(rpc(context=jwt)))
    assert is_clean(recorder.run_dir, jwt)


def test_addresses_in_cards_redirects_and_legs(record, upstream):
    from harness.record import Leg

    value = json.dumps(
        {"url": f"http://10.0.0.1/?api_key={TOKEN}", "skills": [], "capabilities": {}}
    ).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(value)
    upstream.answer = lambda connection, *_: connection.sendall(head + value)
    leg = Leg("client", f"{upstream.url}/a2a?api_key={TOKEN}", ("127.0.0.1", 0))
    with record(legs=(leg,)) as recorder:
        ask(recorder.addresses["client"], get("/.well-known/agent-card.json"), value[-9:])
        away = f"HTTP/1.1 307 x\r\nLocation: {upstream.url}/?api_key={TOKEN}\r\nContent-Length: 0\r\n\r\n"
        upstream.answer = lambda connection, *_: connection.sendall(away.encode())
        ask(recorder.addresses["client"], post(rpc()), b"\r\n\r\n")
    assert is_clean(recorder.run_dir)
    assert TOKEN not in str(recorder.summary.warnings)


def test_redaction_may_be_off(record, upstream):
    upstream.stream(DONE)
    with record(redact=False) as recorder:
        ask(recorder.addresses["client"], post(rpc(), headers=[f"Authorization: Bearer {TOKEN}"]))
    assert not is_clean(recorder.run_dir)
